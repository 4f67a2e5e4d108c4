// Context meter in the chat's title bar: how full the model's context is. It opens a pane with the parts of the context, the
// largest items, which can be left out, and compaction.

import { Popover as Base } from '@base-ui/react/popover'
import { type ReactElement, type ReactNode, useState } from 'react'
import type { ContextSummary } from '#app/chat/context-summary.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import { formatPercent } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { formatCount } from '#app/text/format-text.ts'
import { ChatUsage } from '#renderer/features/usage/chat-usage.tsx'
import { isBusy } from '#renderer/stores/conversations-store.ts'
import { useActions, useModels } from '#renderer/stores/store-hooks.tsx'
import { SmallButton } from '#renderer/ui/button.tsx'
import { SubmitForm, TextInput } from '#renderer/ui/field.tsx'
import { ServerMark, Spinner } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { ErrorNotice, Notice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import './context.css'

interface PartLine {
  readonly kind: keyof ContextSummary['parts']
  readonly name: string
  readonly tokens: number
  /** Detail beside the name, e.g. "14", "and words of 3 servers". */
  readonly note: string
}

const serversNote = (count: number): string => (count === 0 ? '' : t`${count} {server|servers}`)

/** Lists the parts in the order in which they are sent; empty ones are left out, except the first two. */
export function partLines({ parts }: ContextSummary): PartLine[] {
  const { system, tools, summary, messages, attachments, results } = parts
  const count = tools.servers.reduce((sum, server) => sum + server.count, 0)
  const lines: PartLine[] = [
    { kind: 'system', name: t`System prompt`, tokens: system.tokens, note: serversNote(system.servers.length) },
    { kind: 'tools', name: t`Tools`, tokens: tools.tokens, note: t`${count} {tool|tools}` },
    {
      kind: 'summary',
      name: t`Summary`,
      tokens: summary?.tokens ?? 0,
      note: summary ? t`${summary.messages} {message|messages}` : '',
    },
    { kind: 'messages', name: t`Messages`, tokens: messages.tokens, note: String(messages.count) },
    { kind: 'attachments', name: t`Attachments`, tokens: attachments.tokens, note: String(attachments.count) },
    { kind: 'results', name: t`Results`, tokens: results.tokens, note: String(results.count) },
  ]
  return lines.filter(({ kind, tokens }) => tokens > 0 || kind === 'system' || kind === 'tools')
}

export function fullness(used: number, limit: number | undefined): 'unknown' | 'roomy' | 'filling' | 'full' {
  if (limit === undefined || limit === 0) return 'unknown'
  const share = used / limit
  return share >= 0.95 ? 'full' : share >= 0.8 ? 'filling' : 'roomy'
}

/** Widths of the parts and the reserve in percent of the model's limit; beyond it the parts take all the room. */
export function widths(
  { limit, reserved, used }: Pick<ContextSummary, 'limit' | 'reserved' | 'used'>,
  lines: readonly PartLine[],
): { readonly parts: number[]; readonly reserved: number } {
  const whole = Math.max(limit ?? used, used, 1)
  const parts = lines.map(({ tokens }) => (tokens / whole) * 100)
  const free = Math.max(0, 100 - parts.reduce((sum, width) => sum + width, 0))
  return { parts, reserved: limit === undefined ? 0 : Math.min(free, (reserved / whole) * 100) }
}

const percentUsed = (used: number, limit: number): string => formatPercent(used / limit)

function ContextPane({ conversation, view }: { readonly conversation: Conversation; readonly view: ContextSummary }) {
  const { used, limit, reserved } = view
  const busy = isBusy(conversation.activity)
  const lines = partLines(view)
  const wide = widths(view, lines)
  const full = fullness(used, limit)
  return (
    <>
      <p className="num">
        {limit === undefined
          ? tx`${<b>{formatCount(used)}</b>} tokens`
          : tx`${<b>{formatCount(used)}</b>} of ${formatCount(limit)} tokens · ${percentUsed(used, limit)}`}
      </p>
      <div className="context-bar" aria-hidden="true">
        {lines.map(({ kind }, index) => (
          <i key={kind} className={`part-${kind}`} style={{ width: `${wide.parts[index] ?? 0}%` }} />
        ))}
        <i className="part-reserved" style={{ width: `${wide.reserved}%` }} />
      </div>
      {(full === 'filling' || full === 'full') && (
        <Notice tone={full === 'full' ? 'bad' : 'warn'} title={full === 'full' ? t`Little room left` : t`Little room left`}>
          {t`Summarise older messages to make room.`}
        </Notice>
      )}
      <table className="context-parts num">
        <caption className="sr">{t`Tokens`}</caption>
        <tbody>
          {[
            ...lines,
            { kind: 'reserved', name: t`Kept for the answer`, tokens: reserved, note: '' },
            ...(limit === undefined ? [] : [{ kind: 'free', name: t`Free`, tokens: Math.max(0, limit - used - reserved), note: '' }]),
          ].map(({ kind, name, tokens, note }) => (
            <tr key={kind}>
              <th scope="row">
                <i className={`swatch part-${kind}`} aria-hidden="true" />
                {name} {note && <span className="faint">{note}</span>}
              </th>
              <td>{formatCount(tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>

      {view.parts.system.servers.length > 0 && (
        <details className="context-more">
          <summary>{t`Instructions of servers`}</summary>
          {view.parts.system.servers.map(({ server, text, tokens }) => (
            <div key={server} className="origin">
              <ServerShare server={server} share={formatCount(tokens)} />
              <VisibleText as="p" className="origin-text" text={text} />
            </div>
          ))}
        </details>
      )}
      {view.parts.tools.servers.length > 0 && (
        <details className="context-more">
          <summary>{t`Tools by server`}</summary>
          {view.parts.tools.servers.map(({ server, tokens, count }) => (
            <ServerShare key={server} server={server} share={`${count} · ${formatCount(tokens)}`} />
          ))}
        </details>
      )}

      <Largest conversation={conversation} view={view} busy={busy} />
      <Compact conversation={conversation} view={view} busy={busy} />
      <p className="help">
        {t`Estimated`} {limit === undefined && t`The size of this model is not known.`}
      </p>
      <ChatUsage conversationId={conversation.id} />
    </>
  )
}

const ServerShare = ({ server, share }: { readonly server: string; readonly share: string }) => (
  <p className="row">
    <ServerMark name={server} />
    <b>{server}</b>
    <span className="faint num">{share}</span>
  </p>
)

const switchLabel = (leftOut: boolean, name: string): string => (leftOut ? t`Put back “${name}”` : t`Leave out ${`“${name}”`}`)

interface PaneProps {
  readonly conversation: Conversation
  readonly view: ContextSummary
  readonly busy: boolean
}

function Largest({ conversation, view, busy }: PaneProps) {
  const actions = useActions()
  if (view.largest.length === 0) return null
  return (
    <section aria-label={t`The largest`}>
      <p className="label">{t`The largest`}</p>
      <ul className="context-items">
        {view.largest.map(({ id, kind, server, name, tokens, leftOut }) => (
          <li key={`${kind} ${id} ${name}`}>
            <span className="cut">
              {server !== undefined && <span className="faint">{server} </span>}
              <VisibleText text={name} />
            </span>
            <span className="faint num">{leftOut ? t`left out` : formatCount(tokens)}</span>
            <SmallButton
              disabled={busy}
              aria-label={switchLabel(leftOut, name)}
              onClick={() => actions.go('conversation.leaveOut', { id: conversation.id, item: { kind, id }, leftOut: !leftOut })}
            >
              {leftOut ? t`Put back` : t`Leave out`}
            </SmallButton>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Compact({ conversation, view: { compaction }, busy }: PaneProps) {
  const actions = useActions()
  const [keep, setKeep] = useState('')
  if (compaction.kind === 'impossible') {
    return (
      <p className="help">
        {compaction.reason === 'practice' ? t`The practice model writes no summary.` : t`The chat is too short for a summary.`}
      </p>
    )
  }
  const compact = (): void =>
    actions.go('conversation.compact', { id: conversation.id, ...(keep.trim() === '' ? {} : { keep: keep.trim() }) })
  return (
    <SubmitForm className="context-compact" onSubmit={compact}>
      <TextInput
        aria-label={t`What to keep (optional)`}
        placeholder={t`What to keep (optional)`}
        maxLength={2000}
        value={keep}
        onChange={(event) => setKeep(event.target.value)}
      />
      <SmallButton type="submit" disabled={busy} title={busy ? t`After the answer` : undefined}>
        {t`Compact now`}
      </SmallButton>
      <p className="help">
        {t`The model sums up the oldest ${compaction.messages} {message|messages} for itself. You can read, edit and undo it.`}
      </p>
    </SubmitForm>
  )
}

export function ContextMeter({ conversation }: { readonly conversation: Conversation }) {
  const { contextTokens: used = 0, model } = conversation
  const info = useModels((state) => state.models.find((one) => one.id === model))
  const [open, setOpen] = useState(false)
  if (info?.ai === false || used === 0) return null
  const limit = info?.contextTokens
  const full = fullness(used, limit)
  const figure = limit === undefined ? formatCount(used) : t`${formatCount(used)} of ${formatCount(limit)}`
  const label = t`Context: ${figure} tokens used${limit === undefined ? '' : `, ${percentUsed(used, limit)}`}`
  return (
    <Popover
      title={t`Context`}
      align="end"
      className="context-pane"
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          className={cx('pick', 'num', full === 'full' && 'dangertext', full === 'filling' && 'warntext')}
          title={t`Context`}
          aria-label={label}
        >
          {limit !== undefined && (
            <svg className="i ring" viewBox="0 0 16 16" aria-hidden="true">
              <circle cx="8" cy="8" r={RADIUS} className="ring-whole" />
              <circle
                cx="8"
                cy="8"
                r={RADIUS}
                strokeDasharray={`${Math.min(1, used / limit) * CIRCUMFERENCE} ${CIRCUMFERENCE}`}
                transform="rotate(-90 8 8)"
              />
            </svg>
          )}
          <span className={limit === undefined ? undefined : 'wide-only'}>{limit === undefined ? t`${figure} tokens` : figure}</span>
        </button>
      }
    >
      {open && <Loaded conversation={conversation} />}
    </Popover>
  )
}

const RADIUS = 6
const CIRCUMFERENCE = 2 * Math.PI * RADIUS

function Loaded({ conversation }: { readonly conversation: Conversation }) {
  const { id, model, contextTokens, activity } = conversation
  const { value, error } = useHostAnswer('conversation.context', { id }, `${model} ${contextTokens} ${activity.kind}`)
  if (error) return <ErrorNotice error={error} />
  if (value) return <ContextPane conversation={conversation} view={value} />
  return (
    <p className="row faint slowly">
      <Spinner /> {t`Loading…`}
    </p>
  )
}

interface PopoverProps {
  readonly trigger: ReactElement
  readonly title: ReactNode
  readonly children: ReactNode
  readonly align?: 'start' | 'end'
  readonly className?: string
  readonly onOpenChange?: (open: boolean) => void
}

/** A small pane that a button opens: focus goes into it, Escape closes it and gives the focus back. */
const Popover = ({ trigger, title, children, align = 'start', className, onOpenChange }: PopoverProps) => (
  <Base.Root onOpenChange={(open) => onOpenChange?.(open)}>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner side="bottom" align={align} sideOffset={6} collisionPadding={8} className="floating">
        <Base.Popup className={cx('pop', 'pop-pane', className)}>
          <Base.Title className="h3">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)
