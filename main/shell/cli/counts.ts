// Numbers of things in words, and sentences in a row.
import { t } from '#app/words/translate.ts'

export const rowsWords = (count: number): string => (count === 1 ? t`1 row` : t`${count} rows`)
export const chatsWords = (count: number): string => (count === 1 ? t`1 chat` : t`${count} chats`)
export const messagesWords = (count: number): string => (count === 1 ? t`1 message` : t`${count} messages`)
export const toolsWords = (count: number): string => (count === 1 ? t`1 tool` : t`${count} tools`)
export const resourcesWords = (count: number): string => (count === 1 ? t`1 resource` : t`${count} resources`)
export const promptsWords = (count: number): string => (count === 1 ? t`1 prompt` : t`${count} prompts`)

export const meantWords = (meant: string | undefined): string => (meant === undefined ? '' : t`Did you mean “${meant}”?`)

/** Whole sentences, without those that there is no cause for. */
export const inARow = (...sentences: readonly (string | false | undefined)[]): string => sentences.filter(Boolean).join(' ')
