import type { ServerView } from '#app/server/view.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { clockTime } from '#renderer/features/servers/log-lines.ts'
import { useActions, useServers } from '#renderer/stores/react.tsx'
import type { ResourceUpdates } from '#renderer/stores/servers.ts'
import { Switch } from '#renderer/ui/choices.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'

export function updateWords({ times, last }: ResourceUpdates): string {
  if (times === 1) return t`changed at ${clockTime(last)}`
  return t`changed ${numberWords(times)} times, last ${clockTime(last)}`
}

/** Whether a server is asked to tell of changes of one resource, and what it told this page so far. */
export function SubscribeSwitch({ server, uri, name }: { readonly server: ServerView; readonly uri: string; readonly name: string }) {
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
            <span className="sr"> {tx`to ${<Revealed text={name} />}`}</span>
          </>
        }
      />
      {checked && updates ? <span className="faint help num">{updateWords(updates)}</span> : null}
    </div>
  )
}
