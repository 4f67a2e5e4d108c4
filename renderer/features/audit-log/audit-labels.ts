// Labels of the rows of the audit log. Text in a row comes from the host and, inside `detail`, from servers and models: it is shown as
// text, never as markup. Unknown decisions and deciders show their codes.
import type { AuditRow } from '#app/consent/audit-row.ts'
import type { ConsentKind } from '#app/consent/request.ts'
import { code, serverPieces, toolNamePiece, tp, type WordPiece } from '#app/consent/rules/rule-labels.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { spokenLanguage, t } from '#app/i18n/translate.ts'
import { isJsonObject, type JsonObject, ownMember } from '#app/json.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { modeLabels, modes } from '#renderer/features/chat/settings/mode-picker.tsx'
import { formatDollars } from '#renderer/features/usage/usage-labels.ts'
import type { IconName } from '#renderer/ui/icon.tsx'
import { type Action, figureOf, firstRow, lastRow, textOf } from './activity-story.ts'

export const kindWords: Record<AuditRow['kind'], string> = {
  request: t`Request`,
  decision: t`Decision`,
  call: t`Call`,
  result: t`Result`,
  launch: t`Start`,
  rule: t`Rule`,
  mode: t`Chat mode`,
  'open-url': t`Page`,
  'sign-in': t`Sign-in`,
  key: t`Key`,
  config: t`Settings`,
  exchange: t`Message`,
}

const text = (detail: JsonObject, ...names: string[]): string | undefined =>
  names.map((name) => detail[name]).find((value): value is string => typeof value === 'string' && value !== '')

/** Label before the server's name, by kind of request; a tool call needs none. */
const requestWords: Record<ConsentKind, string> = {
  'tool-call': '',
  launch: t`Start`,
  'elicitation-form': t`Form`,
  'elicitation-url': t`Page`,
  'sign-in': t`Sign-in`,
  sampling: t`Model`,
  'sampling-result': t`Answer`,
  roots: t`Shared folders`,
  'tool-changed': t`Changed tool`,
  'config-import': t`Import servers`,
}

const methodWords: Readonly<Record<string, string>> = {
  model: t`Model`,
  pull: t`Download`,
  'sampling/createMessage': t`Answer`,
  'elicitation/create': t`Form`,
  'roots/list': t`Shared folders`,
  'resources/read': t`Resource`,
  'resources/subscribe': t`Resource`,
  'prompts/get': t`Prompt`,
}

/** Settings of no server, by the code of what was decided. */
const settingWords: Readonly<Record<string, string>> = {
  'chat-folder': t`Folder`,
  folders: t`Shared folders`,
  saved: 'servers.json',
  'permissions-signed': t`Permissions`,
  'permissions-removed': t`Permissions`,
  'permissions-not-used': t`Permissions`,
}

