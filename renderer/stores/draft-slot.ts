// Which draft of a new chat is this window's. Each window has one of its own, so that nothing that is written in one goes because of
// another; the first window's is ''. A window holds a lock on its own for as long as it is there, finds it again after a reload, and
// takes up words that no window holds any more, so that they come back after a restart.

const OTHER = 'new:'
const isSlot = (key: string): boolean => key === '' || key.startsWith(OTHER)
const lockName = (slot: string): string => `assent-draft ${slot}`
const sessionKey = 'assent-draft'
/** The page before a reload may hold it a moment longer. */
const RELOAD_MS = 2000

export interface SlotParts {
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

export function createDraftSlot({ locks, session, newId }: SlotParts): DraftSlot {
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
