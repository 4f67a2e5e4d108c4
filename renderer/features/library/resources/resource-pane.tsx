// One resource: read when the person opens it, by its server; a server that does not run is started only when they say so. A resource
// whose server reports a change is read again, one reading at a time, and the text before the change stays to be compared.

import { useCallback, useEffect, useRef, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import { formatWhen } from '#app/i18n/format-dates.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import type { ResourceEntry } from '#app/server/catalogue.ts'
import type { ShownContent } from '#app/server/library-listing.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { useAttaching } from '#renderer/features/chat/attachments/use-attaching.ts'
import { ContentView } from '#renderer/features/chat/results/content-view.tsx'
import { DiffView } from '#renderer/features/consent/tool-call/diff-view.tsx'
import { clockTime } from '#renderer/features/servers/log/log-lines.ts'
import { navigate } from '#renderer/router.ts'
import type { ResourceUpdates } from '#renderer/stores/servers-store.ts'
import { useActions, useServers } from '#renderer/stores/store-hooks.tsx'
import { Button, SmallButton } from '#renderer/ui/button.tsx'
import { Switch } from '#renderer/ui/field.tsx'
import { Spinner } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { ErrorNotice, Notice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { PaneHead, ServerSays, useCurrentChat } from '../library-frame.tsx'
import { labelOf, pathOf } from '../list/resource-path.ts'

const notWords = { bytes: t`No model reads such data.`, unread: t`No longer kept. Read it again.` } as const

interface AttachFootProps {
  readonly server: string
  readonly uri: string
  readonly name: string
  /** Reason why it cannot be attached: no model reads it, or the server did not give it. */
  readonly not: keyof typeof notWords | undefined
  /** SHA-256 of the skill’s text, as it is shown; absent: it is no skill. */
  readonly skill?: string | undefined
}

/** Attaches the resource to a chat, as `@` in the composer does. */
export function AttachFoot({ server, uri, name, not, skill }: AttachFootProps) {
  const { toast } = useActions()
  const chat = useCurrentChat()
  const here = useAttaching(chat?.id ?? '')
  const fresh = useAttaching('')
  const toChat = async (id: string): Promise<void> => {
    if (!(await here.addResource(server, uri, name, skill))) return
    toast(t`${name} is attached.`, { action: { label: t`Open chat`, run: () => navigate({ page: 'chat', id }) } })
  }
  const toNewChat = async (): Promise<void> => {
    if (await fresh.addResource(server, uri, name, skill)) navigate({ page: 'chat' })
  }
  const busy = here.pending.length + fresh.pending.length > 0
  const off = not !== undefined || busy
  return (
    <footer className="foot">
      {chat && (
        <Button aria-disabled={off} onClick={() => !off && void toChat(chat.id)}>
          <span className="cut">{tx`Attach to “${chat.title}”`}</span>
        </Button>
      )}
      <Button variant={chat ? 'ghost' : 'plain'} aria-disabled={off} onClick={() => !off && void toNewChat()}>
        {t`Attach to a new chat`}
      </Button>
      <span className="grow" />
      <span className="help wide-only">{not === undefined ? '' : notWords[not]}</span>
    </footer>
  )
}

/** Subscribes to a resource (MCP, `resources/subscribe`), and says what the server reported since. */
function SubscribeSwitch({ server, uri, name }: { readonly server: ServerSummary; readonly uri: string; readonly name: string }) {
  const { go } = useActions()
  const updates = useServers((state) => state.updates[server.name]?.[uri])
  const checked = server.subscriptions?.includes(uri) ?? false
  if (server.state.kind !== 'ready' || !server.session?.offers?.includes('resource-subscriptions')) return null
  const set = (on: boolean): void => go(on ? 'server.subscribeResource' : 'server.unsubscribeResource', { name: server.name, uri })
  return (
    <div className="subscribe">
      <Switch
        checked={checked}
        onChange={set}
        label={
          <>
            {t`Subscribe`}
            <VisibleText className="sr" text={` ${name}`} />
          </>
        }
      />
      {checked && updates ? <span className="faint help num">{t`Changed at ${clockTime(updates.last)}.`}</span> : null}
    </div>
  )
}

interface ReadResource {
  readonly contents: readonly ShownContent[]
  /** Number of contents that are not shown. */
  readonly left: number
  /** Time of the reading, in ms since 1970. */
  readonly at: number
}

interface ResourceReading {
  readonly now?: ReadResource
  readonly before?: ReadResource
  readonly error?: ErrorValue
  readonly busy: boolean
}

const isSame = (a: ReadResource, b: ReadResource): boolean =>
  a.contents.length === b.contents.length && a.contents.every(({ blob }, at) => blob.sha256 === b.contents[at]?.blob.sha256)

const withRead = ({ now, before }: ResourceReading, next: ReadResource): ResourceReading => {
  const changed = now !== undefined && !isSame(now, next)
  const old = changed ? now : before
  return { now: next, busy: false, ...(old === undefined ? {} : { before: old }) }
}

/** `wanted`: reads without being asked. `updates`: number of changes that the server reported. */
export function useResource(server: string, uri: string, wanted: boolean, updates: number, skill?: true) {
  const { attempt, go } = useActions()
  const [state, setState] = useState<ResourceReading>({ busy: false })
  const running = useRef<string | undefined>(undefined)
  const again = useRef<boolean>(false)
  const gone = useRef<boolean>(false)

  const read = useCallback(() => {
    if (running.current !== undefined) {
      again.current = true
      return
    }
    const work = async (): Promise<void> => {
      do {
        again.current = false
        const fetch = crypto.randomUUID()
        running.current = fetch
        setState((before) => ({ ...before, busy: true }))
        const outcome = await attempt('library.read', { fetch, server, uri, ...defined({ skill }) })
        if (gone.current) return
        setState((before) =>
          outcome.ok ? withRead(before, { ...outcome.value, at: Date.now() }) : { ...before, error: outcome.error, busy: false },
        )
      } while (again.current)
      running.current = undefined
    }
    void work()
  }, [attempt, server, uri, skill])

  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
      if (running.current !== undefined) go('mention.cancel', { fetch: running.current })
      running.current = undefined
    }
  }, [go])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each reported change is a reason to read
  useEffect(() => {
    if (wanted) read()
  }, [wanted, read, updates])

  return { ...state, read }
}

