// The rows of the record that fit, page by page from the newest; what is added while it is open is fetched when something
// was decided. Another question begins anew, and what is still on its way for the old one is not heard.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { AuditFilter, AuditRow } from '#app/consent/audit.ts'
import type { ErrorValue } from '#app/errors.ts'
import { useActions, useStores } from '#renderer/stores/react.tsx'
import { mergeRows } from './record-words.ts'

export const pageSize = 100

interface Loaded {
  readonly rows: readonly AuditRow[]
  readonly loading: boolean
  readonly loaded: boolean
  /** All rows that fit are here. */
  readonly complete: boolean
  /** How many fit; undefined while nobody has counted. */
  readonly found: number | undefined
  readonly error: ErrorValue | undefined
}
export interface AuditPages extends Loaded {
  readonly more: () => void
  readonly retry: () => void
}

/** After which there may be a row more. */
export const freshEvents = new Set([
  'consent.opened',
  'consent.closed',
  'toolCall.changed',
  'rules.changed',
  'server.changed',
  'models.changed',
])
export const settleMs = 400
const nothing: Loaded = { rows: [], loading: true, loaded: false, complete: false, found: undefined, error: undefined }

/** `filter`: the same object as long as the same is asked. `upTo`: from this row on down; the newer ones are not wanted. */
export function useAudit(filter: AuditFilter, upTo: number | undefined): AuditPages {
  const { attempt } = useActions()
  const { link } = useStores()
  const [state, setState] = useState<Loaded>(nothing)
  const asked = useRef(0)

  const fetchPage = useCallback(
    async (before: number | undefined, question: number): Promise<void> => {
      setState((now) => ({ ...now, loading: true, error: undefined }))
      const outcome = await attempt('audit.list', { limit: pageSize, filter, ...(before === undefined ? {} : { before }) })
      if (asked.current !== question) return
      if (!outcome.ok) {
        setState((now) => ({ ...now, loading: false, error: outcome.error }))
        return
      }
      const { rows: page, found } = outcome.value
      const atFirst = page.length < pageSize
      setState((now) => {
        const known = now.loaded ? now.rows : []
        // A whole page was added since: the old rows may no longer join on, so it is shown anew from the top.
        const apart = before === undefined && !atFirst && known.length > 0 && (page.at(-1)?.seq ?? 0) > (known[0]?.seq ?? 0)
        return {
          rows: apart ? page : mergeRows(known, page),
          loading: false,
          loaded: true,
          error: undefined,
          complete: before === undefined && !apart && now.loaded ? now.complete || atFirst : atFirst,
          found: found ?? now.found,
        }
      })
    },
    [attempt, filter],
  )
  const top = upTo === undefined ? undefined : upTo + 1

  useEffect(() => {
    asked.current += 1
    const question = asked.current
    let timer: ReturnType<typeof setTimeout> | undefined
    // What was found before stays until it is known what fits now.
    setState((now) => ({ ...nothing, rows: now.rows }))
    void fetchPage(top, question)
    const off = link.onEvent(({ name }) => {
      if (top !== undefined || !freshEvents.has(name) || timer !== undefined) return
      timer = setTimeout(() => {
        timer = undefined
        void fetchPage(undefined, question)
      }, settleMs)
    })
    return () => {
      asked.current += 1
      clearTimeout(timer)
      off()
    }
  }, [fetchPage, link, top])

  const last = state.rows.at(-1)?.seq
  return {
    ...state,
    more: () => last !== undefined && !state.loading && void fetchPage(last, asked.current),
    retry: () => void fetchPage(state.loaded && last !== undefined ? last : top, asked.current),
  }
}
