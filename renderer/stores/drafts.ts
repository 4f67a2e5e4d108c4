// Drafts: what is written but not sent, by conversation ('' is a new chat) or by the message that it replaces, and which draft
// of a new chat belongs to this window. The page's own text counts for more than the host's as long as the host has not got it.
// Two windows that edit one draft show each other's text, but text of this window is never lost to an edit of the other.
import { createStore } from 'zustand/vanilla'
import { type DraftExtras, draftOwner, noExtras } from '#app/chat/drafts.ts'
import type { HostConnection } from '#app/contract/host-connection.ts'
import { isJsonObject } from '#app/json.ts'

const OTHER = 'new:'
const isSlot = (key: string): boolean => key === '' || key.startsWith(OTHER)
const lockName = (slot: string): string => `assent-draft ${slot}`
const sessionKey = 'assent-draft'
/** Wait for the lock of the page before a reload, in milliseconds. */
const RELOAD_MS = 2000

export interface DraftSlotContext {
  /** Undefined: this page is the only one. */
  readonly locks: Pick<LockManager, 'request'> | undefined
  readonly session: Pick<Storage, 'getItem' | 'setItem'>
  readonly newId: () => string
}

/**
 * Chooses the draft of new chats that belongs to this window; the first window's is ''. A window locks its draft while it is open,
 * finds it again after a reload, and takes up a draft that no window holds any more, so that its text comes back after a restart.
 */
