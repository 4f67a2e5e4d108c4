// How many frames of views live at a time, over all chats: each is a program. When one more is drawn, the one that was drawn
// first gives way, and says so in its place.

const mostAlive = 4

export interface Alive {
  /** Returns its undo. `onGiveWay`: another one needs its place. */
  add(onGiveWay: () => void): () => void
}

export function createAlive(most = mostAlive): Alive {
  const alive = new Set<() => void>()
  return {
    add(onGiveWay) {
      const entry = (): void => onGiveWay()
      alive.add(entry)
      for (const oldest of alive) {
        if (alive.size <= most) break
        alive.delete(oldest)
        oldest()
      }
      return () => void alive.delete(entry)
    },
  }
}

export const aliveViews = createAlive()
