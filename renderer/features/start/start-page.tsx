// The start page: three steps from nothing to a first answer. Each stays until it is done; the whole until it is hidden or all are done.
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { formatList } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import type { SetupStep } from '#app/settings.ts'
import { focusComposer } from '#renderer/navigation/focus.ts'
import { hrefOf } from '#renderer/router.ts'
import { useActions, useModels, useServers, useSettings, useShallow } from '#renderer/stores/store-hooks.tsx'
import { Button, LinkButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Icon, type IconName } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { modelCountLabel } from '../settings/key-form.tsx'
import { ModelStep } from './model-step.tsx'
import './start.css'

type ExampleId = Extract<SetupStep, 'invoices' | 'rename' | 'room'>

/** Examples for the demo server; the practice model finds its tools by the words that are sent. */
const examples: readonly {
  readonly id: ExampleId
  readonly icon: IconName
  readonly text: string
  readonly about: string
}[] = [
  {
    id: 'invoices',
    icon: 'file',
    text: t`List the sample invoices and add up the totals`,
    about: t`Reads files. Each tool asks first.`,
  },
  {
    id: 'rename',
    icon: 'edit',
    text: t`Rename invoice 0417 to start with its date`,
    about: t`Changes a file. Shows both names first.`,
  },
  {
    id: 'room',
    icon: 'text',
    text: t`Book a room for four on Thursday`,
    about: t`The server asks you in a form.`,
  },
]

/** The steps that are done, and how to mark one. */
function useSetup() {
  const { set } = useActions()
  const setup = useSettings((state) => state.settings.setup)
  const defaultModel = useSettings((state) => state.settings.defaultModel)
  const model = useModels((state) => state.models.find(({ id }) => id === defaultModel))
  const own = useServers(useShallow((state) => state.list.flatMap((one) => (one.definition.transport === 'builtin' ? [] : [one.name]))))
  const demo = useServers((state) =>
    state.list.some(
      ({ definition, state: { kind } }) => definition.transport === 'builtin' && definition.module === 'demo' && kind !== 'disabled',
    ),
  )
  const has = (step: SetupStep): boolean => setup.includes(step)
  const done = {
    model: model?.ai === true || has('practice'),
    servers: own.length > 0 || has('no-servers'),
    examples: examples.every(({ id }) => has(id)),
  }
  return {
    model,
    own,
    demo,
    has,
    done,
    steps: demo ? 3 : 2,
    count: [done.model, done.servers, demo && done.examples].filter(Boolean).length,
    mark: (step: SetupStep): void => {
      if (!has(step)) set({ setup: [...setup, step] })
    },
  }
}

type Setup = ReturnType<typeof useSetup>

/** Actions of the title bar while the steps are there. */
export function SetupActions() {
  const { set } = useActions()
  const { count, steps } = useSetup()
  return (
    <>
      <span className="help wide-only num">{t`${count} of ${steps} done`}</span>
      <SmallGhostButton onClick={() => set({ welcomed: true })}>{t`Hide setup`}</SmallGhostButton>
    </>
  )
}

interface StartPageProps {
  /** List and review of an import, whose code comes later. */
  readonly ImportReview: ComponentType<{
    readonly isNow: boolean
    readonly onDone: () => void
    readonly onDenied: () => void
    readonly children: ReactNode
  }>
  readonly onModel: (model: string) => void
  readonly onExample: (text: string) => void
}

export function StartPage({ ImportReview, onModel, onExample }: StartPageProps) {
  const { set } = useActions()
  const setup = useSetup()
  const { done, demo } = setup
  const isDone = setup.count === setup.steps
  useEffect(() => {
    if (isDone) set({ welcomed: true })
  }, [isDone, set])
  const now = !done.model ? 'model' : !done.servers ? 'servers' : 'examples'
  return (
    <div className="start">
      <header>
        <h2>{t`Get your first answer`}</h2>
        <p>{t`Choose a model, add servers, try an example. Every tool call asks you first.`}</p>
      </header>
      <ModelChoice setup={setup} isNow={now === 'model'} onModel={onModel} />
      <ServerChoice setup={setup} isNow={now === 'servers'} ImportReview={ImportReview} />
      {demo ? <Examples setup={setup} isNow={now === 'examples'} onExample={onExample} /> : null}
    </div>
  )
}

interface StepProps {
  readonly number: number
  readonly isDone: boolean
  readonly isNow: boolean
  readonly title: ReactNode
  /** Button at the end of the line. */
  readonly action?: ReactNode
  readonly children?: ReactNode
}

