// Why a server is down or slow, and what fixes it: the host's diagnosis, with its actions as buttons.

import { type ReactNode, useState } from 'react'
import { describeError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { assertNever } from '#app/json.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { Diagnosis, DoctorAction, EditField } from '#app/server/doctor.ts'
import type { ServerState } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import type { hrefOf } from '#renderer/router.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { Button, CopyButton, SmallButton, SmallLink } from '#renderer/ui/button.tsx'
import { Icon, Spinner } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { addressHost, SentenceOf } from '#renderer/ui/visible-text.tsx'
import { openAddServer } from '../open-add-server.ts'
import { SecretEntry } from '../secrets/secrets-section.tsx'

export type Failed = Extract<ServerState, { kind: 'failed' }>

/** The host's diagnosis; for a failure of an older run, which has none, the error's own sentence. Being offline is no error. */
export function failureSummary({ error, diagnosis, offline }: Failed): Diagnosis {
  const tone = offline ? 'warn' : 'bad'
  if (diagnosis) return offline ? { ...diagnosis, tone } : diagnosis
  const { message, remedy } = describeError(error)
  return {
    code: 'unexplained',
    short: message,
    message,
    why: '',
    remedy,
    actions: [
      { kind: 'retry', label: t`Try again` },
      { kind: 'log', label: t`Show log` },
    ],
    tone,
  }
}

/** Says that Assent no longer starts the server by itself, after too many failed starts; undefined: it still does. */
export function gaveUp({ loop, starts }: Failed): string | undefined {
  if (!loop) return undefined
  if (!starts) return t`Failed too often. It no longer starts automatically.`
  return t`Failed ${starts.length} times. It no longer starts automatically.`
}

/** Host of a remote server, or its address as typed where that cannot be parsed; undefined: it is local. */
export function serverAddressOf(definition: ServerDefinition): string | undefined {
  if (definition.transport !== 'streamable-http' && definition.transport !== 'sse') return undefined
  return addressHost(definition.url)
}

interface DiagnosisNoticeProps {
  readonly diagnosis: Diagnosis
  /** Undefined: it is being set up. */
  readonly server?: string
  readonly fixes: Fixes
  /** The start still goes on. */
  readonly going?: boolean
  /** Sentences between the cause and the fix. */
  readonly more?: ReactNode
  /** Form between the fix and the buttons. */
  readonly form?: ReactNode
}

export function DiagnosisNotice({ diagnosis, server, fixes, going = false, more, form }: DiagnosisNoticeProps) {
  const { tone, message, why, tool, remedy, actions } = diagnosis
  return (
    <div className={`notice ${tone}`} role={going ? 'status' : 'alert'}>
      {going ? <Spinner /> : <Icon name="warning" />}
      <div>
        <p className="strong">
          <SentenceOf server={server} text={message} />
        </p>
        {why ? (
          <p className="dim">
            <SentenceOf server={server} tool={tool} text={why} />
          </p>
        ) : null}
        {more}
        <p>
          <SentenceOf server={server} text={remedy} />
        </p>
        {form}
        <p className="row wrap remedies">
          {actions.map((action, index) => (
            <FixButton key={action.label} action={action} fixes={fixes} quiet={index > 0 && !going && fixes.saved !== undefined} />
          ))}
        </p>
      </div>
    </div>
  )
}

interface NoticeProps {
  readonly server: ServerSummary
  readonly onEdit: (field: EditField) => void
}

export function FailureNotice({ server, state, onEdit }: NoticeProps & { readonly state: Failed }) {
  const { error, retryAt } = state
  const over = gaveUp(state)
  return (
    <DiagnosisNotice
      diagnosis={failureSummary(state)}
      server={server.name}
      fixes={useFixes({ server, onEdit })}
      more={
        <>
          {over ? <p className="dim">{over}</p> : null}
          {state.offline && retryAt === undefined ? <p className="dim">{t`It reconnects when the network is back.`}</p> : null}
          {retryAt === undefined ? null : <Countdown at={retryAt} />}
        </>
      }
      form={error.code === 'server.secret-missing' ? <MissingSecrets key={state.at} server={server} /> : null}
    />
  )
}

export const DoubtNotice = ({ diagnosis, ...notice }: NoticeProps & { readonly diagnosis: Diagnosis }) => (
  <DiagnosisNotice diagnosis={diagnosis} server={notice.server.name} fixes={useFixes(notice)} going />
)

function MissingSecrets({ server }: { readonly server: ServerSummary }) {
  // Those that were missing at first: the fields stay while one value after the other is kept.
  const [wanted] = useState(() => new Set(server.inputs.filter(({ set }) => !set).map(({ id }) => id)))
  const inputs = server.inputs.filter(({ id }) => wanted.has(id))
  return inputs.length === 0 ? null : <SecretEntry server={server.name} inputs={inputs} label={t`Keep and start “${server.name}”`} />
}

/** Hidden from screen readers: a number that changes each second would never be quiet. The sentence before it says enough. */
function Countdown({ at }: { readonly at: number }) {
  const now = useNow(500)
  const left = Math.max(0, Math.ceil((at - now) / 1000))
  const when = <span aria-hidden="true">{left > 0 ? t`in ${left} s` : t`now`}</span>
  return <p className="dim num">{tx`Next attempt ${when}.`}</p>
}

export interface Fixes {
  readonly onRetry: () => void
  readonly onEdit: (field: EditField) => void
  /** Undefined: the server has no command. */
  readonly onCommand: ((command: string) => void) | undefined
  readonly onWait: (startTimeoutMs: number) => void
  /** Server with an entry of its own; undefined: it is not saved yet, so that nothing links to it. */
  readonly saved?: { readonly name: string; readonly onEnable: () => void }
}

interface FixButtonProps {
  readonly action: DoctorAction
  readonly fixes: Fixes
  /** Draws a retry that is not the first choice with less weight. */
  readonly quiet: boolean
}

function FixButton({ action, fixes: { onRetry, onEdit, onCommand, onWait, saved }, quiet }: FixButtonProps) {
  const { ask } = useActions()
  const { label } = action
  const press = (run: () => void): ReactNode => <SmallButton onClick={run}>{label}</SmallButton>
  const link = (route: Parameters<typeof hrefOf>[0]): ReactNode => <SmallLink to={route}>{label}</SmallLink>
  switch (action.kind) {
    case 'retry':
      return (
        <Button size="sm" variant={quiet ? 'ghost' : 'plain'} {...(saved && { icon: 'refresh' })} onClick={onRetry}>
          {label}
        </Button>
      )
    case 'edit':
      return press(() => onEdit(action.field))
    case 'use-command':
      return onCommand ? press(() => onCommand(action.command)) : null
    case 'wait':
      return press(() => onWait(action.startTimeoutMs))
    case 'use-address':
      return press(() => openAddServer({ kind: 'text', text: action.url }))
    case 'environment':
      return press(() => void ask('app.readEnvironment', {}).then((read) => read && onRetry()))
    case 'copy':
      return <CopyButton words text={action.text} label={label} />
    case 'log':
      return saved ? link({ page: 'servers', name: saved.name, tab: 'log' }) : null
    case 'permissions':
      return saved ? link({ page: 'servers', name: saved.name, tab: 'permissions' }) : null
    case 'folders':
      return saved ? link({ page: 'settings', tab: 'permissions' }) : null
    case 'enable':
      return saved ? press(saved.onEnable) : null
    default:
      return assertNever(action)
  }
}

/** Fixes of a server that has an entry of its own. How a start ends is the server's state, shown right here. */
function useFixes({ server: { name, definition }, onEdit }: NoticeProps): Fixes {
  const { attempt, ask } = useActions()
  const onRetry = (): void => void attempt('server.start', { name })
  const save = async (next: ServerDefinition): Promise<void> => {
    if (await ask('server.save', { name, definition: next })) onRetry()
  }
  return {
    onRetry,
    onEdit,
    onCommand: definition.transport === 'stdio' ? (command) => void save({ ...definition, command }) : undefined,
    onWait: (startTimeoutMs) => void save({ ...definition, startTimeoutMs }),
    saved: { name, onEnable: () => void attempt('server.save', { name, definition: { ...definition, enabled: true } }) },
  }
}
