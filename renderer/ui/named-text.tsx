// Words about a rule or a request, with what the person or a server named set off.
import type { WordPiece } from '#app/consent/rules/rule-labels.ts'
import { cx } from './lib/class-names.ts'
import { VisibleText } from './visible-text.tsx'

export function Pieces({ pieces, plain }: { readonly pieces: readonly WordPiece[] /** Of the words between. */; readonly plain?: string }) {
  return pieces.map(({ text, code, name }, index) =>
    name === 'server' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence have no other identity.
      <ServerName key={index} name={text} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <VisibleText key={index} className={cx(code ? 'mono' : (plain ?? 'dim'), name && 'tool-name') || undefined} text={text} />
    ),
  )
}

/** A server in a sentence: nobody takes its name for a word of ours, whatever it is. */
export const ServerName = ({ name }: { readonly name: string }) => <VisibleText as="b" className="server-name" text={name} />
