// A row of a shelf's list: a server, what stands in it, and notes. One shape for all shelves, so that one list draws them.
export interface ShelfRow {
  readonly key: string
  readonly kind: 'server' | 'folder' | 'resource' | 'template' | 'prompt' | 'note'
  /** From 1. */
  readonly level: number
  /** A server's own words, the person's name for a server, or ours (notes). */
  readonly text: string
  readonly server: string
  /** Of a resource its address, of a template that, of a prompt its name. */
  readonly item?: string
  /** Of what can be opened. */
  readonly open?: boolean
  /** At the right edge. */
  readonly aside?: string
  /** Behind the name, where there is room: e.g. the address of what was found. */
  readonly beside?: string
  /** The server tells of its changes. */
  readonly live?: boolean
  readonly busy?: boolean
}

/** What was opened and closed by hand. */
export type Opened = ReadonlyMap<string, boolean>

export const isOpen = (opened: Opened, key: string, byItself: boolean): boolean => opened.get(key) ?? byItself
export const withOpened = (opened: Opened, key: string, open: boolean): Opened => new Map(opened).set(key, open)
