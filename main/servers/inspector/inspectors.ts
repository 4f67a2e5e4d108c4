// One inspector a server, by name, made when it is first wanted.
import type { Inspecting } from '#app/server/wire-message.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import { createInspector, type Inspector } from './inspector.ts'

export interface Inspectors {
  of(name: string): Inspector
  /** Undefined: nothing of that server is recorded. */
  mode(name: string): Inspecting | undefined
  remove(name: string): void
  dispose(): void
}

export function createInspectors(options: {
  readonly clock: Clock
  readonly emit: Emit
  readonly mask: (text: string) => string
  readonly onMode: (name: string) => void
}): Inspectors {
  const { clock, emit, mask, onMode } = options
  const all = new Map<string, Inspector>()
  const remove = (name: string): void => {
    all.get(name)?.inspect(undefined)
    all.get(name)?.journal.dispose()
    all.delete(name)
  }
  return {
    of(name) {
      const known = all.get(name)
      if (known) return known
      const made = createInspector({ clock, mask, onNews: (last) => emit('server.messaged', { name, last }), onMode: () => onMode(name) })
      all.set(name, made)
      return made
    },
    mode: (name) => all.get(name)?.mode,
    remove,
    dispose() {
      for (const inspector of all.values()) inspector.journal.dispose()
    },
  }
}
