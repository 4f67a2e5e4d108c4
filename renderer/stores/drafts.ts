// What is written but not sent, by conversation ('' is a new chat) or by the message that it is to replace. The page's own words come first: while some of
// them are not with the host yet, what the host says about that draft is older and does not count. Two windows may be at
// the same draft: each shows what the other writes, but what was written in this one never goes because something else was
// written, or sent, in the other.
import { z } from 'zod'
import { createStore } from 'zustand/vanilla'
import { draftOwner } from '#app/chat/drafts.ts'
import type { HostConnection } from '#app/contract/host-connection.ts'

// Which draft of a new chat is this window's. Each window has one of its own, so that nothing that is written in one goes because of
// another; the first window's is ''. A window holds a lock on its own for as long as it is there, finds it again after a reload, and
// takes up words that no window holds any more, so that they come back after a restart.

const OTHER = 'new:'
const isSlot = (key: string): boolean => key === '' || key.startsWith(OTHER)
const lockName = (slot: string): string => `assent-draft ${slot}`
const sessionKey = 'assent-draft'
/** The page before a reload may hold it a moment longer. */
const RELOAD_MS = 2000

export interface DraftSlotContext {
  /** Undefined: this page is the only one. */
  readonly locks: Pick<LockManager, 'request'> | undefined
  readonly session: Pick<Storage, 'getItem' | 'setItem'>
  readonly newId: () => string
}

export interface DraftSlot {
  /** `keys`: of all drafts with words that the host has. Undefined: it is known already. */
  choose(keys: readonly string[]): Promise<void> | undefined
  /** Resolves once it is known, after what was told to wait for that before. Undefined: it is, or nobody has asked. */
  chosen(): Promise<void> | undefined
  /** Undefined: not known yet. */
  toHost(id: string): string | undefined
  /** Undefined: another window's, or not known yet. */
  fromHost(key: string): string | undefined
}

export function createDraftSlot({ locks, session, newId }: DraftSlotContext): DraftSlot {
  let own: string | undefined = locks ? undefined : ''
  let choosing: Promise<void> | undefined

  const claim = (slot: string, how: LockOptions): Promise<boolean> =>
    new Promise((resolve) => {
      const held = (lock: Lock | null): Promise<void> | undefined => {
        resolve(lock !== null)
        return lock ? new Promise(() => undefined) : undefined
      }
      locks?.request(lockName(slot), how, held).catch(() => resolve(false)) // In time it was not to be had.
    })

  async function find(keys: readonly string[]): Promise<string> {
    const before = session.getItem(sessionKey)
    if (before !== null && (await claim(before, { signal: AbortSignal.timeout(RELOAD_MS) }))) return before
    for (const slot of [...keys.filter(isSlot), '']) if (await claim(slot, { ifAvailable: true })) return slot
    const fresh = `${OTHER}${newId()}`
    await claim(fresh, { ifAvailable: true })
    return fresh
  }

  return {
    choose(keys) {
      if (own !== undefined) return undefined
      choosing ??= find(keys).then((slot) => {
        own = slot
        session.setItem(sessionKey, slot)
      })
      return choosing
    },
    chosen: () => (own === undefined ? choosing : undefined),
    toHost: (id) => (id === '' ? own : id),
    fromHost: (key) => (isSlot(key) ? (key === own ? '' : undefined) : key),
  }
}

interface DraftsState {
  readonly byConversation: Readonly<Record<string, string>>
}

const keepAfterMs = 400
const leftKey = 'assent-unkept-drafts'
const leftDrafts = z.record(z.string(), z.string())

/** `session`: for what a page that goes can no longer be sure to have sent; the next page of the same window sends it. */
export function createDrafts(connection: HostConnection, slot: Pick<DraftSlot, 'toHost'>, session: Storage) {
  const left = takeLeft(session)
  const store = createStore<DraftsState>(() => ({ byConversation: left }))
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const unkept = new Set<string>(Object.keys(left))
  /** Drafts that were written in this page, or in the one before it. */
  const own = new Set<string>(Object.keys(left).filter((id) => left[id] !== ''))
  /** What the host said last of each. */
  const told = new Map<string, string>()

  const put = (id: string, text: string): void =>
    store.setState((state) =>
      (state.byConversation[id] ?? '') === text ? state : { byConversation: { ...state.byConversation, [id]: text } },
    )

  const read = (id: string): string => store.getState().byConversation[id] ?? ''

  /** Whether words of this page's own are lost with `text` in their place. Who sent or emptied what this page shows, meant it. */
  function loses(id: string, text: string): boolean {
    const mine = read(id)
    return own.has(id) && mine !== '' && !text.includes(mine) && (text !== '' || told.get(id) !== mine)
  }

  function keep(id: string): void {
    clearTimeout(timers.get(id))
    timers.delete(id)
    const text = read(id)
    const key = slot.toHost(id)
    if (key === undefined) return // It goes once that is known.
    connection.request('draft.set', { ...draftOwner(key), text }).then(
      () => {
        if (read(id) === text) unkept.delete(id)
      },
      () => {
        // Still unkept: the next snapshot sends it again.
      },
    )
  }

  return {
    store,
    read,
    set(id: string, text: string): void {
      if (read(id) === text) return
      put(id, text)
      if (text === '') own.delete(id)
      else own.add(id)
      unkept.add(id)
      clearTimeout(timers.get(id))
      timers.set(
        id,
        setTimeout(() => keep(id), keepAfterMs),
      )
    },
    /** Sends what is unkept now: the page is about to go. What is sent so late may not leave it, so that it is left behind as well. */
    keepAll(): void {
      for (const id of unkept) keep(id)
      leave(session, Object.fromEntries([...unkept].map((id) => [id, read(id)])))
    },
    fromHost(id: string, text: string): void {
      const isLost = loses(id, text)
      told.set(id, text)
      if (unkept.has(id)) return
      if (!isLost) put(id, text)
      // The other window is done with the one place that the host has for it.
      else if (text === '') {
        unkept.add(id)
        keep(id)
      }
    },
    replace(byConversation: Readonly<Record<string, string>>): void {
      for (const id of own) if (loses(id, byConversation[id] ?? '')) unkept.add(id)
      const mine = Object.fromEntries([...unkept].map((id) => [id, read(id)]))
      told.clear()
      for (const [id, text] of Object.entries(byConversation)) told.set(id, text)
      store.setState({ byConversation: { ...byConversation, ...mine } })
      for (const id of unkept) keep(id)
    },
    dispose(): void {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}

function leave(session: Storage, drafts: DraftsState['byConversation']): void {
  if (Object.keys(drafts).length === 0) return
  try {
    session.setItem(leftKey, JSON.stringify(drafts))
  } catch {
    // Too long for this place: most likely it was sent in time.
  }
}

function takeLeft(session: Storage): DraftsState['byConversation'] {
  const text = session.getItem(leftKey)
  session.removeItem(leftKey)
  if (text === null) return {}
  try {
    return leftDrafts.parse(JSON.parse(text))
  } catch {
    return {} // Not ours.
  }
}
