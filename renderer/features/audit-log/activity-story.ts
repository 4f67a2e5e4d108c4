// The rows of the audit log as a story: by chat and day, by what the person asked, one action for all rows of a call or request.
// Completions are left out, and so are the rows that only repeat an answer to a server. Pure.
import type { AuditedChat, AuditRow } from '#app/consent/audit-row.ts'
import { decidedByLabel, groupIn } from '#app/consent/decided-by.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'

type ActionKind = 'call' | 'request' | 'launch' | 'model' | 'blocked' | 'other'

/** One thing that happened. `rows`: all its rows, oldest first. */
export interface Action {
  readonly key: string
  readonly kind: ActionKind
  readonly rows: readonly AuditRow[]
  /** Alike actions that stand in one line, this one included. */
  readonly alike: readonly Action[]
  /** Target that the sandbox refused (`blocked`). */
  readonly target?: string
}

export interface StoryTurn {
  readonly asked: AuditedChat['asked'][number] | undefined
  readonly actions: readonly Action[]
}

/** All that happened in one chat, or outside of any, on one day. Turns are in their order; the latest chapter is first. */
export interface Chapter {
  readonly key: string
  readonly chat: AuditedChat | undefined
  readonly conversationId: string | null
  readonly from: number
  readonly to: number
  readonly turns: readonly StoryTurn[]
}

