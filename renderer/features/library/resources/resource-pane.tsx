// One resource looked at. It is read when the person opens it, through the server that offers it; a server that does not run is
// started only when they say so. What is known of a resource, on one line. What changed between two readings of a resource:
// line by line where both are text, by size where they are not. A resource as it was last read. Where the server tells that it
// changed, it is read again, one reading at a time; what it said before stays to be compared. What can be done with what is
// shown: it goes into a chat, as the composer's `@` does it, or to a file.

import { useCallback, useEffect, useRef, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
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
import { useActions, useServers, useStores } from '#renderer/stores/store-hooks.tsx'
import { showToast } from '#renderer/stores/view-state.ts'
import { Spinner } from '#renderer/ui/badges.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Switch } from '#renderer/ui/choices.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { PaneHead, ServerSays } from '../library-frame.tsx'
import { labelOf, pathOf } from '../list/resource-path.ts'
import { useCurrentChat } from '../use-current-chat.ts'

interface AttachFootProps {
  readonly server: string
  readonly uri: string
  readonly name: string
  /** Why it cannot be attached: no model reads it, or the server did not give it. */
  readonly not?: 'bytes' | 'unread' | undefined
}

const notWords = { bytes: t`No model reads such bytes`, unread: t`It could not be read` } as const

function AttachFoot({ server, uri, name, not }: AttachFootProps) {
  const { view } = useStores()
  const chat = useCurrentChat()
  const here = useAttaching(chat?.id ?? '')
  const fresh = useAttaching('')
  const toChat = async (id: string): Promise<void> => {
    if (!(await here.addResource(server, uri, name))) return
    showToast(view, t`${name} is attached.`, { action: { label: t`Go to the chat`, run: () => navigate({ page: 'chat', id }) } })
  }
  const toNewChat = async (): Promise<void> => {
    if (await fresh.addResource(server, uri, name)) navigate({ page: 'chat' })
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
      <span className="help wide-only">{not === undefined ? t`Links inside are never opened by themselves` : notWords[not]}</span>
    </footer>
  )
}

function resourceUpdateLabel({ times, last }: ResourceUpdates): string {
  if (times === 1) return t`changed at ${clockTime(last)}`
  return t`changed ${formatNumber(times)} times, last ${clockTime(last)}`
}

/** Whether a server is asked to tell of changes of one resource, and what it told this page so far. */
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
            <span className="sr"> {tx`to ${<VisibleText text={name} />}`}</span>
          </>
        }
      />
      {checked && updates ? <span className="faint help num">{resourceUpdateLabel(updates)}</span> : null}
    </div>
  )
}

interface ReadResource {
  readonly contents: readonly ShownContent[]
  /** Contents that are not shown. */
  readonly left: number
  readonly at: number
}

interface ResourceReading {
  readonly now: ReadResource | undefined
  /** What it said before its last change. */
  readonly before: ReadResource | undefined
  readonly error: ErrorValue | undefined
  readonly busy: boolean
  readonly read: () => void
}

interface State {
  readonly now?: ReadResource
  readonly before?: ReadResource
  readonly error?: ErrorValue
  readonly busy: boolean
}

/** The same bytes in the same order. */
const isSame = (a: ReadResource, b: ReadResource): boolean =>
  a.contents.length === b.contents.length && a.contents.every(({ blob }, at) => blob.sha256 === b.contents[at]?.blob.sha256)

const withRead = ({ now, before }: State, next: ReadResource): State => {
  const changed = now !== undefined && !isSame(now, next)
  const old = changed ? now : before
  return { now: next, busy: false, ...(old === undefined ? {} : { before: old }) }
}

/** `wanted`: read by itself. `updates`: counts up with each word of the server that it changed. */
function useResource(server: string, uri: string, wanted: boolean, updates: number): ResourceReading {
  const { attempt, go } = useActions()
  const [state, setState] = useState<State>({ busy: false })
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
        const outcome = await attempt('offer.read', { fetch, server, uri })
        if (gone.current) return
        setState((before) =>
          outcome.ok ? withRead(before, { ...outcome.value, at: Date.now() }) : { ...before, error: outcome.error, busy: false },
        )
      } while (again.current)
      running.current = undefined
    }
    void work()
  }, [attempt, server, uri])

  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
      if (running.current !== undefined) go('offer.cancel', { fetch: running.current })
      running.current = undefined
    }
  }, [go])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each word of the server is a reason to read
  useEffect(() => {
    if (wanted) read()
  }, [wanted, read, updates])

  return { now: state.now, before: state.before, error: state.error, busy: state.busy, read }
}

/** Characters of both together that are compared by line. */
const mostCompared = 200_000

function ChangeView({ before, now }: { readonly before: ReadResource; readonly now: ReadResource }) {
  const uris = [...new Set([...before.contents, ...now.contents].map(({ uri }) => uri))]
  return uris.map((uri) => (
    <ContentChange
      key={uri}
      uri={uri}
      one={uris.length === 1}
      before={before.contents.find((content) => content.uri === uri)}
      now={now.contents.find((content) => content.uri === uri)}
    />
  ))
}

interface ContentChangeProps {
  readonly uri: string
  readonly one: boolean
  readonly before: ShownContent | undefined
  readonly now: ShownContent | undefined
}