/** Limit in characters of both texts for a comparison by line. */
const mostCompared = 200_000

/** Changes by content: line by line where both are text, by size where they are not. */
function ChangeView({ before, now }: { readonly before: ReadResource; readonly now: ReadResource }) {
  const uris = [...new Set([...before.contents, ...now.contents].map(({ uri }) => uri))]
  return uris.map((uri) => {
    const [old, next] = [before, now].map(({ contents }) => contents.find((content) => content.uri === uri))
    if (old?.blob.sha256 === next?.blob.sha256) return null
    return (
      <div key={uri} className="sec">
        {uris.length > 1 && <VisibleText className="label mono" text={uri} />}
        <ContentChange before={old} now={next} />
      </div>
    )
  })
}

function ContentChange({ before, now }: Record<'before' | 'now', ShownContent | undefined>) {
  const [old, next] = [before, now].map((content) => (content ? content.text : ''))
  if (old !== undefined && next !== undefined && old.length + next.length <= mostCompared && !before?.cut && !now?.cut)
    return <DiffView before={old} after={next} label={t`What changed`} />
  return (
    <p className="help">
      {tx`${before ? formatBytes(before.blob.bytes) : t`none`} before, ${now ? formatBytes(now.blob.bytes) : t`gone`} now.`}
    </p>
  )
}

interface ResourceFacts {
  readonly server: string
  readonly entry: ResourceEntry | undefined
  readonly read: ReadResource | undefined
  readonly live: boolean
  readonly updates: ResourceUpdates | undefined
  readonly now: number
}

/** "docs · text/markdown · 3 kB · changed 4 min ago". */
function resourceFacts({ server, entry, read, live, updates, now }: ResourceFacts): string {
  const type = read?.contents[0]?.mimeType ?? entry?.mimeType
  const bytes = read ? read.contents.reduce((sum, { blob }) => sum + blob.bytes, 0) : entry?.size
  const parts = read && read.contents.length > 1 ? t`${read.contents.length} {item|items}` : undefined
  const said = Date.parse(entry?.annotations?.lastModified ?? '')
  const changed = updates?.last ?? (Number.isNaN(said) || said > now ? undefined : said)
  const when = changed === undefined ? undefined : t`changed ${formatWhen(changed, now)}`
  const words = [when, live ? t`live` : undefined].filter(Boolean).join(', ')
  return [server, type, parts, bytes === undefined ? undefined : formatBytes(bytes), words || undefined].filter(Boolean).join(' · ')
}

