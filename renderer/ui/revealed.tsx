import { revealHidden } from '#app/consent/reveal.ts'

/** The same for where only text can stand, such as in a list of the browser's own. */
export const revealedText = (text: string): string =>
  revealHidden(text)
    .map((segment) => (segment.kind === 'text' ? segment.text : `[${segment.name}]`))
    .join('')

/** Text as it is, with the characters that cannot be seen named in their place. */
export function Revealed({ text }: { readonly text: string }) {
  return revealHidden(text).map((segment, index) =>
    segment.kind === 'text' ? (
      segment.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other identity.
      <span key={index} className="reveal">
        {segment.name}
      </span>
    ),
  )
}
