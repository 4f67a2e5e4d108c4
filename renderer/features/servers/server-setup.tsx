// One server as it is set up, for adding and editing alike: its form, the values that it asks for, and a test run of it.
// It holds nothing: what is typed is its owner's.
import { type RefObject, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { EditField } from '#app/server/doctor.ts'
import type { InputDeclaration, ServerInput } from '#app/server/input.ts'
import { t } from '#app/words/translate.ts'
import { tx } from '#renderer/ui/translate.ts'
import { formToSave, neededInputs, type Setup } from './entries.ts'
import { InputField } from './secret-entry.tsx'
import { memoryWords, useSecretKeeper } from './secret-words.ts'
import { ServerFields } from './server-fields.tsx'
import { type FormErrors, type ServerForm, toDefinition, validateForm } from './server-form.ts'
import { TrialPanel } from './trial-panel.tsx'
import { type TrialControl, useTrial } from './use-trial.ts'

export interface SetupControl {
  readonly body: RefObject<HTMLDivElement | null>
  readonly errors: FormErrors
  readonly trial: TrialControl
  /** True when nothing is wrong; else what is wrong is shown, and the first of it has focus. */
  readonly check: () => boolean
  readonly tryOut: () => void
  readonly setup: Setup
  readonly onChange: (change: Partial<Setup>) => void
  readonly previousName: string | undefined
}

interface SetupOptions {
  readonly setup: Setup
  readonly onChange: (change: Partial<Setup>) => void
  /** Names that others have. */
  readonly taken: readonly string[]
  /** It is saved under this name. */
  readonly previousName?: string
}

export function useSetup({ setup, onChange, taken, previousName }: SetupOptions): SetupControl {
  const keeper = useSecretKeeper()
  const trial = useTrial()
  const [checked, setChecked] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  const check = (): boolean => {
    // What is folded away opens for its fault, so that it can take focus.
    flushSync(() => setChecked(true))
    const [field] = Object.keys(validateForm(setup.form, taken))
    if (field === undefined) return true
    body.current?.querySelector<HTMLElement>(`[data-field="${field}"] :is(input, textarea)`)?.focus()
    return false
  }
  return {
    body,
    errors: checked ? validateForm(setup.form, taken) : {},
    trial,
    check,
    tryOut() {
      if (!check()) return
      const renamed = previousName === undefined || previousName === setup.form.name ? {} : { previousName }
      trial.begin({ ...formToSave(setup, keeper === 'keyring'), ...renamed })
    },
    setup,
    onChange,
    previousName,
  }
}

interface ServerSetupProps {
  readonly control: SetupControl
  readonly focus?: EditField | 'name' | undefined
  readonly declared?: readonly InputDeclaration[]
  /** What the host knows of its inputs. */
  readonly kept?: readonly ServerInput[]
}

const none: readonly never[] = []

export function ServerSetup({ control, focus, declared = none, kept = none }: ServerSetupProps) {
  const { body, errors, trial, setup, onChange } = control
  const { form, values } = setup
  const [wanted, setWanted] = useState<EditField | 'name' | undefined>(focus)
  const [again, setAgain] = useState(0)
  const keeper = useSecretKeeper()
  const inputs = useMemo(() => neededInputs(toDefinition(form), declared, kept), [form, declared, kept])
  const changeForm = (change: Partial<ServerForm>): void => onChange({ form: { ...form, ...change } })
  const { run } = trial
  return (
    <>
      {run ? (
        <TrialPanel
          trial={trial}
          run={run}
          stale={JSON.stringify(run.tried) !== JSON.stringify({ ...run.tried, ...formToSave(setup, keeper === 'keyring') })}
          onAgain={control.tryOut}
          onChange={changeForm}
          onEdit={(field) => {
            setWanted(field)
            setAgain((count) => count + 1)
          }}
        />
      ) : null}
      <ServerFields key={again} form={form} errors={errors} focus={wanted} within={body} onChange={changeForm} />
      {inputs.length === 0 ? null : (
        <section className="sec" aria-label={t`Values that it asks for`}>
          <h3 className="h3">{t`Values that it asks for`}</h3>
          {inputs.map((input) => (
            <InputField
              key={input.id}
              input={input}
              value={values[input.id] ?? ''}
              onChange={(value) => onChange({ values: { ...values, [input.id]: value } })}
            />
          ))}
          <p className="help">
            {tx`${keeper === 'keyring' ? t`They go to the keyring, never into servers.json.` : memoryWords} What you leave empty is asked for when it starts.`}
          </p>
        </section>
      )}
    </>
  )
}
