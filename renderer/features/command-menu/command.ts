// Data of the command menu. A command goes somewhere, or does something that can be undone. None answers a request: allowing is
// done where the arguments are read.
import type { IconName } from '#renderer/ui/icon.tsx'
import type { Chord } from '#renderer/ui/lib/key-chords.tsx'

export interface Command {
  readonly id: string
  readonly words: string
  /** `waiting`: the dot of what waits for the person. */
  readonly icon: IconName | 'waiting'
  /** Shown beside the words, and searched too. */
  readonly detail?: string
  /** Other names for it, which are searched and not shown. */
  readonly also?: string
  /** Shown at the right edge: a state, a day. */
  readonly end?: string
  readonly chord?: Chord
  /** Action, or the list that it opens. */
  readonly act: (() => void) | CommandList
  readonly more?: CommandList
}

export interface CommandList {
  readonly title: string
  readonly groups: readonly CommandGroup[]
}

export interface CommandGroup {
  readonly title: string
  readonly commands: readonly Command[]
  /** Shown before anything is typed; default: all of it. */
  readonly atFirst?: number
  /** Found already, by the host's own rules: what fits is not asked again. */
  readonly found?: boolean
}
