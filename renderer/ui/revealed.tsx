import { foldBlanks } from '#app/consent/blank-runs.ts'
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
