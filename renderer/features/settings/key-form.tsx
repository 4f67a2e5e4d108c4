// Field for the key of a provider. The key goes to the host and nowhere else: no store of the page holds it, and it is gone once it is
// checked.
import { type ReactNode, useId, useRef, useState } from 'react'
import type { RequestParams } from '#app/contract/requests.ts'
import { describeError, type ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'
import { announce } from '#renderer/stores/view-state.ts'
import { Button, GhostButton, RevealButton } from '#renderer/ui/button.tsx'
import { CancelButton } from '#renderer/ui/dialog.tsx'
import { FieldError, SubmitForm } from '#renderer/ui/field.tsx'
import { Icon, Spinner } from '#renderer/ui/icon.tsx'
import { useSubmit } from '#renderer/ui/lib/use-host-answer.ts'
import './key-form.css'

/** Letters of providers whose first letter another has, or who write it small. */
const marks: Readonly<Record<string, string>> = { OpenRouter: 'R', Groq: 'q', xAI: 'x' }
export const providerMark = (name: string): string => marks[name] ?? name.slice(0, 1).toUpperCase()

export const modelCountLabel = (count: number): string => t`${count} {model|models}`

const notNow = t`The provider could not check the key. Try again later.`
const keyErrors: Partial<Record<string, string>> = {
  'model.key-refused': t`The key was refused. Copy it again from the provider.`,
  'model.offline': notNow,
  'model.rate-limited': notNow,
  'model.overloaded': notNow,
  'model.server-error': notNow,
}

/** Why a key was not taken, as one sentence beside its field. */
export function keyErrorLabel(error: ErrorValue): string {
  const { message, remedy } = describeError(error)
  return keyErrors[error.code] ?? [message, remedy].filter(Boolean).join(' ')
}

type KeyRequest = readonly ['key.set', RequestParams<'key.set'>] | readonly ['endpoint.save', RequestParams<'endpoint.save'>]

interface KeyFormProps {
  /** Name of the field; `hideLabel`: for screen readers alone. */
  readonly label: string
  readonly hideLabel?: boolean
  readonly placeholder: string
  readonly submitLabel: string
  /** Request that checks the key and keeps it. */
  readonly request: (key: string) => KeyRequest
  readonly onDone?: (() => void) | undefined
  readonly onCancel?: (() => void) | undefined
  readonly autoFocus: boolean
  /** Page of the provider on which a key is made. */
  readonly keyPage?: string | undefined
  /** Hides the buttons while they have nothing to do, for a form in a row. */
  readonly compact?: boolean
  /** Help below the field, while nothing is wrong. */
  readonly children?: ReactNode
}

export function KeyForm(props: KeyFormProps) {
  const { label, hideLabel, placeholder, submitLabel, request, onDone, onCancel, autoFocus, keyPage, compact, children } = props
  const { busy, error, setError, submit } = useSubmit()
  const { view, actions } = useStores()
  const [key, setKey] = useState('')
  const [shown, setShown] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const trimmed = key.trim()

  const save = async (): Promise<void> => {
    if (busy || trimmed === '') return input.current?.focus()
    setError(undefined)
    const [name, params] = request(trimmed)
    const outcome = name === 'key.set' ? await submit(name, params) : await submit(name, params)
    if (!outcome.ok) return input.current?.focus()
    setKey('')
    announce(view, `${t`Connected`} · ${modelCountLabel(outcome.value.models)}`)
    onDone?.()
  }

  return (
    <SubmitForm className="key-form" onSubmit={save}>
      <label htmlFor={id} className={hideLabel ? 'sr' : undefined}>
        {label}
      </label>
      <div className="key-line">
        <span className={error ? 'input mono key-box bad' : 'input mono key-box'}>
          <Icon name="key" small />
          <input
            ref={input}
            id={id}
            className="bare"
            type={shown ? 'text' : 'password'}
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            aria-invalid={error ? true : undefined}
            aria-describedby={`${id}-about`}
            // biome-ignore lint/a11y/noAutofocus: its tile or “Replace” was pressed for this field, or it is what a first run is for.
            autoFocus={autoFocus}
            value={key}
            onChange={(event) => {
              setKey(event.target.value)
              setError(undefined)
            }}
          />
          {compact && key === '' ? null : (
            <RevealButton
              shown={shown}
              onToggle={setShown}
              label={shown ? t`Hide the value of ${t`API key`}` : t`Show the value of ${t`API key`}`}
            />
          )}
        </span>
        {compact && trimmed === '' ? null : (
          <Button type="submit" aria-disabled={busy || trimmed === ''}>
            {busy ? <Spinner /> : null}
            {busy ? t`Checking` : submitLabel}
          </Button>
        )}
        {onCancel ? <CancelButton onClick={onCancel} /> : null}
        {keyPage === undefined || (compact && key !== '') ? null : (
          <GhostButton icon="external" title={keyPage} onClick={() => void actions.openUrl(keyPage)}>
            {t`Get a key`}
          </GhostButton>
        )}
      </div>
      <div id={`${id}-about`} role="status">
        {error ? <FieldError>{keyErrorLabel(error)}</FieldError> : children && <p className="help">{children}</p>}
      </div>
    </SubmitForm>
  )
}
