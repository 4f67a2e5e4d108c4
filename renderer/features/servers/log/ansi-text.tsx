import { type AnsiStyle, parseAnsi } from '#app/text/ansi-escapes.ts'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { UntrustedText } from '#renderer/ui/text/untrusted-text.tsx'

/** The classes of a style of a terminal; undefined: it is plain. */
export const ansiClass = ({ colour, bold, dim, italic, underline }: AnsiStyle): string | undefined =>
  cx(colour && `ansi-${colour}`, bold && 'ansi-bold', dim && 'ansi-dim', italic && 'ansi-italic', underline && 'ansi-underline') ||
  undefined

/** A line of a program in its own colours, as text; other hidden characters are named. */
export function AnsiText({ line }: { readonly line: string }) {
  return parseAnsi(line).map(({ text, style }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one line have no other identity.
    <UntrustedText key={index} className={ansiClass(style)} text={text} />
  ))
}
