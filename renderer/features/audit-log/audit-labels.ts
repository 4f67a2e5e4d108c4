// Labels of the rows of the audit log. Text in a row comes from the host and, inside `detail`, from servers and models: it is shown as
// text, never as markup. Unknown decisions and deciders show their codes.
import type { AuditRow } from '#app/consent/audit-row.ts'
import type { ConsentKind } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type JsonObject, ownMember } from '#app/json.ts'

export const kindWords: Record<AuditRow['kind'], string> = {
  request: t`asked`,
  decision: t`answered`,
  call: t`call`,
  result: t`result`,
  launch: t`start`,
  rule: t`rule`,
  mode: t`how it asks`,
  'open-url': t`page`,
  'sign-in': t`sign-in`,
  key: t`key`,
  config: 'servers.json',
  exchange: t`exchanged`,
}

const text = (detail: JsonObject, ...names: string[]): string | undefined =>
  names.map((name) => detail[name]).find((value): value is string => typeof value === 'string' && value !== '')

/** Words before the server's name, by kind of request; a tool call needs none. */
const requestWords: Record<ConsentKind, string> = {
  'tool-call': '',
  launch: t`start of`,
  'elicitation-form': t`form for`,
  'elicitation-url': t`page for`,
  'sign-in': t`sign-in to`,
  sampling: t`model for`,
  'sampling-result': t`answer for`,
  roots: t`folders for`,
  'tool-changed': t`change of`,
  'config-import': t`take-over from`,
}
const leads: Partial<Record<AuditRow['kind'], string>> = {
  result: t`result of`,
  rule: t`rule for`,
  key: t`key of`,
  config: 'servers.json',
  launch: t`start of`,
  'open-url': t`page`,
  'sign-in': t`sign-in to`,
}

const methodWords: Readonly<Record<string, string>> = {
  model: t`model`,
  pull: t`pull of`,
  'sampling/createMessage': t`model’s answer for`,
  'elicitation/create': t`form or page for`,
  'roots/list': t`folders for`,
  'resources/read': t`resource of`,
  'resources/subscribe': t`news of a resource of`,
  'prompts/get': t`prompt of`,
  'completion/complete': t`suggestion of`,
}

/** The words before server and tool: "start of notes". */
export function leadLabel(row: AuditRow): string {
  const request = row.detail['request']
  if (typeof request === 'string' && Object.hasOwn(requestWords, request)) return requestWords[request as ConsentKind]
  const { method } = row.detail
  if (row.kind === 'exchange' && typeof method === 'string') return ownMember(methodWords, method) ?? t`${method} for`
  return leads[row.kind] ?? ''
}

/** Subject of a row beyond server and tool, on one line of at most 81 characters: an address, a command, a message. */
export function subject(row: AuditRow): string | undefined {
  const { detail } = row
  const { target } = detail
  const command = isJsonObject(target) ? (text(target, 'url') ?? commandOf(target)) : undefined
  const found = command ?? text(detail, 'url', 'issuer', 'message', 'model', 'uri', 'name', 'builtin', 'provider', 'previousName', 'code')
  return found === undefined ? undefined : found.length > 80 ? `${found.slice(0, 80)}…` : found
}

function commandOf(target: JsonObject): string | undefined {
  const { command, args } = target
  if (typeof command !== 'string') return undefined
  return [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string').join(' ')
}

const bad = new Set(['denied', 'failed', 'refused', 'tool-error', 'refresh-failed'])
const warn = new Set(['withdrawn', 'cancelled', 'unknown', 'late'])
const outcomeWords: Record<string, string> = { unknown: t`outcome unknown`, 'tool-error': t`the tool says it failed`, late: t`came late` }
const scopes: Record<string, string> = { once: t`once`, conversation: t`in this conversation`, always: t`always` }

export function decisionLabel(row: AuditRow): { readonly words: string; readonly word?: string; readonly tone: 'plain' | 'bad' | 'warn' } {
  const { decision, detail } = row
  if (decision === null) return { words: '', tone: 'plain' }
  const scope = text(detail, 'scope')
  const said = text(detail, 'word')
  const reason = row.kind === 'sign-in' ? text(detail, 'reason') : undefined
  const outcome = outcomeWords[decision] ?? decision.replaceAll('-', ' ')
  const words = [reason === undefined ? outcome : `${outcome}: ${reason}`, scope === undefined ? '' : (scopes[scope] ?? scope)]
    .filter(Boolean)
    .join(' ')
  return { words, tone: bad.has(decision) ? 'bad' : warn.has(decision) ? 'warn' : 'plain', ...(said === undefined ? {} : { word: said }) }
}

const deciderWords: Record<string, string> = {
  person: t`you`,
  rule: t`your rule`,
  mode: t`the chat’s mode`,
  policy: t`Assent`,
  'command-line': t`command line`,
}

export function deciderLabel(by: string | null, byHand = false): string {
  if (by === null) return ''
  return byHand && by === 'person' ? t`you, by hand` : (deciderWords[by] ?? by)
}

export const shortHash = (hash: string): string => (hash.length > 8 ? `${hash.slice(0, 4)}…${hash.slice(-2)}` : hash)

/** Merges rows without duplicates, newest first. */
export function mergeRows(rows: readonly AuditRow[], more: readonly AuditRow[]): AuditRow[] {
  const known = new Set(rows.map(({ seq }) => seq))
  return [...rows, ...more.filter(({ seq }) => !known.has(seq))].sort((a, b) => b.seq - a.seq)
}

export const sameDay = (a: number, b: number): boolean => new Date(a).toDateString() === new Date(b).toDateString()
