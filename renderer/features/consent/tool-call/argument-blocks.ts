// The form in which each argument of a tool call reads best, in the order in which they are sent. Every argument is in exactly one
// block; a value that is not known to be a change of text is shown as it is.
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject, pointerTo } from '#app/json.ts'

/** Splits a path: text that begins like one (~, /, ./, ../, a drive, \\share). A relative name with a slash may be a repository or a topic. */
export function splitPath(text: string): { readonly folder: string; readonly name: string } | undefined {
  if (!/^(?:~?\/|\.{1,2}\/|[A-Za-z]:[\\/]|\\\\)/.test(text) || /[\n\r]/.test(text)) return undefined
  const at = Math.max(text.lastIndexOf('/', text.length - 2), text.lastIndexOf('\\', text.length - 2))
  return { folder: text.slice(0, at + 1), name: text.slice(at + 1) }
}

export interface TextChange {
  /** Undefined: all of the text is new, as of a file that is written. */
  readonly before: string | undefined
  readonly after: string
  /** JSON Pointers to both texts, and to the object that they stand in. */
  readonly at: { readonly before: string; readonly after: string; readonly within: string }
  /** Other members of that object. */
  readonly rest: JsonObject
}

export type ArgumentBlock =
  /** Short values, shown beside their names. */
  | { readonly kind: 'short'; readonly values: JsonObject }
  | { readonly kind: 'path'; readonly name: string; readonly text: string }
  | { readonly kind: 'long'; readonly name: string; readonly text: string }
  | { readonly kind: 'changes'; readonly name: string; readonly changes: readonly TextChange[] }
  | { readonly kind: 'json'; readonly name: string; readonly value: Json }

export const isPlain = (value: Json): value is string | number | boolean | null => value === null || typeof value !== 'object'
export const isLong = (text: string): boolean => text.includes('\n') || text.length > 400
/** Text that reads like another value (`true`, `5`), or whose edges cannot be seen: shown in its quotes. */
export const needsQuotes = (text: string): boolean =>
  /^(?:true|false|null|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i.test(text) || text.trim() !== text || /^".*"$/.test(text)
export const isPlainList = (value: Json): value is readonly (string | number | boolean | null)[] =>
  Array.isArray(value) && value.length > 0 && value.every((item: Json) => isPlain(item) && !isLong(String(item)))

/** `oldText` with `newText`, `old_string` with `new_string`, …: names that can only mean a change of text. */
const oldName = /^old_?(?:|text|string|str|content|code|lines)$/i

type Pair = Readonly<Record<'from' | 'to', string>>

function pairIn(value: JsonObject): Pair | undefined {
  for (const from of Object.keys(value)) {
    if (!oldName.test(from)) continue
    const to = from.replace(/^old/i, (old) => ({ old: 'new', Old: t`New`, OLD: 'NEW' })[old] ?? 'new')
    if (typeof value[from] === 'string' && Object.hasOwn(value, to) && typeof value[to] === 'string') return { from, to }
  }
  return undefined
}

function changeOf(value: Json, within: string): TextChange | undefined {
  if (!isJsonObject(value)) return undefined
  const pair = pairIn(value)
  if (!pair) return undefined
  const { [pair.from]: before, [pair.to]: after, ...rest } = value
  const at = { before: within + pointerTo(pair.from), after: within + pointerTo(pair.to), within }
  return { before: String(before), after: String(after), at, rest }
}

function changesOf(name: string, value: Json): readonly TextChange[] | undefined {
  const all = Array.isArray(value)
    ? (value as readonly Json[]).map((item, index) => changeOf(item, pointerTo(name, String(index))))
    : [changeOf(value, pointerTo(name))]
  const known = all.filter((change) => change !== undefined)
  return known.length > 0 && known.length === all.length ? known : undefined
}

/** Names of the whole text of a file, beside its path. */
const wholeText = /^(?:contents?|file_?text)$/i

function blockOf(name: string, value: Json, ofFile: boolean): ArgumentBlock {
  if (ofFile && typeof value === 'string' && wholeText.test(name)) {
    const at = { before: '', after: pointerTo(name), within: '' }
    return { kind: 'changes', name, changes: [{ before: undefined, after: value, at, rest: {} }] }
  }
  if (typeof value === 'string' && isLong(value)) return { kind: 'long', name, text: value }
  if (typeof value === 'string' && splitPath(value)) return { kind: 'path', name, text: value }
  if (isPlain(value) || isPlainList(value)) return { kind: 'short', values: { [name]: value } }
  const changes = changesOf(name, value)
  return changes ? { kind: 'changes', name, changes } : { kind: 'json', name, value }
}

export function argumentBlocks(value: JsonObject): readonly ArgumentBlock[] {
  const pair = pairIn(value)
  const change = changeOf(value, '')
  const ofFile = Object.values(value).some((item) => typeof item === 'string' && splitPath(item) !== undefined)
  const blocks: ArgumentBlock[] = []
  for (const [name, item] of Object.entries(value)) {
    if (name === pair?.to) continue
    const block: ArgumentBlock =
      change && pair && name === pair.from
        ? { kind: 'changes', name: `${pair.from}, ${pair.to}`, changes: [{ ...change, rest: {} }] }
        : blockOf(name, item, ofFile)
    const last = blocks.at(-1)
    if (block.kind === 'short' && last?.kind === 'short')
      blocks[blocks.length - 1] = { kind: 'short', values: { ...last.values, ...block.values } }
    else blocks.push(block)
  }
  return blocks
}

/** The blocks for a card: changes of text by themselves, all others beside their names. */
export function cardBlocks(value: JsonObject): readonly Extract<ArgumentBlock, { kind: 'short' | 'changes' }>[] {
  const blocks: Extract<ArgumentBlock, { kind: 'short' | 'changes' }>[] = []
  for (const block of argumentBlocks(value)) {
    const last = blocks.at(-1)
    if (block.kind === 'changes') blocks.push(block)
    else {
      const values = block.kind === 'short' ? block.values : { [block.name]: block.kind === 'json' ? block.value : block.text }
      if (last?.kind === 'short') blocks[blocks.length - 1] = { kind: 'short', values: { ...last.values, ...values } }
      else blocks.push({ kind: 'short', values })
    }
  }
  return blocks
}
