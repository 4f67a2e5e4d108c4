// Sentences about a rule or a request, with the names of servers and tools set off.
import type { WordPiece } from '#app/consent/rules/rule-labels.ts'
import { cx } from './lib/class-names.ts'
import { VisibleText } from './visible-text.tsx'

/** `plain`: class of the words between the names. */
export function Pieces({ pieces, plain = 'dim' }: { readonly pieces: readonly WordPiece[]; readonly plain?: string }) {
  return pieces.map(({ text, code, name }, index) =>
    name === 'server' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence have no other identity.
      <ServerName key={index} name={text} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <VisibleText key={index} className={cx(code ? 'mono' : plain, name && 'tool-name') || undefined} text={text} />
    ),
  )
}

/** A server's name in a sentence, set off: no name reads as Assent's own words. */
export const ServerName = ({ name }: { readonly name: string }) => <VisibleText as="b" className="server-name" text={name} />
