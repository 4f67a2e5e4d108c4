// Takes servers over from other applications: first the choice, then one consent request with the exact commands. Nothing is
// written before the answer, and nothing starts by it. The host looks in the known places, or in a folder or file that is named.

import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { AppImportHost } from '#app/consent/config-import.ts'
import { t } from '#app/i18n/translate.ts'
import { type HostId, hostNames } from '#app/server/import/app-names.ts'
import { ConsentCard } from '#renderer/features/consent/consent-card.tsx'
import { navigate } from '#renderer/router.ts'
import { useActions, useConsent, useServers } from '#renderer/stores/store-hooks.tsx'
import { Button, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Field, SubmitForm } from '#renderer/ui/field.tsx'
import { PathInput, usePathPicker } from '#renderer/ui/forms/path-field.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useSubmit } from '#renderer/ui/lib/use-host-answer.ts'
import { BadNotice, ErrorNotice } from '#renderer/ui/notice.tsx'
import { chosenImports, ImportList, importRows, type RowChange } from './import-list.tsx'
import { importStore } from './import-suggestion.tsx'

function LocationForm({ onLook }: { readonly onLook: (place: string) => void }) {
  const pick = usePathPicker('folder', t`A project with servers`)
  const [typed, setTyped] = useState('')
  const look = (): void => {
    if (typed.trim() !== '') onLook(typed.trim())
  }
  const choose = async (): Promise<void> => {
    const chosen = await pick?.()
    if (!chosen) return
    setTyped(chosen)
    onLook(chosen)
  }
  return (
    <SubmitForm className="place-form" onSubmit={look}>
      <Field label={t`Or look in a project’s folder, or a file`} help={t`.vscode/mcp.json, .mcp.json, .cursor/mcp.json and the like.`}>
        {(ids) => <PathInput {...ids} value={typed} onText={setTyped} />}
      </Field>
      <span className="row">
        <SmallButton type="submit" disabled={typed.trim() === ''}>
          {t`Look there`}
        </SmallButton>
        {pick ? <SmallGhostButton onClick={() => void choose()}>{t`Choose a folder…`}</SmallGhostButton> : null}
      </span>
    </SubmitForm>
  )
}

const names = Object.entries(hostNames()).flatMap(([id, name]) => (id === 'other' ? [] : [name]))
const everyHost = t`${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** Found servers that are shown: those of the named place, of one application, or all. */
function shownOf(hosts: readonly AppImportHost[], place: string | undefined, only: HostId | undefined): readonly AppImportHost[] {
  if (place === undefined) return only === undefined ? hosts : hosts.filter(({ host }) => host === only)
  return hosts.flatMap(({ host, files }) => {
    const asked = files.filter((file) => file.asked)
    return asked.length > 0 ? [{ host, files: asked }] : []
  })
}
const countFiles = (hosts: readonly AppImportHost[]): number => hosts.reduce((sum, { files }) => sum + files.length, 0)

export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { shown, others, place, rows, count, ready, error, failed, asking, change, lookAt, showAll, take } = useTakeover()
  const request = useConsent((state) => state.requests.find((one) => one.kind === 'config-import'))
  const start = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
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
              {count > 1 ? t`Continue with ${count} servers` : t`Continue`}
            </Button>
          )}
        </>
      }
    >
      <div className="stack">
        {error ? <ErrorNotice error={error} /> : null}
        {failed.map(({ name, message }) => (
          <BadNotice key={name} title={t`“${name}” was not taken over.`}>
            {message}
          </BadNotice>
        ))}
        {asking ? (
          request ? (
            <ConsentCard request={request} />
          ) : null
        ) : (
          <>
            <Found hosts={shown}>
              <ImportList hosts={shown ?? []} rows={rows} onChange={change} />
              {others > 0 ? (
                <div>
                  <SmallButton onClick={showAll}>
                    {place === undefined ? t`Show those of other apps too` : t`Show those of apps too`}
                  </SmallButton>
                </div>
              ) : null}
            </Found>
            <LocationForm onLook={lookAt} />
          </>
        )}
      </div>
    </Dialog>
  )
}

function useTakeover() {
  const { attempt } = useActions()
  const here = useServers((state) => state.list)
  const [hosts, setHosts] = useState<readonly AppImportHost[] | undefined>(undefined)
  const [changes, setChanges] = useState<ReadonlyMap<string, RowChange>>(new Map())
  const { busy: asking, error, setError, submit } = useSubmit()
  const [failed, setFailed] = useState<readonly { name: string; message: string }[]>([])
  const only = useStore(importStore, (state) => state.only)
  const [place, setPlace] = useState<string | undefined>(undefined)

  const look = useCallback(async (): Promise<void> => {
    setError(undefined)
    const outcome = await attempt('appImport.look', place === undefined ? {} : { place })
    if (!outcome.ok) return setError(outcome.error)
    setHosts(outcome.value.hosts)
    setChanges(new Map())
  }, [attempt, place, setError])
  useEffect(() => void look(), [look])
  useEffect(() => () => importStore.setState({ only: undefined }), [])

  const shown = hosts && shownOf(hosts, place, only)
  const rows = importRows(
    shown ?? [],
    here.map(({ name }) => name),
    changes,
  )
  const choices = chosenImports(rows)
  const ready = choices.length > 0 && rows.every((row) => row.error === undefined)
  const take = async (): Promise<void> => {
    if (asking || !ready) return
    setError(undefined)
    setFailed([])
    const outcome = await submit('appImport.take', { servers: choices })
    if (!outcome.ok) return
    const { taken, failed: notTaken } = outcome.value
    if (notTaken.length > 0) {
      setFailed(notTaken)
      void look()
    } else if (taken[0] !== undefined) navigate({ page: 'servers', name: taken[0] })
  }

  return {
    shown,
    /** Number of files that were found and are not shown. */
    others: countFiles(hosts ?? []) - countFiles(shown ?? []),
    /** Named path; undefined: the usual places. */
    place,
    rows,
    count: choices.length,
    ready,
    error,
    failed,
    asking,
    change: (id: string, change: RowChange): void => setChanges((before) => new Map(before).set(id, { ...before.get(id), ...change })),
    lookAt: (next: string): void => (next === place ? void look() : setPlace(next)),
    showAll(): void {
      importStore.setState({ only: undefined })
      setPlace(undefined)
    },
    take,
  }
}

function Found({ hosts, children }: { readonly hosts: readonly AppImportHost[] | undefined; readonly children: ReactNode }) {
  if (hosts === undefined) return <p role="status">{t`Looking…`}</p>
  if (hosts.length > 0) return children
  return (
    <div className="empty" role="status">
      <p className="strong">{t`No servers of other programs were found.`}</p>
      <p>{tx`Assent looked for the files of ${everyHost}. What stands elsewhere can be pasted into “Add a server”.`}</p>
    </div>
  )
}