function Step({ number, isDone, isNow, title, action, children }: StepProps) {
  return (
    <section className={cx('stepx', isDone && 'done', isNow && 'now')} aria-current={isNow ? 'step' : undefined}>
      <span className="n" aria-hidden="true">
        {isDone ? <Icon name="check" /> : number}
      </span>
      <div>
        <div className="row">
          <h3 className="grow">
            {title}
            {isDone ? <span className="sr">{t`done`}</span> : null}
          </h3>
          {action}
        </div>
        {children}
      </div>
    </section>
  )
}

function ModelChoice({
  setup,
  isNow,
  onModel,
}: {
  readonly setup: Setup
  readonly isNow: boolean
  readonly onModel: (model: string) => void
}) {
  const { model, done, mark } = setup
  const provider = useModels((state) => state.providers.find(({ id }) => id === model?.provider))
  const [changes, setChanges] = useState(false)
  const finish = (): void => {
    setChanges(false)
    focusComposer()
  }
  if (done.model && !changes)
    return (
      <Step
        number={1}
        isDone
        isNow={false}
        title={
          <>
            {tx`Model: ${<b>{model?.name}</b>}`}{' '}
            <span className="help num">
              {model?.ai === false
                ? t`Practice, not an AI`
                : [provider?.name, provider && modelCountLabel(provider.modelCount)].filter(Boolean).join(' · ')}
            </span>
          </>
        }
        action={<SmallGhostButton onClick={() => setChanges(true)}>{t`Change`}</SmallGhostButton>}
      />
    )
  return (
    <Step number={1} isDone={false} isNow={isNow} title={t`Choose a model`}>
      <ModelStep
        onConnected={finish}
        onModel={(id) => {
          onModel(id)
          if (id.startsWith('practice/')) mark('practice')
          finish()
        }}
      />
    </Step>
  )
}

const addHref = hrefOf({ page: 'servers', name: '', tab: 'add' })

interface ServerChoiceProps extends Pick<StartPageProps, 'ImportReview'> {
  readonly setup: Setup
  readonly isNow: boolean
}

function ServerChoice({ setup, isNow, ImportReview }: ServerChoiceProps) {
  const { own, done, mark } = setup
  const [changes, setChanges] = useState(false)
  const look = useHostAnswer('appImport.look', {})
  const isFound = (look.value?.hosts ?? []).some(({ files }) =>
    files.some(({ servers }) => servers.some(({ state }) => state.kind !== 'same')),
  )
  if (done.servers && !changes)
    return (
      <Step
        number={2}
        isDone
        isNow={false}
        title={
          own.length === 0 ? (
            t`No servers`
          ) : (
            <>
              {t`Servers:`} <VisibleText as="b" text={formatList(own.slice(0, 3))} />{' '}
              {own.length > 3 ? <span className="help num">{t`and ${own.length - 3} more`}</span> : null}
            </>
          )
        }
        action={<SmallGhostButton onClick={() => setChanges(true)}>{t`Change`}</SmallGhostButton>}
      />
    )
  const close = (): void => {
    setChanges(false)
    look.reload()
    focusComposer()
  }
  const others = (
    <>
      <LinkButton href={addHref} variant={isFound ? 'ghost' : 'plain'}>{t`Paste configuration`}</LinkButton>
      <LinkButton href={hrefOf({ page: 'registry' })} variant="ghost">{t`Browse registry`}</LinkButton>
      {done.servers ? (
        <Button variant="ghost" onClick={() => setChanges(false)}>{t`Close`}</Button>
      ) : (
        <Button variant="ghost" onClick={() => mark('no-servers')}>{t`Skip`}</Button>
      )}
    </>
  )
  return (
    <Step
      number={2}
      isDone={false}
      isNow={isNow}
      title={
        <>
          {t`Add servers`} {isFound && <span className="help">{t`Found in other apps. Nothing starts until you allow it.`}</span>}
        </>
      }
    >
      {isFound ? (
        <ImportReview isNow={isNow} onDone={close} onDenied={close}>
          {others}
        </ImportReview>
      ) : (
        <div className="row wrap">{others}</div>
      )}
    </Step>
  )
}

function Examples({
  setup,
  isNow,
  onExample,
}: {
  readonly setup: Setup
  readonly isNow: boolean
  readonly onExample: (text: string) => void
}) {
  const { has, done, mark } = setup
  return (
    <Step
      number={3}
      isDone={done.examples}
      isNow={isNow}
      title={
        <>
          {t`Try an example`} <span className="help num">{t`with the built-in demo server`}</span>
        </>
      }
    >
      <div className="trio">
        {examples.map(({ id, icon, text, about }) => (
          <button
            key={id}
            type="button"
            className={cx('ex', has(id) && 'used')}
            onClick={() => {
              mark(id)
              onExample(text)
            }}
          >
            <span className="t">
              <Icon name={has(id) ? 'check' : icon} small />
              <span>{text}</span>
            </span>
            <span className="d">{has(id) ? t`Done` : about}</span>
          </button>
        ))}
      </div>
    </Step>
  )
}