function attachCostLabel(read: ReadResource): string {
  const counts = read.contents.map(({ tokens }) => tokens)
  if (counts.every((count) => count === undefined)) return t`No model reads such data.`
  const sum = counts.reduce<number>((total, count) => total + (count ?? 0), 0)
  return t`About ${formatNumber(sum)} tokens when attached.`
}

/** The resource's entry in the server's list; undefined where it has none, or until it is known. */
function useEntry(server: string, uri: string, revision: number): ResourceEntry | undefined {
  return useHostAnswer('library.resource', { server, uri }, revision).value?.resource ?? undefined
}

export function ResourcePane({ server, uri }: { readonly server: ServerSummary; readonly uri: string }) {
  const { name } = server
  const updates = useServers((state) => state.updates[name]?.[uri])
  const entry = useEntry(name, uri, server.catalogueRevision)
  const runs = server.state.kind === 'ready'
  const live = server.subscriptions?.includes(uri) ?? false
  const reading = useResource(name, uri, runs, updates?.times ?? 0)
  const now = useNow(30_000)
  const label = labelOf(entry ?? { uri, name: uri })
  const facts = resourceFacts({ server: name, entry, read: reading.now, live, updates, now })
  return (
    <section className="b" aria-label={label}>
      <div className="in">
        <PaneHead title={label} address={uri} />
        <div className="row wrap facts">
          <VisibleText as="p" className="dim num" text={facts} />
          {reading.busy && <Spinner label={t`Loading…`} />}
          <SubscribeSwitch server={server} uri={uri} name={label} />
        </div>
        <ServerSays text={entry?.description} />
        {!runs && !reading.now && !reading.busy && (
          <Notice title={t`“${name}” is not running.`} action={<Button onClick={reading.read}>{t`Start`}</Button>}>
            {t`last seen`}
          </Notice>
        )}
        {reading.error && <ErrorNotice error={reading.error} onRetry={reading.read} />}
        {reading.before && reading.now && <Changed before={reading.before} now={reading.now} />}
        {reading.now && <Contents read={reading.now} label={label} />}
      </div>
      <AttachFoot server={name} uri={uri} name={label} not={notAttached(reading)} />
    </section>
  )
}

/** A resource that could not be read now could not be read for a message either. */
export function notAttached({ now, error }: ResourceReading): AttachFootProps['not'] {
  if (error) return 'unread'
  return now?.contents.every(({ tokens }) => tokens === undefined) ? 'bytes' : undefined
}

function Changed({ before, now }: { readonly before: ReadResource; readonly now: ReadResource }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Notice
        icon="refresh"
        title={t`Changed at ${clockTime(now.at)}.`}
        action={
          <SmallButton aria-expanded={open} onClick={() => setOpen(!open)}>
            {t`What changed`}
          </SmallButton>
        }
      />
      {open && <ChangeView before={before} now={now} />}
    </>
  )
}

export function Contents({ read, label }: { readonly read: ReadResource; readonly label: string }) {
  if (read.contents.length === 0) return <p className="help">{t`It is empty.`}</p>
  return (
    <>
      {read.contents.map((content, index) => (
        <div key={`${String(index)} ${content.uri}`} className="sec">
          {read.contents.length > 1 && <VisibleText className="label mono wrap-any" text={content.uri} />}
          <ContentView content={content} name={fileName(content.uri, label)} />
        </div>
      ))}
      {read.left > 0 && <p className="help">{tx`${formatNumber(read.left)} more`}</p>}
      <p className="help num">{attachCostLabel(read)}</p>
    </>
  )
}

/** Name for a file: the end of the address where that has an extension, else the resource's name. */
const fileName = (uri: string, label: string): string => {
  const { last } = pathOf(uri)
  return /\.[a-z0-9]{1,10}$/i.test(last) ? last : label
}