/** The label before server and tool: "Start notes". */
export function leadLabel(row: AuditRow): string {
  const request = row.detail['request']
  if (typeof request === 'string' && Object.hasOwn(requestWords, request)) return requestWords[request as ConsentKind]
  const { method } = row.detail
  if (row.kind === 'config' && row.server === null) return ownMember(settingWords, row.decision ?? '') ?? kindWords.config
  if (row.kind === 'exchange' && typeof method === 'string') return ownMember(methodWords, method) ?? method
  return row.kind === 'call' || row.kind === 'request' || row.kind === 'decision' || row.kind === 'mode' ? '' : kindWords[row.kind]
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
const outcomeWords: Record<string, string> = { unknown: t`outcome unknown`, 'tool-error': t`error`, late: t`late` }
const scopes: Record<string, string> = { once: t`Once`, conversation: t`For this chat`, always: t`Always` }

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

export const shortHash = (hash: string): string => (hash.length > 8 ? `${hash.slice(0, 4)}…${hash.slice(-2)}` : hash)

/** Merges rows without duplicates, newest first. */
export function mergeRows(rows: readonly AuditRow[], more: readonly AuditRow[]): AuditRow[] {
  const known = new Set(rows.map(({ seq }) => seq))
  return [...rows, ...more.filter(({ seq }) => !known.has(seq))].sort((a, b) => b.seq - a.seq)
}

/** Sentence of what happened; names of servers and tools are set off. */
export function actionPieces(action: Action): readonly WordPiece[] {
  const row = firstRow(action)
  const { detail, tool } = row
  const server = serverPieces(row.server ?? '', textOf(detail, 'account'))
  const request = textOf(detail, 'request')
  const model = [code(modelName(action))]
  if (action.kind === 'blocked') return tp`${server} tried to reach ${[code(action.target ?? '')]}`
  if (action.kind === 'call') {
    const ran = action.rows.some(({ kind }) => kind === 'call' || kind === 'result')
    const used = [toolNamePiece(tool ?? '')]
    const about = ran ? tp`${server} used ${used}` : tp`${server} wanted to use ${used}`
    return [...about, ...timesPieces(action)]
  }
  if (action.kind === 'launch') return lastRow(action).decision === 'denied' ? tp`${server} wanted to start` : tp`${server} started`
  if (action.kind === 'model') {
    const purpose = textOf(detail, 'purpose')
    if (purpose === 'title') return tp`${model} wrote a title`
    if (purpose === 'summary') return tp`${model} wrote a summary`
    return [...tp`${model} answered`, ...timesPieces(action)]
  }
  const sentence = request !== undefined && row.server !== null ? requestPieces(request, row, model) : undefined
  return sentence ?? otherPieces(row, model)
}

const timesPieces = ({ alike }: Action): readonly WordPiece[] => (alike.length < 2 ? [] : [plain(` × ${formatNumber(alike.length)}`)])

/** Name of the model without its provider. */
const modelName = ({ rows }: Action): string =>
  rows
    .map(({ detail }) => textOf(detail, 'model'))
    .findLast((name) => name !== undefined)
    ?.split('/')
    .at(-1) ?? ''

function requestPieces(request: string, { server: name, tool, detail }: AuditRow, model: readonly WordPiece[]) {
  const server = serverPieces(name ?? '', textOf(detail, 'account'))
  switch (request) {
    case 'elicitation-form':
      return tp`${server} asked you for data`
    case 'elicitation-url':
      return tp`${server} asked you to open ${[code(textOf(detail, 'url') ?? '')]}`
    case 'sampling':
      return tp`${server} asked ${model}`
    case 'sampling-result':
      return tp`${server} got an answer from ${model}`
    case 'roots':
      return tp`${server} asked for your folders`
    case 'tool-changed':
      return tp`${server} changed ${[toolNamePiece(tool ?? '')]}`
    default:
      return undefined
  }
}

function otherPieces(row: AuditRow, model: readonly WordPiece[]): readonly WordPiece[] {
  const { kind, detail } = row
  if (kind === 'exchange' && detail['method'] === 'pull') return tp`Download: ${model}`
  if (kind === 'rule') return tp`Rule: ${[plain(textOf(detail, 'rule') ?? '')]}`
  if (kind === 'mode') return [plain(`${kindWords.mode}: `), plain(ownMember(modeNames, row.decision ?? '') ?? row.decision ?? '')]
  const lead = leadLabel(row)
  const about = subject(row)
  return [
    ...(lead === '' ? [] : [plain(`${lead}: `)]),
    ...(row.server === null ? [] : [...serverPieces(row.server, textOf(detail, 'account')), plain(' ')]),
    ...(about === undefined ? [] : [code(about)]),
  ]
}

const plain = (text: string): WordPiece => ({ text })
const modeNames = Object.fromEntries(modes.map((mode) => [mode, modeLabels[mode].name]))

/** Capitalizes a label, but not a file name. */
export const capital = (text: string): string =>
  text.includes('.') ? text : text.replace(/^./u, (letter) => letter.toLocaleUpperCase(spokenLanguage()))

interface Outcome {
  readonly icon: IconName
  readonly words: string
  readonly tone: 'plain' | 'bad' | 'warn'
}

export function actionOutcome(action: Action): Outcome {
  const { decision, by, detail, kind } = lastRow(action)
  const icon: IconName = action.kind === 'model' ? 'model' : action.kind === 'launch' ? 'play' : 'check'
  const [isBad, isWarn] = [bad.has(decision ?? ''), warn.has(decision ?? '')]
  if (action.kind === 'blocked') return { icon: 'shield', words: t`Blocked`, tone: 'plain' }
  if (decision === null) return { icon: 'clock', words: t`Waiting`, tone: 'plain' }
  if (decision === 'denied') return { icon: 'dash', words: by === 'person' ? t`Denied` : t`Blocked`, tone: 'plain' }
  if (decision === 'sent') return { icon: 'clock', words: t`Running`, tone: 'plain' }
  if (detail['code'] === 'tool.timeout') return { icon: 'clock', words: t`Timed out`, tone: 'warn' }
  if (isWarn || isBad)
    return {
      icon: isBad ? 'warning' : 'clock',
      words: capital(outcomeWords[decision] ?? decisionWord(decision)),
      tone: isBad ? 'bad' : 'warn',
    }
  return { icon, words: figures(action) ?? plainOutcome(kind, decision), tone: 'plain' }
}

const plainOutcome = (kind: AuditRow['kind'], decision: string): string =>
  kind === 'mode' || (kind === 'config' && isSetting(decision)) ? t`Changed` : capital(decisionWord(decision))
const isSetting = (decision: string): boolean => decision === 'folders' || decision === 'chat-folder'

const decisionWord = (code: string): string => code.replaceAll('-', ' ')

/** Size of what came back, or tokens and their cost. */
function figures(action: Action): string | undefined {
  if (action.kind === 'call') {
    const bytes = figureOf(action, 'bytes')
    return lastRow(action).kind === 'result' && bytes !== undefined ? formatBytes(bytes) : undefined
  }
  if (action.kind !== 'model') return undefined
  const tokens = (figureOf(action, 'inputTokens') ?? 0) + (figureOf(action, 'outputTokens') ?? 0)
  const cost = figureOf(action, 'cost')
  if (tokens === 0) return undefined
  return [t`${formatNumber(tokens)} tokens`, cost === undefined ? '' : formatDollars(cost)].filter(Boolean).join(', ')
}
