// What is picked in the list of all chats: some of those shown, or all that fit but some, be they fetched or not.
import { useCallback, useMemo, useState } from 'react'
import type { ChatChoice, ChatFilter } from '#app/chat/chat-filter.ts'
import type { FoundChats } from './use-found-chats.ts'

export interface Picked {
  readonly count: number
  /** All that fit. */
  readonly all: boolean
  readonly choice: ChatChoice
  has(id: string): boolean
  toggle(id: string): void
  /** From the last one that was toggled. */
  extend(id: string): void
  setAll(on: boolean): void
  readonly clear: () => void
}

type State = { readonly kind: 'these' | 'all-but'; readonly ids: ReadonlySet<string>; readonly last: string | undefined }
const none: State = { kind: 'these', ids: new Set(), last: undefined }

export function usePicked({ items, found }: FoundChats, filter: ChatFilter | undefined): Picked {
  const [state, setState] = useState(none)
  const clear = useCallback(() => setState(none), [])
  return useMemo(() => {
    const shown = items.map(({ conversation }) => conversation.id)
    const isAll = state.kind === 'all-but'
    const has = (id: string): boolean => state.ids.has(id) !== isAll
    const set = (ids: readonly string[], on: boolean, last: string): void =>
      setState((before) => {
        const next = new Set(before.ids)
        for (const id of ids) {
          if (on === (before.kind === 'these')) next.add(id)
          else next.delete(id)
        }
        return { ...before, ids: next, last }
      })
    // Of what was picked, only what is still there counts.
    const ids = isAll ? [...state.ids] : shown.filter((id) => state.ids.has(id))
    const count = isAll ? Math.max(0, (found ?? shown.length) - ids.length) : ids.length
    const choice: ChatChoice =
      isAll && filter ? { kind: 'fitting', filter, except: ids } : { kind: 'these', ids: isAll ? shown.filter(has) : ids }
    return {
      count,
      all: isAll && ids.length === 0 ? true : count > 0 && count === (found ?? shown.length),
      choice,
      has,
      toggle: (id) => set([id], !has(id), id),
      extend(id) {
        const [from, to] = [shown.indexOf(state.last ?? id), shown.indexOf(id)]
        set(shown.slice(Math.max(0, Math.min(from, to)), Math.max(from, to) + 1), true, id)
      },
      setAll: (on) => setState(on ? { kind: 'all-but', ids: new Set(), last: undefined } : none),
      clear,
    }
  }, [items, found, filter, state, clear])
}
