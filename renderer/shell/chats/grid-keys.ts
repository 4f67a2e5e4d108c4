// What a key means on a row of the sidebar's chats.
import type { ChatRow } from './chat-rows.ts'

export interface Key {
  readonly key: string
  readonly shiftKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

export type GridAction =
  | { readonly kind: 'move'; readonly key: 'ArrowDown' | 'ArrowUp' | 'Home' | 'End'; readonly extend: boolean }
  | { readonly kind: 'clear' | 'toggle' | 'rename' | 'delete' | 'delete-folder' | 'menu' | 'fold' | 'to-button' | 'to-row' }

/** `inButton`: the focus is on the row's own button. Undefined: the key is not the list's. */
export function gridAction(key: Key, row: ChatRow, inButton: boolean, anyChosen: boolean): GridAction | undefined {
  if (key.altKey) return undefined
  const folder = row.kind === 'folder' ? row.folder : undefined
  switch (key.key) {
    case 'ArrowDown':
    case 'ArrowUp':
    case 'Home':
    case 'End':
      return { kind: 'move', key: key.key, extend: key.shiftKey }
    case 'ArrowRight':
    case 'ArrowLeft': {
      const right = key.key === 'ArrowRight'
      if (folder && !inButton && (folder.closed ?? false) === right) return { kind: 'fold' }
      return { kind: right ? 'to-button' : 'to-row' }
    }
    case 'Escape':
      return anyChosen ? { kind: 'clear' } : undefined
    case ' ':
      return folder || inButton ? undefined : { kind: 'toggle' }
    case 'F2':
      return folder ? undefined : { kind: 'rename' }
    case 'Backspace':
      return key.metaKey ? { kind: folder ? 'delete-folder' : 'delete' } : undefined
    case 'Delete':
      return { kind: folder ? 'delete-folder' : 'delete' }
    case 'ContextMenu':
      return { kind: 'menu' }
    case 'F10':
      return key.shiftKey ? { kind: 'menu' } : undefined
    default:
      return undefined
  }
}
