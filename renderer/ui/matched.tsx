// A text that somebody else chose, with the letters that were typed set off.
import { fuzzyMatch } from '#app/fuzzy.ts'
import { Revealed } from './revealed.tsx'

export function Matched({ text, query }: { readonly text: string; readonly query: string }) {
  const at = new Set(fuzzyMatch(query, text)?.at)
  if (at.size === 0) return <Revealed text={text} />
  const pieces: { text: string; hit: boolean }[] = []
  for (const [index, letter] of text.split('').entries()) {
    const last = pieces.at(-1)
    if (last?.hit === at.has(index)) last.text += letter
    else pieces.push({ text: letter, hit: at.has(index) })
  }
  return pieces.map((piece, index) =>
    piece.hit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other identity
      <b key={index}>{piece.text}</b>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other identity
      <Revealed key={index} text={piece.text} />
    ),
  )
}
