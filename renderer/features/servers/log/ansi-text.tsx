import { type AnsiStyle, parseAnsi } from '#app/text/ansi-escapes.ts'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

/** The classes of a style of a terminal; undefined: it is plain. */
export const ansiClass = ({ colour, bold, dim, italic, underline }: AnsiStyle): string | undefined =>
  cx(colour && `ansi-${colour}`, bold && 'ansi-bold', dim && 'ansi-dim', italic && 'ansi-italic', underline && 'ansi-underline') ||
  undefined

/** A line of a program in its own colours, as text; other hidden characters are named. */
export function AnsiText({ line }: { readonly line: string }) {
  return parseAnsi(line).map(({ text, style }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one line have no other identity.
    <span key={index} className={ansiClass(style)}>
      <VisibleText text={text} />
    </span>
  ))
}
