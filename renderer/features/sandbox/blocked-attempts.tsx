// What the sandbox of a server refused, with its answers: Allow once, Always, Keep blocked. A secret place is allowed after a review alone.
import { useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import { formatWhen } from '#app/i18n/format-dates.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { secretKindOf } from '#app/server/sandbox/check-grant.ts'
import {
  type AnswerEffect,
  type AttemptAnswer,
  hostPatternOf,
  type ListedAttempt,
  unansweredAttempts,
} from '#app/server/sandbox/sandbox-report.ts'
import { useActions, useSandboxAttempts, useServers, useStores } from '#renderer/stores/store-hooks.tsx'
import { SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Badge, Icon } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { ErrorNotice } from '#renderer/ui/notice.tsx'
import { ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import { secretWords } from './sandbox-labels.ts'
import { SecretReview } from './secret-review.tsx'
import './sandbox.css'

/** Whether the sandbox refused it. An unknown name and a silent host are no refusals of it. */
export const isBlocked = ({ refused }: Pick<ListedAttempt, 'refused'>): boolean =>
  refused !== undefined && refused !== 'not-found' && refused !== 'unreachable'

/** Names an attempt among those of a server. */
export const attemptKey = ({ kind, target, port, refused }: Pick<ListedAttempt, 'kind' | 'target' | 'port' | 'refused'>): string =>
  JSON.stringify([kind, target, port, refused])

interface BlockedRowProps {
  readonly server: string
  readonly attempt: ListedAttempt
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Called once it was allowed: from when on. */
  readonly onAllowed: (holds: AnswerEffect['holds']) => void
  /** Shown at its call: when and how often it was is left out. */
  readonly atCall?: boolean
}

export function BlockedRow({ server, attempt, now, onAllowed, atCall }: BlockedRowProps) {
  const { attempt: send, announce } = useActions()
  const { sandboxAttempts } = useStores()
  const [error, setError] = useState<ErrorValue | undefined>(undefined)
  const [busy, setBusy] = useState<boolean>(false)
  const [reviewed, setReviewed] = useState<boolean>(false)
  const { kind, target, port, allowance, refused } = attempt
  const kept = refused === 'denied'
  const answer = async (chosen: AttemptAnswer): Promise<void> => {
    if (busy) return
    setBusy(true)
    const outcome = await send('server.answerSandboxAttempt', {
      name: server,
      attempt: { kind, target, ...(port === undefined ? {} : { port }) },
      answer: chosen,
      ...(allowance === 'review' && chosen !== 'keep' ? { reviewed: true } : {}),
    })
    setBusy(false)
    setReviewed(false)
    setError(outcome.ok ? undefined : outcome.error)
    if (!outcome.ok) return
    if (chosen !== 'keep') onAllowed(outcome.value.holds)
    announce(answeredWords(chosen))
    sandboxAttempts.reload(server)
  }
  return (
    <li className="blocked-row">
      <Icon name={allowance === 'review' ? 'lock' : kind === 'host' ? 'globe' : 'folder'} />
      <span className="what">
        <AttemptName attempt={attempt} />
        {!atCall && <span className="help num">{seenWords(attempt, now)}</span>}
        {kept ? (
          <span className="help">{t`It stays blocked.`}</span>
        ) : (
          allowance === 'never' && <span className="help">{neverWords(attempt)}</span>
        )}
        {error && <ErrorNotice error={error} />}
      </span>
      <span className="row wrap answers">
        {allowance === 'review' && !reviewed && (
          <SmallButton aria-label={t`Review ${nameOf(attempt)}`} onClick={() => setReviewed(true)}>
            {t`Review…`}
          </SmallButton>
        )}
        {allowance === 'click' && <AllowAnswers name={nameOf(attempt)} busy={busy} onAnswer={(chosen) => void answer(chosen)} />}
        {!kept && (
          <SmallGhostButton aria-disabled={busy} onClick={() => void answer('keep')}>
            {t`Keep blocked`} <span className="sr">{nameOf(attempt)}</span>
          </SmallGhostButton>
        )}
      </span>
      {reviewed && (
        <SecretReview
          path={target}
          secret={secretKindOf(target)}
          writes={kind === 'write'}
          onKeep={() => setReviewed(false)}
          allow={<AllowAnswers name={nameOf(attempt)} busy={busy} onAnswer={(chosen) => void answer(chosen)} />}
        />
      )}
    </li>
  )
}

interface AllowAnswersProps {
  readonly name: string
  readonly busy: boolean
  readonly onAnswer: (answer: AttemptAnswer) => void
}

const AllowAnswers = ({ name, busy, onAnswer }: AllowAnswersProps) => (
  <>
    <SmallButton aria-disabled={busy} onClick={() => onAnswer('once')}>
      {t`Allow once`} <span className="sr">{name}</span>
    </SmallButton>
    <SmallButton aria-label={t`Always ${name}`} aria-disabled={busy} onClick={() => onAnswer('always')}>
      {t`Always`}
    </SmallButton>
  </>
)

const nameOf = (attempt: ListedAttempt): string => (attempt.kind === 'host' ? hostPatternOf(attempt) : attempt.target)

function AttemptName({ attempt }: { readonly attempt: ListedAttempt }) {
  const { kind, target } = attempt
  const name = <VisibleText as="b" className="mono arg-word" text={nameOf(attempt)} />
  const secret = kind === 'host' ? undefined : secretKindOf(target)
  return (
    <span>
      {kind === 'host' ? tx`Reach ${name}` : kind === 'read' ? tx`Read ${name}` : tx`Write in ${name}`}{' '}
      {secret && <Badge tone="danger">{secretWords[secret].badge}</Badge>}
    </span>
  )
}

function seenWords({ count, lastAt, tool }: ListedAttempt, now: number) {
  const times = t`${formatNumber(count)} {time|times}`
  const when = formatWhen(lastAt, now)
  return tool === undefined ? `${times} · ${when}` : tx`${times} · ${when} · during ${<VisibleText className="tool-name" text={tool} />}`
}

function neverWords({ kind, refused }: ListedAttempt): string {
  if (refused === 'malformed') return t`Not a host name.`
  if (refused === 'private-address') return t`It is on this computer or its network. Add it below to allow it.`
  return kind === 'host' ? t`It is on this computer or its network. Add it below to allow it.` : t`No server may do this.`
}

const answeredWords = (answer: AttemptAnswer): string =>
  ({ once: t`Allowed once.`, always: t`Allowed.`, keep: t`It stays blocked.` })[answer]

/** Offers the restart that a change waits for. */
export function RestartOffer({ server, onRestart }: { readonly server: string; readonly onRestart: () => void }) {
  const { attempt } = useActions()
  return (
    <p className="help" role="status">
      {tx`Changes apply when ${<ServerName name={server} />} restarts.`}{' '}
      <SmallButton
        onClick={() => {
          onRestart()
          void attempt('server.restart', { name: server })
        }}
      >
        {t`Restart`}
      </SmallButton>
    </p>
  )
}

/** Attempts that were blocked in the course of a call and wait for an answer, below the call. */
export function BlockedAtCall({ server, callId }: { readonly server: string; readonly callId: string }) {
  const count = useServers(({ list }) => list.find(({ name }) => name === server)?.blocked ?? 0)
  const known = useSandboxAttempts(count > 0 ? server : undefined)
  const [allowed, setAllowed] = useState<AnswerEffect['holds'] | undefined>(undefined)
  const blocked = unansweredAttempts(known?.value?.attempts ?? []).filter((one) => one.callId === callId)
  const now = useNow(60_000, blocked.length > 0)
  if (blocked.length === 0 && allowed === undefined) return null
  return (
    <section className="call-blocked" aria-label={t`Blocked by the sandbox`}>
      {blocked.length > 0 && (
        <>
          <p className="row">
            <Icon name="shield" />
            <span className="strong">{t`Blocked by the sandbox`}</span>
          </p>
          <ul className="blocked">
            {blocked.map((attempt) => (
              <BlockedRow key={attemptKey(attempt)} server={server} attempt={attempt} now={now} onAllowed={setAllowed} atCall />
            ))}
          </ul>
        </>
      )}
      {allowed === 'now' && <p className="help" role="status">{t`Allowed from the next call on.`}</p>}
      {allowed === 'next-start' && <RestartOffer server={server} onRestart={() => setAllowed(undefined)} />}
    </section>
  )
}