export const textOf = (detail: JsonObject, name: string): string | undefined => {
  const value = detail[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const answersToServer = new Set(['sampling/createMessage', 'elicitation/create', 'roots/list'])
const untold = ({ kind, detail }: AuditRow): boolean =>
  kind === 'exchange' && (detail['method'] === 'completion/complete' || answersToServer.has(String(detail['method'])))

/** Key that all rows of one action have. */
function keyOf({ seq, kind, detail }: AuditRow): string {
  const request = textOf(detail, 'request')
  const own = request === 'tool-call' || kind === 'call' || kind === 'result' ? 'callId' : kind === 'exchange' ? 'exchangeId' : 'requestId'
  const id = textOf(detail, own)
  return id === undefined ? `row ${seq}` : `${own} ${id}`
}

function kindOf({ kind, detail }: AuditRow): ActionKind {
  const request = textOf(detail, 'request')
  if (request === 'tool-call' || kind === 'call' || kind === 'result') return 'call'
  if (kind === 'launch' || request === 'launch') return 'launch'
  if (kind === 'exchange') return detail['method'] === 'model' ? 'model' : 'other'
  return kind === 'request' || request !== undefined ? 'request' : 'other'
}

export const lastRow = ({ rows }: Action): AuditRow => rows.at(-1) as AuditRow // An action has a row.
export const firstRow = ({ rows }: Action): AuditRow => rows[0] as AuditRow

/** Row with the decision: of the person, a rule, a mode, or the one that ran a call by hand. */
export const decidedRow = ({ rows }: Action): AuditRow | undefined =>
  rows.find(({ kind, decision, by }) => kind !== 'exchange' && kind !== 'result' && decision !== null && by !== null)

/** Joins rows of one action. The outcome of a start, which names no request, belongs to the last start of that server that was allowed. */
function actionsOf(rows: readonly AuditRow[]): Action[] {
  const found = new Map<string, AuditRow[]>()
  const starting = new Map<string | null, string>()
  for (const row of rows) {
    if (untold(row)) continue
    const isOutcome = row.kind === 'launch' && row.by === null && row.decision !== 'withdrawn' && row.decision !== null
    const key = (isOutcome && starting.get(row.server)) || keyOf(row)
    if (row.kind === 'launch') starting.delete(row.server)
    if (row.kind === 'launch' && row.decision === 'allowed') starting.set(row.server, key)
    const group = found.get(key)
    if (group) group.push(row)
    else found.set(key, [row])
  }
  return [...found].flatMap(([key, group]) => {
    const [first] = group
    return first ? withBlocked({ key, kind: kindOf(first), rows: group, alike: [] }) : []
  })
}

/** Adds a line for each target that the sandbox refused in the course of a call. */
function withBlocked(action: Action): Action[] {
  const sandbox = lastRow(action).detail['sandbox']
  const blocked = isJsonObject(sandbox) && Array.isArray(sandbox['blocked']) ? sandbox['blocked'] : []
  const targets = blocked.filter((target) => typeof target === 'string')
  return [action, ...targets.map((target): Action => ({ ...action, key: `${action.key} ${target}`, kind: 'blocked', target }))]
}

export const sameDay = (a: number, b: number): boolean => new Date(a).toDateString() === new Date(b).toDateString()

/** Key that alike actions have in common; undefined for one that stands alone. */
function alikeOf(action: Action): string | undefined {
  const { server, tool, detail } = firstRow(action)
  const { decision } = lastRow(action)
  if (action.kind === 'model') return `model ${String(detail['model'])} ${String(detail['purpose'])} ${decision}`
  const decided = decidedRow(action)
  if (action.kind !== 'call' || (decision !== 'done' && decision !== 'denied') || !decided) return undefined
  const group = groupIn(decided.detail)
  // What the person answered one by one stands in lines of its own.
  if (decided.by === 'person' ? !group : decision === 'denied') return undefined
  return JSON.stringify([server, tool, decision, decided.by, group?.id, decided.detail['ruleId']])
}

/** Puts alike actions into one line: calls that stand side by side, a model's answers of the turn. */
function grouped(actions: readonly Action[]): Action[] {
  const lines: Action[] = []
  for (const action of actions) {
    const key = alikeOf(action)
    const isGroup = groupIn(decidedRow(action)?.detail ?? {}) !== undefined
    const near = action.kind === 'model' || isGroup ? lines : lines.slice(-1)
    const index = key === undefined ? -1 : lines.indexOf(near.findLast((line) => alikeOf(line) === key) ?? action)
    const line = lines[index]
    if (line) lines[index] = { ...line, alike: [...(line.alike.length === 0 ? [line] : line.alike), action] }
    else lines.push(action)
  }
  return lines
}

function turnsOf(actions: readonly Action[], asked: AuditedChat['asked']): StoryTurn[] {
  const byAsk = Map.groupBy(actions, (action) => asked.findLast(({ at }) => at <= firstRow(action).time))
  return [...byAsk].map(([ask, among]) => ({ asked: ask, actions: grouped(among) }))
}

/** `rows`: newest first, without doubles. */
export function storyOf(rows: readonly AuditRow[], chats: readonly AuditedChat[]): Chapter[] {
  const known = new Map(chats.map((chat) => [chat.id, chat]))
  const chapters = new Map<string, Action[]>()
  for (const action of actionsOf(rows.toReversed())) {
    const { conversationId, time } = firstRow(action)
    const key = `${conversationId ?? ''} ${new Date(time).toDateString()}`
    chapters.set(key, [...(chapters.get(key) ?? []), action])
  }
  return [...chapters]
    .flatMap(([key, actions]): Chapter[] => {
      const [first] = actions
      if (!first) return []
      const { conversationId, time } = firstRow(first)
      const chat = conversationId === null ? undefined : known.get(conversationId)
      const to = Math.max(...actions.map((action) => lastRow(action).time).filter((at) => sameDay(at, time)))
      return [{ key, chat, conversationId, from: time, to, turns: turnsOf(actions, chat?.asked ?? []) }]
    })
    .sort((a, b) => b.to - a.to)
}

/** Name of who decided, for a line of one or more actions; empty where nobody had to. */
export function actionDecidedBy(action: Action): string {
  if (action.kind === 'blocked') return decidedByLabel({ by: 'sandbox', allowed: false })
  const row = decidedRow(action)
  if (!row?.by) return ''
  const { detail } = row
  const isCall = action.kind === 'call' || action.kind === 'request'
  return decidedByLabel({
    by: row.by,
    allowed: row.decision !== 'denied',
    scope: isCall ? textOf(detail, 'scope') : undefined,
    together: groupIn(detail)?.size,
    word: textOf(detail, 'word'),
    edited: detail['edited'] === true,
    byHand: action.rows.some((one) => one.detail['byHand'] === true),
    rule: textOf(detail, 'rule'),
  })
}

/** Milliseconds that an action ran; undefined while it runs, and where it did not. */
export function ranMs(action: Action): number | undefined {
  if (action.kind === 'blocked') return undefined
  const all = action.alike.length === 0 ? [action] : action.alike
  const spans = all.map(({ kind, rows }) => {
    const last = rows.at(-1)
    if (last?.kind === 'result') return Number(last.detail['durationMs'] ?? 0)
    const [first] = rows
    return kind === 'model' && first && last && first !== last ? last.time - first.time : undefined
  })
  const known = spans.filter((ms) => ms !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, ms) => sum + ms, 0)
}

/** Sum of a figure of the results that an action stands for; undefined where none has it. */
export function figureOf(action: Action, name: string): number | undefined {
  const all = action.alike.length === 0 ? [action] : action.alike
  const values = all.map((one) => lastRow(one).detail[name]).filter((value) => typeof value === 'number')
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0)
}
