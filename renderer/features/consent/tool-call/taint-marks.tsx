// Marks the words in arguments that came from a server, within `TaintMarks`, and names those servers with a link to the call, resource
// or prompt that gave them. A mark is no accusation.
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { ToolCallRequest } from '#app/consent/request.ts'
import { flowPieces } from '#app/consent/rules/rule-labels.ts'
import type { Taints } from '#app/consent/taint/taint.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject, pointerNames, pointerTo, valueAtPlace } from '#app/json.ts'
import { isLocal } from '#app/server/definition.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { hasHidden } from '#app/text/hidden-characters.ts'
import { focusCall, focusSoon } from '#renderer/navigation/focus.ts'
import { navigate } from '#renderer/router.ts'
import { useServers } from '#renderer/stores/store-hooks.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { listNodes, tx } from '#renderer/ui/lib/translate-elements.ts'
import { Pieces, ServerName, VisibleText, VisibleValue } from '#renderer/ui/visible-text.tsx'

/** Start and end in a text, in UTF-16 units. */
export type TaintSpan = readonly [from: number, to: number]
/** Looks up spans by JSON Pointer. */
type SpansAt = (pointer: string) => readonly TaintSpan[]

/** Spans in the shown arguments. A value that the person changed has none; names of members are not marked in place. */
export function spansIn({ flows, arguments: written }: ToolCallRequest, shown: JsonObject): SpansAt {
  const byPlace = new Map<string, TaintSpan[]>()
  for (const { argument, spans, inName } of flows?.marks ?? []) {
    const text = valueAtPlace(shown, argument)
    if (!inName && text !== undefined && text === valueAtPlace(written, argument))
      byPlace.set(argument, [...(byPlace.get(argument) ?? []), ...spans])
  }
  for (const spans of byPlace.values()) spans.sort(([a], [b]) => a - b)
  return (pointer) => byPlace.get(pointer) ?? []
}

/** The parts of spans within a piece of the text, relative to its start. */
export const clipped = (spans: readonly TaintSpan[], from: number, to: number): TaintSpan[] =>
  spans.flatMap(([a, b]) => (a < to && b > from ? [[Math.max(a, from) - from, Math.min(b, to) - from] as const] : []))

/** Cuts a text at its spans. A text with an invisible character stays whole: cut in pieces it could read otherwise. */
export function splitAtSpans(text: string, spans: readonly TaintSpan[]) {
  if (spans.length === 0 || hasHidden(text)) return [{ text, marked: spans.length > 0 }]
  const pieces: { readonly text: string; readonly marked: boolean }[] = []
  let end = 0
  for (const [from, to] of spans) {
    if (to <= end) continue
    const start = Math.max(from, end)
    if (start > end) pieces.push({ text: text.slice(end, start), marked: false })
    pieces.push({ text: text.slice(start, to), marked: true })
    end = to
  }
  if (end < text.length) pieces.push({ text: text.slice(end), marked: false })
  return pieces
}

/** `JSON.stringify(value, null, 2)`, and the spans in that text. */
export function jsonWithSpans(value: Json, at: string, spansAt: SpansAt) {
  const spans: TaintSpan[] = []
  let text = ''
  const list = (open: string, close: string, indent: string, items: readonly (() => void)[]): void => {
    text += open
    for (const [index, item] of items.entries()) {
      text += `${index > 0 ? ',' : ''}\n${indent}  `
      item()
    }
    text += items.length > 0 ? `\n${indent}${close}` : close
  }
  const write = (item: Json, place: string, indent: string): void => {
    if (Array.isArray(item)) {
      const all = (item as readonly Json[]).map((one, index) => () => write(one, place + pointerTo(String(index)), `${indent}  `))
      list('[', ']', indent, all)
    } else if (isJsonObject(item)) {
      const all = Object.entries(item).map(([name, one]) => () => {
        text += `${JSON.stringify(name)}: `
        write(one, place + pointerTo(name), `${indent}  `)
      })
      list('{', '}', indent, all)
    } else {
      const quote = typeof item === 'string' ? 1 : 0
      const inside = (end: number): number => text.length + quote + (quote ? JSON.stringify(String(item).slice(0, end)).length - 2 : end)
      for (const [from, to] of spansAt(place)) spans.push([inside(from), inside(to)])
      text += JSON.stringify(item)
    }
  }
  write(value, at, '')
  return { text, spans }
}

const Context = createContext<SpansAt>(() => [])

export const useSpansAt = (): SpansAt => useContext(Context)

type TaintMarksProps = { readonly request: ToolCallRequest; readonly shown: JsonObject; readonly children: ReactNode }

