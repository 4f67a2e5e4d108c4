import type { ChatFolder } from '#app/chat/chat-folder.ts'
import { formatLocale } from '#app/i18n/format-values.ts'

const byName = new Intl.Collator(formatLocale(), { numeric: true, sensitivity: 'base' })

export const inOrder = (folders: readonly ChatFolder[]): readonly ChatFolder[] =>
  [...folders].sort((a, b) => byName.compare(a.name, b.name) || a.createdAt - b.createdAt)
