// Why a server is down, why that is, and what mends it: the host's diagnosis, with its actions as buttons. What a failed server
// says to the person, and what to press: the host's diagnosis. Where there is none (it is of an older run), the error's own
// sentence stands in.

import { useState } from 'react'
import { describeError } from '#app/describe-error.ts'
import { t } from '#app/i18n/translate.ts'
import { assertNever } from '#app/json.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { Diagnosis, DoctorAction, EditField } from '#app/server/doctor.ts'
import type { ServerState } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { hrefOf } from '#renderer/router.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { SecretEntry } from '../secrets/secret-entry.tsx'
import { DiagnosisText } from './diagnosis-text.tsx'

export type Failed = Extract<ServerState, { kind: 'failed' }>

/** While this computer is offline it is nobody's fault, and nothing to mend: it connects again by itself. */
export function failureSummary({ error, diagnosis, offline }: Failed): Diagnosis {
  const tone = offline ? 'warn' : 'bad'
  if (diagnosis) return offline ? { ...diagnosis, tone } : diagnosis
  const { message, remedy } = describeError(error)
  return {
    code: 'unexplained',
    short: t`failed`,
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

/** After so many starts within a few minutes it waits for the person, whatever it fails of; undefined: it does not. */
export function gaveUp({ loop, starts }: Failed): string | undefined {
  if (!loop) return undefined
  if (!starts) return t`It was started too many times in a few minutes and failed each time, so Assent no longer starts it by itself.`
  return t`It was started ${starts.length} times in a few minutes and failed each time, so Assent no longer starts it by itself.`
}

/** The host of its address, or the address as it was typed when that is no address. */
export function serverAddressOf(definition: ServerDefinition): string | undefined {
  if (definition.transport !== 'streamable-http' && definition.transport !== 'sse') return undefined
  return URL.canParse(definition.url) ? new URL(definition.url).host : definition.url
}

interface FailureNoticeProps {
  readonly server: ServerSummary
  readonly state: Failed
  readonly onEdit: (field: EditField) => void
}

export function FailureNotice({ server, state, onEdit }: FailureNoticeProps) {
  const { error, attempt, retryAt } = state
  const { tone, message, why, remedy, actions } = failureSummary(state)
  const over = gaveUp(state)
  return (
    <div className={`notice ${tone}`} role="alert">
      <Icon name="warning" />
      <div>
        <p className="strong">
          <VisibleText text={message} />
        </p>
        {why ? (
          <p className="dim">
            <VisibleText text={why} />
          </p>
        ) : null}
        {over ? <p className="dim">{over}</p> : null}
        {state.offline && retryAt === undefined ? <p className="dim">{t`It comes back by itself with the network.`}</p> : null}
        {retryAt === undefined ? null : <Countdown at={retryAt} attempt={attempt} />}
        <p>
          <VisibleText text={remedy} />
        </p>
        {error.code === 'server.secret-missing' ? <MissingSecrets key={state.at} server={server} /> : null}
        <p className="row wrap remedies">
          {actions.map((action, index) => (
            <ActionButton key={action.label} server={server} action={action} quiet={index > 0 && action.kind === 'retry'} onEdit={onEdit} />
          ))}
        </p>
      </div>
    </div>
  )
}

interface DoubtNoticeProps {
  readonly server: ServerSummary
  readonly diagnosis: Diagnosis
  readonly onEdit: (field: EditField) => void
}

/** What looks wrong with a server that is still waited for. */
export function DoubtNotice({ server, diagnosis, onEdit }: DoubtNoticeProps) {
  return (
    <DiagnosisText diagnosis={diagnosis} going>
      {diagnosis.actions.map((action) => (
        <ActionButton key={action.label} server={server} action={action} quiet={false} onEdit={onEdit} />
      ))}
    </DiagnosisText>
  )
}

function MissingSecrets({ server }: { readonly server: ServerSummary }) {
  // Those that were missing at first: the fields stay while one after the other is kept.
  const [wanted] = useState(() => new Set(server.inputs.filter(({ set }) => !set).map(({ id }) => id)))
  const inputs = server.inputs.filter(({ id }) => wanted.has(id))
  return inputs.length === 0 ? null : <SecretEntry server={server.name} inputs={inputs} label={t`Keep and start “${server.name}”`} />
}

/** Hidden from screen readers: a number that changes each second would never be quiet. The sentence before it says enough. */
function Countdown({ at, attempt }: { readonly at: number; readonly attempt: number }) {
  const now = useNow(500)
  const left = Math.max(0, Math.ceil((at - now) / 1000))
  const when = <span aria-hidden="true">{left > 0 ? t`in ${left} s` : t`now`}</span>
  return (
    <p className="dim num">
      {attempt > 1 ? tx`It is tried again by itself ${when}, after ${attempt} attempts.` : tx`It is tried again by itself ${when}.`}
    </p>
  )
}

interface ActionButtonProps {
  readonly server: ServerSummary
  readonly action: DoctorAction
  readonly quiet: boolean
  readonly onEdit: (field: EditField) => void
}

function ActionButton({ server, action, quiet, onEdit }: ActionButtonProps) {
  const { attempt, ask } = useActions()
  const { name, definition } = server
  /** What is saved starts too; a command that is new is asked for first. */
  const saveAndStart = async (next: ServerDefinition): Promise<void> => {
    if (await ask('server.save', { name, definition: next })) await attempt('server.start', { name })
  }
  const readAndStart = async (): Promise<void> => {
    if (await ask('app.readEnvironment', {})) await attempt('server.start', { name })
  }
  const { label } = action
  switch (action.kind) {
    case 'retry':
      return (
        // How it ends is the server's state, shown right here: nothing more to say about a failure.
        <Button size="sm" variant={quiet ? 'ghost' : 'plain'} icon="refresh" onClick={() => void attempt('server.start', { name })}>
          {label}
        </Button>
      )
    case 'edit':
      return (
        <Button size="sm" onClick={() => onEdit(action.field)}>
          {label}
        </Button>
      )
    case 'use-command':
      return definition.transport === 'stdio' ? (
        <Button size="sm" onClick={() => void saveAndStart({ ...definition, command: action.command })}>
          {label}
        </Button>
      ) : null
    case 'wait':
      return (
        <Button size="sm" onClick={() => void saveAndStart({ ...definition, startTimeoutMs: action.startTimeoutMs })}>
          {label}
        </Button>
      )
    case 'environment':
      return (
        <Button size="sm" onClick={() => void readAndStart()}>
          {label}
        </Button>
      )
    case 'copy':
      return (
        <CopyButton text={action.text} label={label}>
          {label}
        </CopyButton>
      )
    case 'log':
      return (
        <LinkButton size="sm" href={hrefOf({ page: 'servers', name, tab: 'log' })}>
          {label}
        </LinkButton>
      )
    case 'folders':
      return (
        <LinkButton size="sm" href={hrefOf({ page: 'settings', tab: 'asking' })}>
          {label}
        </LinkButton>
      )
    case 'enable':
      return (
        <Button size="sm" onClick={() => void attempt('server.save', { name, definition: { ...definition, enabled: true } })}>
          {label}
        </Button>
      )
    default:
      return assertNever(action)
  }
}
