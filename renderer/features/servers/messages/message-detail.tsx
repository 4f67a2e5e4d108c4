// One message in full: its text as it went over the wire, its transport, and the messages that belong to it.

import { useMemo } from 'react'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { type CommandShell, callCommand } from '#app/server/call-command.ts'
import type { WireMessage } from '#app/server/wire-message.ts'
import { formatBytes, formatDuration } from '#app/text/format-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import { UntrustedText } from '#renderer/ui/text/untrusted-text.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { useTextExport } from '../log/follow-and-export.tsx'
import { callIn, exactTime, headOf, legible, type Related, wireKindLabels } from './message-rows.ts'

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
    <section className="message-detail" aria-label={t`The message`}>
      <div className="row wrap">
        <h3 className="grow">
          <VisibleText text={headOf(message)} /> <span className="faint">{heading === headOf(message) ? '' : heading}</span>
        </h3>
        <CopyAsCall server={server} message={message} />
        <CopyButton variant="ghost" text={message.text} label={t`Copy the message`}>
          {t`Copy`}
        </CopyButton>
      </div>
      <p className="help num">
        {message.direction} {exactTime(message.time)}
        {message.size > 0 ? ` · ${formatBytes(message.size)}` : ''}
        {message.ms === undefined || !origin ? '' : ` · ${t`${formatDuration(message.ms)} after ${headOf(origin)}`}`}
        {answer?.ms === undefined ? '' : ` · ${t`answered in ${formatDuration(answer.ms)}`}`}
      </p>
      {origin || answer || words.length > 0 ? (
        <div className="row wrap">
          {origin ? <Go to={origin} words={origin.kind === 'request' ? t`Its request` : t`What it answers`} onGo={onGo} /> : null}
          {answer ? <Go to={answer} words={answer.kind === 'error' ? t`Its error` : t`Its result`} onGo={onGo} /> : null}
          {words.slice(0, mostNotifications).map((one) => {
            const after = one.ms === undefined ? '' : t`after ${formatDuration(one.ms)}`
            return <Go key={one.seq} to={one} words={`${notificationLabel(one)} ${after}`} onGo={onGo} />
          })}
          {words.length > mostNotifications ? (
            <span className="help">{tx`and ${formatNumber(words.length - mostNotifications)} more`}</span>
          ) : null}
        </div>
      ) : null}
      {message.http ? <Carrier http={message.http} /> : null}
      {message.event ? (
        <p className="help mono">
          <VisibleText
            text={[message.event.name && t`event: ${message.event.name}`, message.event.id && t`id: ${message.event.id}`]
              .filter(Boolean)
              .join(' · ')}
          />
        </p>
      ) : null}
      {message.cut ? <p className="help">{tx`Only its beginning was kept, of ${formatBytes(message.size)}.`}</p> : null}
      {text === '' ? null : (
        <figure className="code" aria-label={t`Text of the message`}>
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
  kind === 'http' ? t`HTTP answer` : method === 'notifications/cancelled' ? t`Called off` : t`Progress`

function Go({ to, words, onGo }: { readonly to: WireMessage; readonly words: string; readonly onGo: (seq: number) => void }) {
  return (
    <Button size="sm" variant="ghost" icon={to.direction === 'sent' ? 'chevron-right' : 'chevron-left'} onClick={() => onGo(to.seq)}>
      {words}
    </Button>
  )
}

function Carrier({ http }: { readonly http: NonNullable<WireMessage['http']> }) {
  return (
    <div className="message-http mono">
      <UntrustedText as="p" className="strong" text={http.line} />
      <dl>
        {http.headers.map(({ name, value }) => (
          <div key={`${name} ${value}`}>
            <dt>{name}</dt>
            <UntrustedText as="dd" text={value} />
          </div>
        ))}
      </dl>
    </div>
  )
}

function CopyAsCall({ server, message }: { readonly server: string; readonly message: WireMessage }) {
  const { copyWith } = useTextExport()
  const call = callIn(message)
  if (call?.kind === 'gone')
    return (
      <span className="help">
        {call.why === 'masked' ? t`What is masked cannot be called again.` : t`What is cut cannot be called again.`}
      </span>
    )
  const commandFor = (shell: CommandShell): string | undefined => call && callCommand({ server, ...call }, shell)
  if (commandFor('posix') === undefined) return null
  const take = (shell: CommandShell): void => {
    const line = commandFor(shell)
    if (line !== undefined) copyWith(line, t`Copied. It asks before it runs, as any call does.`)
  }
  return (
    <Menu
      align="end"
      trigger={
        <Button size="sm" variant="ghost" icon="flow">
          {t`Copy as assent call`}
        </Button>
      }
    >
      <MenuItem onSelect={() => take('posix')}>{t`For a POSIX shell`}</MenuItem>
      <MenuItem onSelect={() => take('powershell')}>{t`For PowerShell`}</MenuItem>
    </Menu>
  )
}
