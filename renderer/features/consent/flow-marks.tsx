// Words that came from a server, set off where they stand in the arguments. What is within `FlowMarks` is marked.
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { ToolCallRequest } from '#app/consent/request.ts'
import type { JsonObject } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import { RevealedValue } from '#renderer/ui/revealed.tsx'
import { piecesOf, type Span, type SpansAt, spansIn } from './flow-spans.ts'

const none: SpansAt = () => []
const Context = createContext<SpansAt>(none)

export const useSpansAt = (): SpansAt => useContext(Context)

interface FlowMarksProps {
  readonly request: ToolCallRequest
  readonly shown: JsonObject
  readonly children: ReactNode
}

export function FlowMarks({ request, shown, children }: FlowMarksProps) {
  const spansAt = useMemo(() => spansIn(request, shown), [request, shown])
  return <Context value={spansAt}>{children}</Context>
}

/** Revealed text, with what came from a server under a dashed line. */
export function Spanned({ text, spans }: { readonly text: string; readonly spans: readonly Span[] }) {
  if (spans.length === 0) return <RevealedValue text={text} />
  return piecesOf(text, spans).map((piece, index) =>
    piece.marked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other identity.
      <span key={index} className="flow">
        <span className="sr">{t`from a server:`} </span>
        <RevealedValue text={piece.text} />
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <RevealedValue key={index} text={piece.text} />
    ),
  )
}