export function createDraftSlot({ locks, session, newId }: DraftSlotContext) {
  let own: string | undefined = locks ? undefined : ''
  let choosing: Promise<void> | undefined

  const claim = (slot: string, how: LockOptions): Promise<boolean> =>
    new Promise((resolve) => {
      const held = (lock: Lock | null): Promise<void> | undefined => {
        resolve(lock !== null)
        return lock ? new Promise(() => undefined) : undefined
      }
      locks?.request(lockName(slot), how, held).catch(() => resolve(false)) // Not released in time.
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
    /** `keys`: the drafts with text that the host has. Undefined: the draft is known already. */
    choose(keys: readonly string[]): Promise<void> | undefined {
      if (own !== undefined) return undefined
      choosing ??= find(keys).then((slot) => {
        own = slot
        session.setItem(sessionKey, slot)
      })
      return choosing
    },
    /** Resolves once the draft is known, after earlier callers. Undefined: it is known, or nobody asked. */
    chosen: (): Promise<void> | undefined => (own === undefined ? choosing : undefined),
    /** Key of a draft with the host; undefined: not known yet. */
    toHost: (id: string): string | undefined => (id === '' ? own : id),
    /** Draft of this window with that key; undefined: another window's, or not known yet. */
    fromHost: (key: string): string | undefined => (isSlot(key) ? (key === own ? '' : undefined) : key),
  }
}

type ByConversation<T> = Readonly<Record<string, T>>
type KeySource = Pick<ReturnType<typeof createDraftSlot>, 'toHost'>

/** Keeps a value for each draft and sends changed ones to the host, again with each snapshot until the host has them. */
function createKeptValues<T>(slot: KeySource, initial: ByConversation<T>, empty: T, send: (key: string, value: T) => Promise<unknown>) {
  const store = createStore<{ readonly byConversation: ByConversation<T> }>(() => ({ byConversation: initial }))
  /** Drafts with values that the host may not have. */
  const unsent = new Set<string>(Object.keys(initial))
  const read = (id: string): T => store.getState().byConversation[id] ?? empty
  const ownValues = (): Record<string, T> => Object.fromEntries([...unsent].map((id) => [id, read(id)]))
  function keep(id: string): void {
    const value = read(id)
    const key = slot.toHost(id)
    if (key === undefined) return // Sent once the key is known.
    send(key, value).then(
      () => {
        if (read(id) === value) unsent.delete(id)
      },
      () => {
        // Still unsent: the next snapshot sends it again.
      },
    )
  }
  return {
    store,
    unsent,
    read,
    ownValues,
    keep,
    put: (id: string, value: T): void =>
      store.setState((state) => (read(id) === value ? state : { byConversation: { ...state.byConversation, [id]: value } })),
    replace(byConversation: ByConversation<T>): void {
      store.setState({ byConversation: { ...byConversation, ...ownValues() } })
      for (const id of unsent) keep(id)
    },
  }
}

const keepAfterMs = 400
const leftKey = 'assent-unkept-drafts'

/** `session`: keeps what a closing page may not have sent; the next page of the window sends it. */
export function createDrafts(hostConnection: HostConnection, slot: KeySource, session: Storage) {
  const restored = takeLeftDrafts(session)
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const { store, unsent, read, put, ...values } = createKeptValues(slot, restored, '', (key, text) =>
    hostConnection.request('draft.set', { ...draftOwner(key), text }),
  )
  /** Drafts that were written in this page or in the one before it. */
  const own = new Set<string>(Object.keys(restored).filter((id) => restored[id] !== ''))
  /** Latest text of each draft from the host. */
  const hostTexts = new Map<string, string>()

  /** Whether `text` would replace text of this page; a draft that was sent or emptied as this page shows it is no loss. */
  function loses(id: string, text: string): boolean {
    const mine = read(id)
    return own.has(id) && mine !== '' && !text.includes(mine) && (text !== '' || hostTexts.get(id) !== mine)
  }

  function keep(id: string): void {
    clearTimeout(timers.get(id))
    timers.delete(id)
    values.keep(id)
  }

  return {
    store,
    read,
    set(id: string, text: string): void {
      if (read(id) === text) return
      put(id, text)
      if (text === '') own.delete(id)
      else own.add(id)
      unsent.add(id)
      clearTimeout(timers.get(id))
      timers.set(
        id,
        setTimeout(() => keep(id), keepAfterMs),
      )
    },
    /** Sends all unsent drafts before the page goes, and leaves them in `session` too: a late request may not leave the page. */
    keepAll(): void {
      for (const id of unsent) keep(id)
      leaveDrafts(session, values.ownValues())
    },
    fromHost(id: string, text: string): void {
      const isLost = loses(id, text)
      hostTexts.set(id, text)
      if (unsent.has(id)) return
      if (!isLost) put(id, text)
      // The other window sent its text; the host can keep this window's now.
      else if (text === '') {
        unsent.add(id)
        keep(id)
      }
    },
    replace(byConversation: ByConversation<string>): void {
      for (const id of own) if (loses(id, byConversation[id] ?? '')) unsent.add(id)
      hostTexts.clear()
      for (const [id, text] of Object.entries(byConversation)) hostTexts.set(id, text)
      for (const id of unsent) clearTimeout(timers.get(id))
      values.replace(byConversation)
    },
    dispose(): void {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}

function leaveDrafts(session: Storage, drafts: ByConversation<string>): void {
  if (Object.keys(drafts).length === 0) return
  try {
    session.setItem(leftKey, JSON.stringify(drafts))
  } catch {
    // Too long for this place: most likely it was sent in time.
  }
}

function takeLeftDrafts(session: Storage): ByConversation<string> {
  const text = session.getItem(leftKey)
  session.removeItem(leftKey)
  if (text === null) return {}
  try {
    const left: unknown = JSON.parse(text)
    return isJsonObject(left) && Object.values(left).every((one) => typeof one === 'string') ? (left as ByConversation<string>) : {}
  } catch {
    return {} // Not ours.
  }
}

/** Attachments and prompts of the composers; a change goes to the host at once. */
export function createDraftExtras(hostConnection: HostConnection, slot: KeySource) {
  const { store, unsent, read, put, keep, replace } = createKeptValues<DraftExtras>(slot, {}, noExtras, (key, extras) =>
    hostConnection.request('draft.attach', key === '' ? { extras } : { conversationId: key, extras }),
  )
  return {
    store,
    read,
    change(id: string, change: (before: DraftExtras) => DraftExtras): void {
      put(id, change(read(id)))
      unsent.add(id)
      keep(id)
    },
    fromHost(id: string, extras: DraftExtras): void {
      if (!unsent.has(id)) put(id, extras)
    },
    replace,
  }
}
