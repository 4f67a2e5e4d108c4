// Imports servers of other applications by one review, which also allows their starts. Nothing is written before the answer, and
// nothing starts by it. The host looks in the known places, or in a folder or file that is named.

import { type ReactNode, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { AppImportChoice, AppImportHost } from '#app/consent/config-import.ts'
import type { RequestResult } from '#app/contract/requests.ts'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { type HostId, hostNames } from '#app/server/import/app-names.ts'
import { nameProblem } from '#app/server/import/review-candidate.ts'
import { ConsentCard } from '#renderer/features/consent/consent-card.tsx'
import { RenameImport } from '#renderer/features/consent/launch/config-import-card.tsx'
import { navigate } from '#renderer/router.ts'
import { useActions, useConsent, useStores } from '#renderer/stores/store-hooks.tsx'
import { Button, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { CancelButton, Dialog } from '#renderer/ui/dialog.tsx'
import { Field, SubmitForm } from '#renderer/ui/field.tsx'
import { PathInput, usePathPicker } from '#renderer/ui/forms/path-field.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { BadNotice, ErrorNotice } from '#renderer/ui/notice.tsx'
import { ServerName } from '#renderer/ui/visible-text.tsx'
import { Busy } from '../connection-test/connection-test-panel.tsx'
import { chosenImports, FoundServers, ImportList, importRows, type RowChange } from './import-list.tsx'
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
      <Field label={t`Or choose a project folder or a file`}>{(ids) => <PathInput {...ids} value={typed} onText={setTyped} />}</Field>
      <span className="row">
        <SmallButton type="submit" disabled={typed.trim() === ''}>
          {t`Search`}
        </SmallButton>
        {pick ? <SmallGhostButton onClick={() => void choose()}>{t`Choose a folder`}</SmallGhostButton> : null}
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
  const only = useStore(importStore, (state) => state.only)
  const start = useRef<HTMLDivElement>(null)
  const importing = useImport({
    only,
    onDone: ([first]) => (first === undefined ? onClose() : navigate({ page: 'servers', name: first })),
    onDenied: onClose,
  })
  useEffect(() => () => importStore.setState({ only: undefined }), [])
  return (
    <Dialog onClose={onClose} width={720} title={t`Import servers`} initialFocus={start} footer={<CancelButton onClick={onClose} />}>
      <div className="stack" ref={start} tabIndex={-1}>
        <ImportReview importing={importing} />
        <LocationForm onLook={importing.lookAt} />
      </div>
    </Dialog>
  )
}

interface ImportStepProps {
  readonly isNow: boolean
  readonly onDone: () => void
  readonly onDenied: () => void
  /** Buttons of the step that import nothing. */
  readonly children: ReactNode
}

/** Servers of other apps on the start page: one line each, then the review of those that are ticked. */
export function ImportStep({ isNow, onDone, onDenied, children }: ImportStepProps) {
  const [reviews, setReviews] = useState(false)
  const importing = useImport({
    asks: reviews,
    onDone,
    onDenied() {
      setReviews(false)
      onDenied()
    },
  })
  if (reviews) return <ImportReview importing={importing} />
  const rows = importing.rows.filter(({ known }) => known === undefined)
  const count = rows.filter(({ chosen }) => chosen).length
  return (
    <>
      {rows.length > 0 && <FoundServers rows={rows} onChange={importing.change} />}
      <div className="row wrap">
        {rows.length > 0 && (
          <Button icon="download" variant={isNow ? 'primary' : 'plain'} disabled={count === 0} onClick={() => setReviews(true)}>
            {t`Import ${count} {server|servers}`}
          </Button>
        )}
        {children}
      </div>
    </>
  )
}

interface ImportOptions {
  /** Application whose servers are shown; undefined: all. */
  readonly only?: HostId | undefined
  /** Whether the person is asked about what is chosen. */
  readonly asks?: boolean
  readonly onDone: (taken: readonly string[]) => void
  readonly onDenied: () => void
}

/** Servers of other apps, and the one question about those that are chosen, which is asked anew when the choice changes. */
function useImport({ only, asks = true, onDone, onDenied }: ImportOptions) {
  const { attempt } = useActions()
  const { servers } = useStores()
  /** Names that were taken when it was looked: what the import itself adds is no other choice. */
  const [here, setHere] = useState<readonly string[]>([])
  const [hosts, setHosts] = useState<readonly AppImportHost[] | undefined>(undefined)
  const [changes, setChanges] = useState<ReadonlyMap<string, RowChange>>(new Map())
  const [error, setError] = useState<ErrorValue | undefined>(undefined)
  const [failed, setFailed] = useState<readonly { name: string; message: string }[]>([])
  const [showsAll, setShowsAll] = useState(false)
  const [place, setPlace] = useState<string | undefined>(undefined)

  const look = useCallback(async (): Promise<void> => {
    setError(undefined)
    const outcome = await attempt('appImport.look', place === undefined ? {} : { place })
    if (!outcome.ok) return setError(outcome.error)
    setHere(servers.getState().list.map(({ name }) => name))
    setHosts(outcome.value.hosts)
    setChanges(new Map())
  }, [attempt, place, servers])
  useEffect(() => void look(), [look])

  const shown = hosts && shownOf(hosts, place, showsAll ? undefined : only)
  const rows = importRows(shown ?? [], here, changes)
  const choices = chosenImports(rows)
  const key = JSON.stringify(choices)
  const onTaken = useEffectEvent(({ outcome, taken, failed: notTaken }: RequestResult<'appImport.take'>) => {
    if (outcome === 'denied') return onDenied()
    if (outcome !== 'allowed') return
    if (notTaken.length === 0) return onDone(taken)
    setFailed(notTaken)
    void look()
  })
  const isReady = asks && choices.length > 0 && rows.every((row) => row.error === undefined)
  useEffect(() => {
    if (!isReady) return
    let gone = false
    setError(undefined)
    void attempt('appImport.take', { servers: JSON.parse(key) as AppImportChoice[] }).then((outcome) => {
      if (gone) return
      if (outcome.ok) onTaken(outcome.value)
      else setError(outcome.error)
    })
    return () => {
      gone = true
    }
  }, [attempt, key, isReady])

  const change = (id: string, next: RowChange): void => setChanges((before) => new Map(before).set(id, { ...before.get(id), ...next }))
  return {
    shown,
    /** Number of files that were found and are not shown. */
    others: countFiles(hosts ?? []) - countFiles(shown ?? []),
    rows,
    isReady,
    error,
    failed,
    change,
    rename(name: string, next: string): string | undefined {
      const row = rows.find((one) => one.chosen && one.name === name)
      const taken = rows.flatMap((one) => (one.chosen && one !== row ? [one.name] : []))
      const problem = nameProblem(next, [...here, ...taken])
      if (row && problem === undefined) change(row.server.id, { name: next })
      return problem
    },
    lookAt: (next: string): void => (next === place ? void look() : setPlace(next)),
    showAll(): void {
      setShowsAll(true)
      setPlace(undefined)
    },
  }
}

/** The one review of an import: what is chosen with its starts, below it what is not. */
function ImportReview({ importing }: { readonly importing: ReturnType<typeof useImport> }) {
  const { shown, others, rows, isReady, error, failed, change, rename, showAll } = importing
  const request = useConsent((state) => state.requests.find((one) => one.kind === 'config-import'))
  return (
    <>
      {error ? <ErrorNotice error={error} /> : null}
      {failed.map(({ name, message }) => (
        <BadNotice key={name} title={tx`${<ServerName name={name} />} was not imported.`}>
          {message}
        </BadNotice>
      ))}
      <Found hosts={shown}>
        {isReady && request ? (
          <RenameImport value={rename}>
            <ConsentCard key={request.id} request={request} />
          </RenameImport>
        ) : isReady && !error ? (
          <Busy>{t`Loading…`}</Busy>
        ) : null}
        <ImportList hosts={shown ?? []} rows={rows} onChange={change} />
      </Found>
      {others > 0 ? (
        <div>
          <SmallButton onClick={showAll}>{t`Show those of other apps too`}</SmallButton>
        </div>
      ) : null}
    </>
  )
}

function Found({ hosts, children }: { readonly hosts: readonly AppImportHost[] | undefined; readonly children: ReactNode }) {
  if (hosts === undefined) return <p role="status">{t`Searching…`}</p>
  if (hosts.length > 0) return children
  return (
    <div className="empty" role="status">
      <p className="strong">{t`No servers found.`}</p>
      <p>{tx`Assent looked for the files of ${everyHost}. Paste others into “Add server”.`}</p>
    </div>
  )
}
