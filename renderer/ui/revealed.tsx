import { foldBlanks } from '#app/consent/blank-runs.ts'
import { revealHidden, type Segment } from '#app/consent/reveal.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'

/** Marks upon one letter: no script has as many, and a browser takes seconds to place thousands of them. */
export const mostMarks = 16
const tooMany = new RegExp(`(?<=\\p{M}{${mostMarks}})\\p{M}+`, 'gu')
const hasTooMany = new RegExp(`\\p{M}{${mostMarks + 1}}`, 'u')

/** What cannot be seen, and marks beyond the most that one letter can bear, each by a name. */
function segmentsOf(text: string): readonly Segment[] {
  const segments = revealHidden(text)
  return hasTooMany.test(text) ? segments.flatMap((one) => (one.kind === 'text' ? withoutMarks(one.text) : [one])) : segments
}

function withoutMarks(text: string): Segment[] {
  const segments: Segment[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(tooMany)) {
    segments.push({ kind: 'text', text: text.slice(end, index) })
    segments.push({ kind: 'hidden', text: found, name: t`${numberWords([...found].length)} more marks` })
    end = index + found.length
  }
  return [...segments, { kind: 'text', text: text.slice(end) }]
}

/** The same for where only text can stand, such as in a list of the browser's own. */
export const revealedText = (text: string): string =>
  segmentsOf(text)
    .map((segment) => (segment.kind === 'text' ? segment.text : `[${segment.name}]`))
    .join('')

/** Text as it is, with the characters that cannot be seen named in their place. */
export function Revealed({ text }: { readonly text: string }) {
  return segmentsOf(text).map((segment, index) =>
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

/** A value that is approved: also its runs of blanks are named, so that none pushes the rest out of view. */
export function RevealedValue({ text }: { readonly text: string }) {
  return foldBlanks(text).map((piece, index) =>
    piece.kind === 'text' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other identity.
      <Revealed key={index} text={piece.text} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <BlankRun key={index} name={piece.name} line={piece.text.endsWith('\n')} />
    ),
  )
}

export const BlankRun = ({ name, line }: { readonly name: string; readonly line: boolean }) => (
  <>
    <span className="reveal blank">{name}</span>
    {line && '\n'}
  </>
)
