// The list of messages, and one message in full with those that belong to it. Lines of the list have one height and are
// virtualised; one is chosen at a time, by a press or with the arrow keys. The list follows the end until the person chooses a
// message or scrolls up.

import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef } from 'react'
import { clockWithMilliseconds, formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { type CommandShell, callCommand } from '#app/server/call-command.ts'
import type { WireMessage } from '#app/server/wire-message.ts'
import { formatBytes, formatDuration } from '#app/text/format-text.ts'
import { CopyButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useScaledRows, useTextScale } from '#renderer/ui/lib/use-visible-rows.ts'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import { VisibleText, visibleTextOf } from '#renderer/ui/visible-text.tsx'
import { useTextExport } from '../log/follow-and-export.tsx'
import { answerTo, callIn, type Followers, headOf, legible, type Related, wireKindLabels } from './message-rows.ts'

interface MessageDetailProps {
  readonly server: string
  readonly message: WireMessage
  readonly related: Related
  readonly onGo: (seq: number) => void
}

/** Progress notifications that are listed at most. */
const mostNotifications = 20

export function MessageDetail({ server, message, related, onGo }: MessageDetailProps) {
  const text = useMemo(() => legible(message), [message])
  const { origin, answer, words } = related
  const heading = message.kind === 'http' ? 'HTTP' : wireKindLabels[message.kind]
  return (
    <section className="message-detail" aria-label={t`Message`}>
      <div className="row wrap">
        <h3 className="grow">
          <VisibleText text={headOf(message)} /> <span className="faint">{heading === headOf(message) ? '' : heading}</span>
        </h3>
        <CopyAsCall server={server} message={message} />
        <CopyButton words variant="ghost" text={message.text} label={t`Copy`} />
      </div>
      <p className="help num">
        {message.direction} {clockWithMilliseconds(message.time)}
        {message.size > 0 ? ` · ${formatBytes(message.size)}` : ''}
        {message.ms === undefined || !origin ? '' : ` · ${t`${formatDuration(message.ms)} after ${headOf(origin)}`}`}
        {answer?.ms === undefined ? '' : ` · ${t`answered in ${formatDuration(answer.ms)}`}`}
      </p>
      {origin || answer || words.length > 0 ? (
        <div className="row wrap">
          {origin ? <Go to={origin} words={t`Request`} onGo={onGo} /> : null}
          {answer ? <Go to={answer} words={answer.kind === 'error' ? t`Error` : t`Result`} onGo={onGo} /> : null}
          {words.slice(0, mostNotifications).map((one) => {
            const after = one.ms === undefined ? '' : `+ ${formatDuration(one.ms)}`
            return <Go key={one.seq} to={one} words={`${notificationLabel(one)} ${after}`} onGo={onGo} />
          })}
          {words.length > mostNotifications ? (
            <span className="help">{tx`and ${formatNumber(words.length - mostNotifications)} more`}</span>
          ) : null}
        </div>
      ) : null}
      {message.http ? (
        <div className="message-http mono">
          <VisibleText as="p" className="strong" text={message.http.line} />
          <dl>
            {message.http.headers.map(({ name, value }) => (
              <div key={`${name} ${value}`}>
                <dt>{name}</dt>
                <VisibleText as="dd" text={value} />
              </div>
            ))}
          </dl>
        </div>
      ) : null}
      {message.event ? (
        <p className="help mono">
          <VisibleText
            text={[message.event.name && `event: ${message.event.name}`, message.event.id && `id: ${message.event.id}`]
              .filter(Boolean)
              .join(' · ')}
          />
        </p>
      ) : null}
      {message.cut ? <p className="help">{tx`Only its beginning is kept, of ${formatBytes(message.size)}.`}</p> : null}
      {text === '' ? null : (
        <figure className="code" aria-label={t`Message`}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
          <pre className="wrapit" tabIndex={0}>
            <VisibleText text={text} />
          </pre>
        </figure>
      )}
    </section>
  )
}

const notificationLabel = ({ kind, method }: WireMessage): string =>
  kind === 'http' ? t`HTTP answer` : method === 'notifications/cancelled' ? t`Cancelled` : t`Progress`

function Go({ to, words, onGo }: { readonly to: WireMessage; readonly words: string; readonly onGo: (seq: number) => void }) {
  return (
    <SmallGhostButton icon={to.direction === 'sent' ? 'chevron-right' : 'chevron-left'} onClick={() => onGo(to.seq)}>
      {words}
    </SmallGhostButton>
  )
}

function CopyAsCall({ server, message }: { readonly server: string; readonly message: WireMessage }) {
  const { copyWith } = useTextExport()
  const call = callIn(message)
  if (call?.kind === 'gone') return <span className="help">{t`Masked or cut messages cannot be called again.`}</span>
  const commandFor = (shell: CommandShell): string | undefined => call && callCommand({ server, ...call }, shell)
  if (commandFor('posix') === undefined) return null
  const take = (shell: CommandShell): void => {
    const line = commandFor(shell)
    if (line !== undefined) copyWith(line, t`Copied`)
  }
  return (
    <Menu align="end" trigger={<SmallGhostButton icon="flow">{t`Copy as assent call`}</SmallGhostButton>}>
      <MenuItem onSelect={() => take('posix')}>{t`Copy command`}</MenuItem>
      <MenuItem onSelect={() => take('powershell')}>{t`Copy for PowerShell`}</MenuItem>
    </Menu>
  )
}

const rowHeight = 26

interface MessageListProps {
  readonly label: string
  readonly messages: readonly WireMessage[]
  readonly followers: Followers
  readonly chosen: number | undefined
  readonly onChoose: (seq: number) => void
  readonly follow: boolean
  readonly onFollow: (follow: boolean) => void
}

export function WireMessageList({ label, messages, followers, chosen, onChoose, follow, onFollow }: MessageListProps) {
  const box = useRef<HTMLDivElement>(null)
  const top = useRef<number>(0)
  const id = useId()
  const height = rowHeight * useTextScale()
  const virtualizer = useScaledRows({
    count: messages.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => messages[index]?.seq ?? index,
    overscan: 10,
  })
  const at = messages.findIndex(({ seq }) => seq === chosen)
  const last = messages.at(-1)?.seq

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new last one is the reason to scroll.
  useLayoutEffect(() => {
    if (follow && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [follow, last])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only choosing another scrolls, not the messages that come.
  useEffect(() => {
    if (at !== -1) virtualizer.scrollToIndex(at)
  }, [chosen])

  const page = Math.max(1, Math.floor((box.current?.clientHeight ?? height * 10) / height) - 1)
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at === -1 ? messages.length - 1 : at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: messages.length - 1,
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = steps[event.key]
    const next = to === undefined ? undefined : messages[Math.min(Math.max(to, 0), messages.length - 1)]
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    onChoose(next.seq)
  }
  const onScroll = (element: HTMLElement): void => {
    const up = element.scrollTop < top.current - 2
    top.current = element.scrollTop
    const away = element.scrollHeight - element.scrollTop - element.clientHeight >= height
    if (away && up) onFollow(false)
  }

  return (
    <div
      ref={box}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      {...(at === -1 ? {} : { 'aria-activedescendant': `${id}-${chosen}` })}
      className="message-box"
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget }) => onScroll(currentTarget)}
    >
      <div className="virtual" role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const message = messages[item.index]
          if (!message) return null
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the list box's.
            <div
              key={item.key}
              id={`${id}-${message.seq}`}
              role="option"
              tabIndex={-1}
              aria-selected={message.seq === chosen}
              aria-setsize={messages.length}
              aria-posinset={item.index + 1}
              className={cx('message-row virtual-item', message.kind, message.direction, message.seq === chosen && 'current')}
              style={{ height: item.size, transform: `translateY(${item.start}px)` }}
              onClick={() => onChoose(message.seq)}
            >
              <MessageRow message={message} answer={answerTo(followers, message)} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

function MessageRow({ message, answer }: { readonly message: WireMessage; readonly answer: WireMessage | undefined }) {
  const { time, direction, kind, id, ms, size } = message
  const took = kind === 'request' ? answer?.ms : ms
  return (
    <>
      <span className="message-time num">{clockWithMilliseconds(time)}</span>
      <span className="message-way" aria-hidden="true">
        {direction === 'sent' ? '→' : '←'}
      </span>
      <span className="message-head cut">
        <span className="sr">{direction === 'sent' ? t`sent` : t`received`} </span>
        {visibleTextOf(headOf(message))}
        <span className="message-kind">{kind === 'http' || kind === 'notification' ? '' : ` ${wireKindLabels[kind]}`}</span>
      </span>
      <span className="message-id num cut">{id === undefined ? '' : `#${visibleTextOf(String(id))}`}</span>
      <span className="message-took num">{took === undefined ? '' : formatDuration(took)}</span>
      <span className="message-size num">{size === 0 ? '' : formatBytes(size)}</span>
    </>
  )
}