function ContentChange({ uri, one, before, now }: ContentChangeProps) {
  if (before?.blob.sha256 === now?.blob.sha256) return null
  const texts = { before: before ? before.text : '', after: now ? now.text : '' }
  const { before: old, after } = texts
  const canCompare = old !== undefined && after !== undefined && old.length + after.length <= mostCompared && !before?.cut && !now?.cut
  return (
    <div className="sec">
      {!one && <VisibleText className="label mono" text={uri} />}
      {canCompare ? (
        <DiffView before={old} after={after} label={t`What changed`} />
      ) : (
        <p className="help">
          {tx`${before ? formatBytes(before.blob.bytes) : t`Not there`} before, ${now ? formatBytes(now.blob.bytes) : t`gone`} now. It is not compared line by line.`}
        </p>
      )}
    </div>
  )
}

const ago = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return t`just now`
  if (minutes < 60) return t`${minutes} min ago`
  return minutes < 1440 ? t`${Math.floor(minutes / 60)} h ago` : t`${Math.floor(minutes / 1440)} days ago`
}

interface KnownOfResource {
  readonly server: string
  readonly entry: ResourceEntry | undefined
  readonly read: ReadResource | undefined
  readonly live: boolean
  readonly updates: ResourceUpdates | undefined
  readonly now: number
}

function resourceFacts({ server, entry, read, live, updates, now }: KnownOfResource): string {
  const type = read?.contents[0]?.mimeType ?? entry?.mimeType
  const bytes = read ? read.contents.reduce((sum, { blob }) => sum + blob.bytes, 0) : entry?.size
  const parts = read && read.contents.length > 1 ? t`${read.contents.length} parts` : undefined
  const said = Date.parse(entry?.annotations?.lastModified ?? '')
  const changed = updates?.last ?? (Number.isNaN(said) || said > now ? undefined : said)
  const when = changed === undefined ? undefined : t`changed ${ago(now - changed)}`
  const words = [when, live ? t`updates by itself` : undefined].filter(Boolean).join(', ')
  return [server, type, parts, bytes === undefined ? undefined : formatBytes(bytes), words || undefined].filter(Boolean).join(' · ')
}

/** What it costs to attach. */
function attachCostLabel(read: ReadResource): string {
  const counts = read.contents.map(({ tokens }) => tokens)
  if (counts.every((count) => count === undefined)) return t`No model reads it.`
  const sum = counts.reduce<number>((total, count) => total + (count ?? 0), 0)
  return t`Attached, the model gets it as it is, about ${formatNumber(sum)} tokens.`
}

interface ResourcePaneProps {
  readonly server: ServerSummary
  readonly uri: string
}

/** What the list says of it; undefined where it is not in the list (or not yet known). */
function useEntry(server: string, uri: string, revision: number): ResourceEntry | undefined {
  const { attempt } = useActions()
  const [entry, setEntry] = useState<ResourceEntry | undefined>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list is a reason to ask again
  useEffect(() => {
    let gone = false
    void attempt('offer.resource', { server, uri }).then((outcome) => {
      if (!gone && outcome.ok) setEntry(outcome.value.resource ?? undefined)
    })
    return () => {
      gone = true
    }
  }, [attempt, server, uri, revision])
  return entry
}

export function ResourcePane({ server, uri }: ResourcePaneProps) {
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
          {reading.busy && <Spinner label={t`Reading`} />}
          <SubscribeSwitch server={server} uri={uri} name={label} />
        </div>
        <ServerSays text={entry?.description} />
        {!runs && !reading.now && !reading.busy && <NotRunning server={server} onRead={reading.read} />}
        {reading.error && <ErrorNotice error={reading.error} onRetry={reading.read} />}
        {reading.before && reading.now && <Changed before={reading.before} now={reading.now} />}
        {reading.now && <Contents read={reading.now} label={label} />}
      </div>
      <AttachFoot server={name} uri={uri} name={label} not={notAttached(reading)} />
    </section>
  )
}

/** What the server did not give now it would not give to a message either. */
function notAttached({ now, error }: ResourceReading): 'bytes' | 'unread' | undefined {
  if (error) return 'unread'
  return now?.contents.every(({ tokens }) => tokens === undefined) ? 'bytes' : undefined
}

function NotRunning({ server, onRead }: { readonly server: ServerSummary; readonly onRead: () => void }) {
  return (
    <Notice title={t`“${server.name}” does not run.`} action={<Button onClick={onRead}>{t`Start it and read`}</Button>}>
      {t`What is listed is from when it was last seen.`}
    </Notice>
  )
}

function Changed({ before, now }: { readonly before: ReadResource; readonly now: ReadResource }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Notice
        icon="refresh"
        title={t`Changed at ${clockTime(now.at)}.`}
        action={
          <Button size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? t`Hide what changed` : t`Show what changed`}
          </Button>
        }
      />
      {open && <ChangeView before={before} now={now} />}
    </>
  )
}

function Contents({ read, label }: { readonly read: ReadResource; readonly label: string }) {
  if (read.contents.length === 0) return <p className="help">{t`The server gave nothing for it.`}</p>
  return (
    <>
      {read.contents.map((content, index) => (
        <div key={`${String(index)} ${content.uri}`} className="sec">
          {read.contents.length > 1 && <VisibleText className="label mono wrap-any" text={content.uri} />}
          <ContentView content={content} name={fileName(content.uri, label)} />
        </div>
      ))}
      {read.left > 0 && <p className="help">{tx`${formatNumber(read.left)} more parts are not shown.`}</p>}
      <p className="help num">{attachCostLabel(read)}</p>
    </>
  )
}

/** For a file of it: the end of its address, where that has an ending; else what it is called. */
const fileName = (uri: string, label: string): string => {
  const { last } = pathOf(uri)
  return /\.[a-z0-9]{1,10}$/i.test(last) ? last : label
}
