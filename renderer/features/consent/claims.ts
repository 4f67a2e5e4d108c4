// What a server claims about its tool by annotations, as sentences. They are the server's word: what would make a call
// look harmless counts only where the person trusts the server, and that is said with it.
import type { ToolCallRequest } from '#app/consent/request.ts'
import { t } from '#app/words/translate.ts'

const quoted = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(' and ')

/** Undefined where it claims nothing. */
export function claimSentence({ server, annotations, trusted }: ToolCallRequest): string | undefined {
  const kind = (claimed: boolean | undefined, when: boolean, word: string): readonly string[] => (claimed === when ? [word] : [])
  const harmless = [
    ...kind(annotations?.readOnlyHint, true, t`read-only`),
    ...kind(annotations?.destructiveHint, false, t`not destructive`),
    ...kind(annotations?.idempotentHint, true, t`safe to repeat`),
    ...kind(annotations?.openWorldHint, false, t`closed to the outside`),
  ]
  const harmful = [
    ...kind(annotations?.destructiveHint, true, t`destructive`),
    ...kind(annotations?.openWorldHint, true, t`open to the outside`),
  ]
  const sentences = [
    harmful.length > 0 && t`The server calls it ${quoted(harmful)}.`,
    harmless.length > 0 &&
      `${harmful.length > 0 ? t`It also calls it` : t`The server calls it`} ${quoted(harmless)}, ${
        trusted ? t`and its settings mark “${server}” as trusted.` : t`but “${server}” isn’t marked as trusted, so that doesn’t count.`
      }`,
  ].filter(Boolean)
  return sentences.length > 0 ? sentences.join(' ') : undefined
}
