// Words about a rule, with what the person or a server named set off.
import type { WordPiece } from '#app/consent/rule-words.ts'
import { Revealed } from '#renderer/ui/revealed.tsx'

export function Pieces({ pieces }: { readonly pieces: readonly WordPiece[] }) {
  return pieces.map(({ text, code }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence have no other identity.
    <span key={index} className={code ? 'mono' : 'dim'}>
      <Revealed text={text} />
    </span>
  ))
}
