// The record, page by page from its newest row; what is added while it is open is fetched when something was decided.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { AuditRow } from '#app/consent/audit.ts'
import type { ErrorValue } from '#app/errors.ts'
import { useActions, useStores } from '#renderer/stores/react.tsx'
import { mergeRows } from './record-words.ts'

export const pageSize = 100

export interface AuditPages {
  readonly rows: readonly AuditRow[]
  readonly loading: boolean
  readonly loaded: boolean
  /** All rows down to the first one are here. */
  readonly complete: boolean
  readonly error: ErrorValue | undefined
  readonly more: () => void
  readonly retry: () => void
}

const freshEvents = new Set(['consent.opened', 'consent.closed', 'toolCall.changed', 'rules.changed', 'server.changed', 'models.changed'])
const settleMs = 400

export function useAudit(): AuditPages {
  const { attempt } = useActions()
  const { link } = useStores()
  const [rows, setRows] = useState<readonly AuditRow[]>([])
  const [state, setState] = useState<{
    readonly loading: boolean
    readonly loaded: boolean
    readonly complete: boolean
    readonly error: ErrorValue | undefined
  }>({
    loading: true,
    loaded: false,
    complete: false,
    error: undefined,
  })
  const gone = useRef<boolean>(false)

  const fetchPage = useCallback(
    async (before: number | undefined): Promise<void> => {
      setState((now) => ({ ...now, loading: true, error: undefined }))
      const outcome = await attempt('audit.list', { limit: pageSize, ...(before === undefined ? {} : { before }) })
      if (gone.current) return
      if (!outcome.ok) {
        setState((now) => ({ ...now, loading: false, error: outcome.error }))
        return
      }
      const page = outcome.value.rows
      setRows((known) => {
        // More than a page was added since: the old rows no longer join on, so the record is shown anew from its top.
        const oldestNew = page.at(-1)?.seq ?? 0
        const newestKnown = known[0]?.seq ?? 0
        return before === undefined && known.length > 0 && oldestNew > newestKnown + 1 ? page : mergeRows(known, page)
      })
      const atFirst = page.length < pageSize
      setState((now) => ({
        loading: false,
        loaded: true,
        error: undefined,
        complete: before === undefined ? now.complete || atFirst : atFirst,
      }))
    },
    [attempt],
  )

  useEffect(() => {
    gone.current = false
    let timer: ReturnType<typeof setTimeout> | undefined
    void fetchPage(undefined)
    const off = link.onEvent(({ name }) => {
      if (!freshEvents.has(name) || timer !== undefined) return
      timer = setTimeout(() => {
        timer = undefined
        void fetchPage(undefined)
      }, settleMs)
    })
    return () => {
      gone.current = true
      clearTimeout(timer)
      off()
    }
  }, [fetchPage, link])

  const last = rows.at(-1)?.seq
  return {
    rows,
    ...state,
    more: () => last !== undefined && !state.loading && void fetchPage(last),
    retry: () => void fetchPage(rows.length > 0 ? last : undefined),
  }
}