export function TaintMarks({ request, shown, children }: TaintMarksProps) {
  const spansAt = useMemo(() => spansIn(request, shown), [request, shown])
  return <Context value={spansAt}>{children}</Context>
}

/** Visible text, with the words from a server underlined. */
export function Spanned({ text, spans }: { readonly text: string; readonly spans: readonly TaintSpan[] }) {
  if (spans.length === 0) return <VisibleValue text={text} />
  return splitAtSpans(text, spans).map((piece, index) =>
    piece.marked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other identity.
      <span key={index} className="flow">
        <span className="sr">{t`from a server:`} </span>
        <VisibleValue text={piece.text} />
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <VisibleValue key={index} text={piece.text} />
    ),
  )
}

/** Number of names that are shown; further ones are counted. */
const MOST_SHOWN = 5

/** Says which private data could leave, and by which server. */
export const FlowSentence = ({ request: { privateFlow, server } }: { readonly request: ToolCallRequest }) =>
  privateFlow && (
    <FlowNote>
      <b>
        <Pieces pieces={flowPieces(privateFlow, server)} plain="" />
      </b>
    </FlowNote>
  )

export function TaintNotes({ request }: { readonly request: ToolCallRequest }) {
  const { flows, server } = request
  if (!flows) return null
  const origins = [...flows.origins.keys()]
  const others = origins.filter((index) => flows.origins[index]?.server !== server)
  const own = origins.filter((index) => flows.origins[index]?.server === server)
  return (
    <>
      {others.slice(0, MOST_SHOWN).map((index) => (
        <TaintNote key={index} server={server} conversationId={request.conversationId} flows={flows} origin={index} />
      ))}
      {others.length > MOST_SHOWN && <p className="help">{t`And ${others.length - MOST_SHOWN} more.`}</p>}
      {flows.unseen && <FlowNote>{tx`${<b>{t`Too much text to check.`}</b>} Unmarked text may come from other servers too.`}</FlowNote>}
      {own.length > 0 && others.length === 0 && (
        <p className="help">{tx`${places(flows, own)} comes from ${<ServerName name={server} />} itself.`}</p>
      )}
    </>
  )
}

type TaintNoteProps = Pick<ToolCallRequest, 'server' | 'conversationId'> & { readonly flows: Taints; readonly origin: number }

function TaintNote({ server, conversationId, flows, origin }: TaintNoteProps) {
  const from = flows.origins[origin]
  const leaves = useServers(({ list }) => isHere(list, from?.server) && !isHere(list, server))
  if (!from) return null
  const show = (): void => {
    if ('messageId' in from) {
      if (conversationId !== undefined) navigate({ page: 'chat', id: conversationId, at: from.messageId })
      return
    }
    if (focusCall(from.callId) || conversationId === undefined) return
    // A sheet may cover the chat. Closing it decides nothing.
    navigate({ page: 'chat', id: conversationId }, { replace: true })
    focusSoon(() => focusCall(from.callId))
  }
  const whose = <ServerName name={from.server} />
  const where = places(flows, [origin])
  const source = (
    <button type="button" className="link mono" onClick={show}>
      <VisibleText text={'resource' in from ? from.resource : 'prompt' in from ? from.prompt : from.tool} />
    </button>
  )
  return (
    <FlowNote>
      <b>
        {leaves ? tx`Text from ${whose} would leave this computer.` : tx`Text from ${whose} would go to ${<ServerName name={server} />}.`}
      </b>{' '}
      {'resource' in from
        ? tx`${where} comes from its resource ${source}.`
        : 'prompt' in from
          ? tx`${where} comes from its prompt ${source}.`
          : tx`${where} comes from its ${source}.`}
    </FlowNote>
  )
}

const FlowNote = ({ children }: { readonly children: ReactNode }) => (
  <div className="flownote">
    <Icon name="flow" small />
    <div>{children}</div>
  </div>
)

const isHere = (list: readonly ServerSummary[], name: string | undefined): boolean =>
  list.some((view) => view.name === name && isLocal(view.definition))

/** "`body`, `to` and 2 more": arguments that hold words of these origins. */
function places(flows: Taints, origins: readonly number[]): ReactNode {
  const marks = flows.marks.filter(({ origin }) => origins.includes(origin))
  const names = [...new Set(marks.map(({ argument }) => pointerNames(argument)[0] ?? argument))]
  const shown = names.slice(0, MOST_SHOWN).map((name) => <VisibleText key={name} className="mono" text={name} />)
  return listNodes(names.length > MOST_SHOWN ? [...shown, t`${names.length - MOST_SHOWN} more`] : shown)
}
