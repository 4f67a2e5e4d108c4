// One resource looked at. It is read when the person opens it, through the server that offers it; a server that does not run is
// started only when they say so.

import { useEffect, useState } from 'react'
import type { ResourceEntry } from '#app/server/catalogue.ts'
import type { ServerView } from '#app/server/view.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { clockTime } from '#renderer/features/servers/log-lines.ts'
import { useActions, useServers } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { useNow } from '#renderer/ui/use-now.ts'
import { PaneHead, ServerSays } from '../pane-head.tsx'
import { ContentView } from '../preview/content-view.tsx'
import { AttachFoot } from './attach-foot.tsx'
import { ChangeView } from './change-view.tsx'
import { resourceFacts, tokenWords } from './resource-facts.ts'
import { labelOf, pathOf } from './resource-path.ts'
import { SubscribeSwitch } from './subscribe-switch.tsx'
import { type Reading, type ReadResource, useReading } from './use-reading.ts'

interface ResourcePaneProps {
  readonly server: ServerView
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
  const reading = useReading(name, uri, runs, updates?.times ?? 0)
  const now = useNow(30_000)
  const label = labelOf(entry ?? { uri, name: uri })
  const facts = resourceFacts({ server: name, entry, read: reading.now, live, updates, now })
  return (
    <section className="b" aria-label={label}>
      <div className="in">
        <PaneHead title={label} address={uri} />
        <div className="row wrap facts">
          <p className="dim num">
            <Revealed text={facts} />
          </p>
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
function notAttached({ now, error }: Reading): 'bytes' | 'unread' | undefined {
  if (error) return 'unread'
  return now?.contents.every(({ tokens }) => tokens === undefined) ? 'bytes' : undefined
}

function NotRunning({ server, onRead }: { readonly server: ServerView; readonly onRead: () => void }) {
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
          {read.contents.length > 1 && (
            <span className="label mono wrap-any">
              <Revealed text={content.uri} />
            </span>
          )}
          <ContentView content={content} name={fileName(content.uri, label)} />
        </div>
      ))}
      {read.left > 0 && <p className="help">{tx`${numberWords(read.left)} more parts are not shown.`}</p>}
      <p className="help num">{tokenWords(read)}</p>
    </>
  )
}

/** For a file of it: the end of its address, where that has an ending; else what it is called. */
const fileName = (uri: string, label: string): string => {
  const { last } = pathOf(uri)
  return /\.[a-z0-9]{1,10}$/i.test(last) ? last : label
}
