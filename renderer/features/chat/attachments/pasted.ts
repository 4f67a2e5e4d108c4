// What a paste or a drop brings, as far as it concerns the composer.

/** Longer text stands in the way in the composer: it is attached, and can be put into the message after all. */
export const longPaste = 10_000

export type Pasted =
  /** The browser does as it always does. */
  | { readonly kind: 'text' }
  | { readonly kind: 'long-text'; readonly text: string }
  | { readonly kind: 'files'; readonly files: readonly File[] }
  | { readonly kind: 'nothing' }

interface Transfer {
  readonly types: readonly string[]
  readonly files: ArrayLike<File>
  getData(type: string): string
}

/** Cells of a table and rich text come with a picture of themselves: there the words are meant. */
export function classifyPaste(transfer: Transfer): Pasted {
  const { types, files } = transfer
  const hasText = types.includes('text/plain')
  if (files.length > 0 && !(hasText && types.includes('text/html'))) return { kind: 'files', files: Array.from(files) }
  if (!hasText) return { kind: 'nothing' }
  const text = transfer.getData('text/plain')
  return text.length > longPaste ? { kind: 'long-text', text } : { kind: 'text' }
}

/** Names of what was dropped and is a folder. */
export function droppedFolders(items: ArrayLike<Pick<DataTransferItem, 'kind' | 'webkitGetAsEntry'>>): string[] {
  return Array.from(items).flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null
    return entry?.isDirectory ? [entry.name] : []
  })
}
