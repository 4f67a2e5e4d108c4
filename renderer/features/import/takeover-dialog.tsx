// Taking servers over from other programs: first which, then one question with the exact commands, which is the same that
// stands among the requests. Nothing is written before its answer, and nothing starts by it.
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { ErrorValue } from '#app/errors.ts'
import { type HostId, hostNames } from '#app/server/import/host-names.ts'
import type { TakeoverHost } from '#app/server/takeover.ts'
import { t } from '#app/words/translate.ts'
import { ConsentCard } from '#renderer/features/consent/consent-card.tsx'
import { navigate } from '#renderer/router.ts'
import { useActions, useConsent, useServers } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { PlaceForm } from './place-form.tsx'
import { choicesOf, type RowChange, takeoverRows } from './takeover-choice.ts'
import { TakeoverList } from './takeover-list.tsx'
import { takingOver } from './taking-over.ts'

const names = Object.entries(hostNames()).flatMap(([id, name]) => (id === 'other' ? [] : [name]))
const everyHost = t`${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** Which of those that were found are shown: of the place that was named, of one program, or all. */
function shownOf(hosts: readonly TakeoverHost[], place: string | undefined, only: HostId | undefined): readonly TakeoverHost[] {
  if (place === undefined) return only === undefined ? hosts : hosts.filter(({ host }) => host === only)
  return hosts.flatMap(({ host, files }) => {
    const asked = files.filter((file) => file.asked)
    return asked.length > 0 ? [{ host, files: asked }] : []
  })
}
const countFiles = (hosts: readonly TakeoverHost[]): number => hosts.reduce((sum, { files }) => sum + files.length, 0)

export function TakeoverDialog({ onClose }: { readonly onClose: () => void }) {
  const { attempt } = useActions()
  const here = useServers((state) => state.list)
  const [hosts, setHosts] = useState<readonly TakeoverHost[] | undefined>(undefined)
  const [changes, setChanges] = useState<ReadonlyMap<string, RowChange>>(new Map())
  const [error, setError] = useState<ErrorValue | undefined>(undefined)
  const [asking, setAsking] = useState(false)
  const [failed, setFailed] = useState<readonly { name: string; message: string }[]>([])
  const request = useConsent((state) => state.requests.find((one) => one.kind === 'config-import'))
  const only = useStore(takingOver, (state) => state.only)
  const [place, setPlace] = useState<string | undefined>(undefined)
  const start = useRef<HTMLButtonElement>(null)

  const look = useCallback(async (): Promise<void> => {
    setError(undefined)
    const outcome = await attempt('takeover.look', place === undefined ? {} : { place })
    if (!outcome.ok) return setError(outcome.error)
    setHosts(outcome.value.hosts)
    setChanges(new Map())
  }, [attempt, place])
  useEffect(() => void look(), [look])
  useEffect(() => () => takingOver.setState({ only: undefined }), [])

  const shown = hosts && shownOf(hosts, place, only)
  const others = countFiles(hosts ?? []) - countFiles(shown ?? [])
  const showAll = (): void => {
    takingOver.setState({ only: undefined })
    setPlace(undefined)
  }
  const rows = takeoverRows(
    shown ?? [],
    here.map(({ name }) => name),
    changes,
  )
  const choices = choicesOf(rows)
  const ready = choices.length > 0 && rows.every((row) => row.error === undefined)
  const take = async (): Promise<void> => {
    if (asking || !ready) return
    setAsking(true)
    setError(undefined)
    setFailed([])
    const outcome = await attempt('takeover.take', { servers: choices })
    setAsking(false)
    if (!outcome.ok) return setError(outcome.error)
    const { taken, failed: notTaken } = outcome.value
    if (notTaken.length > 0) {
      setFailed(notTaken)
      void look()
    } else if (taken[0] !== undefined) navigate({ page: 'servers', name: taken[0] })
  }

  return (
    <Dialog
      open
      onClose={onClose}
      width={720}
      title={t`Take over servers`}
      initialFocus={start}
      footer={
        <>
          <span className="help grow wide-only">{t`Nothing starts by it. Each is asked for before it first runs.`}</span>
          <Button ref={start} variant="ghost" onClick={onClose}>
            {t`Cancel`}
          </Button>
          {asking ? null : (
            <Button variant="primary" aria-disabled={!ready} onClick={() => void take()}>
              {choices.length > 1 ? t`Continue with ${choices.length} servers` : t`Continue`}
            </Button>
          )}
        </>
      }
    >
      <div className="stack">
        {error ? <ErrorNotice error={error} /> : null}
        {failed.map(({ name, message }) => (
          <Notice key={name} tone="bad" title={t`“${name}” was not taken over.`}>
            {message}
          </Notice>
        ))}
        {asking ? (
          request ? (
            <ConsentCard request={request} />
          ) : null
        ) : (
          <>
            <Found hosts={shown}>
              <TakeoverList
                hosts={shown ?? []}
                rows={rows}
                onChange={(id, change) => setChanges((before) => new Map(before).set(id, { ...before.get(id), ...change }))}
              />
              {others > 0 ? (
                <div>
                  <Button size="sm" onClick={showAll}>
                    {place === undefined ? t`Show those of other apps too` : t`Show those of apps too`}
                  </Button>
                </div>
              ) : null}
            </Found>
            <PlaceForm onLook={(next) => (next === place ? void look() : setPlace(next))} />
          </>
        )}
      </div>
    </Dialog>
  )
}

function Found({ hosts, children }: { readonly hosts: readonly TakeoverHost[] | undefined; readonly children: ReactNode }) {
  if (hosts === undefined) return <p role="status">{t`Looking…`}</p>
  if (hosts.length > 0) return children
  return (
    <div className="empty" role="status">
      <p className="strong">{t`No servers of other programs were found.`}</p>
      <p>{tx`Assent looked for the files of ${everyHost}. What stands elsewhere can be pasted into “Add a server”.`}</p>
    </div>
  )
}
