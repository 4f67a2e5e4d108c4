// Why a server is down, in one sentence, with what mends it.
import { useState } from 'react'
import type { ServerState } from '#app/server/state.ts'
import type { ServerView } from '#app/server/view.ts'
import { hrefOf } from '#renderer/router.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { useNow } from '#renderer/ui/use-now.ts'
import { type EditField, failureView, type Remedy } from './failure-view.ts'
import { SecretEntry } from './secret-entry.tsx'
import { useHostOs } from './use-host-os.ts'

type Failed = Extract<ServerState, { kind: 'failed' }>

interface FailureNoticeProps {
  readonly server: ServerView
  readonly state: Failed
  readonly lastWords: string | undefined
  readonly onEdit: (field: EditField) => void
}

export function FailureNotice({ server, state, lastWords, onEdit }: FailureNoticeProps) {
  const os = useHostOs()
  const { name, definition } = server
  const { error, exit, attempt, retryAt } = state
  const view = failureView(error, { name, definition, os, exit, attempt, retries: retryAt !== undefined, lastWords })
  return (
    <div className={`notice ${view.tone}`} role="alert">
      <Icon name="warning" />
      <div>
        <p className="strong">
          <Revealed text={view.sentence} />
        </p>
        {view.cause ? (
          <p className="dim">
            <Revealed text={view.cause} />
          </p>
        ) : null}
        {retryAt === undefined ? null : <Countdown at={retryAt} attempt={attempt} />}
        {error.code === 'server.secret-missing' ? <MissingSecrets key={state.at} server={server} /> : null}
        <p className="row wrap remedies">
          {view.remedies.map((remedy, index) => (
            <RemedyButton key={remedy.label} server={server} remedy={remedy} quiet={index > 0 && remedy.kind === 'retry'} onEdit={onEdit} />
          ))}
        </p>
      </div>
    </div>
  )
}

function MissingSecrets({ server }: { readonly server: ServerView }) {
  // Those that were missing at first: the fields stay while one after the other is kept.
  const [wanted] = useState(() => new Set(server.inputs.filter(({ set }) => !set).map(({ id }) => id)))
  const inputs = server.inputs.filter(({ id }) => wanted.has(id))
  return inputs.length === 0 ? null : <SecretEntry server={server.name} inputs={inputs} label={`Keep and start ${server.name}`} />
}

/** Hidden from screen readers: a number that changes each second would never be quiet. The sentence before it says enough. */
function Countdown({ at, attempt }: { readonly at: number; readonly attempt: number }) {
  const now = useNow(500)
  const left = Math.max(0, Math.ceil((at - now) / 1000))
  return (
    <p className="dim num">
      It is tried again by itself<span aria-hidden="true">{left > 0 ? ` in ${left} s` : ' now'}</span>
      {attempt > 1 ? `, after ${attempt} attempts` : ''}.
    </p>
  )
}

interface RemedyButtonProps {
  readonly server: ServerView
  readonly remedy: Remedy
  readonly quiet: boolean
  readonly onEdit: (field: EditField) => void
}

function RemedyButton({ server, remedy, quiet, onEdit }: RemedyButtonProps) {
  const { attempt } = useActions()
  const { name, definition } = server
  switch (remedy.kind) {
    case 'retry':
      return (
        // How it ends is the server's state, shown right here: nothing more to say about a failure.
        <Button size="sm" variant={quiet ? 'ghost' : 'plain'} icon="refresh" onClick={() => void attempt('server.start', { name })}>
          {remedy.label}
        </Button>
      )
    case 'edit':
      return (
        <Button size="sm" onClick={() => onEdit(remedy.field)}>
          {remedy.label}
        </Button>
      )
    case 'copy':
      return (
        <CopyButton text={remedy.text} label={remedy.label}>
          {remedy.label}
        </CopyButton>
      )
    case 'log':
      return (
        <LinkButton size="sm" href={hrefOf({ page: 'servers', name, tab: 'log' })}>
          {remedy.label}
        </LinkButton>
      )
    case 'text':
      return (
        <LinkButton size="sm" href={hrefOf({ page: 'servers', name: '', tab: 'config' })}>
          {remedy.label}
        </LinkButton>
      )
    case 'enable':
      return (
        <Button size="sm" onClick={() => void attempt('server.save', { name, definition: { ...definition, enabled: true } })}>
          {remedy.label}
        </Button>
      )
  }
}
