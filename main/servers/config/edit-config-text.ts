// Edits of the text of the config file that change nothing else: comments, order, unknown keys and indentation stay.
import { applyEdits, findNodeAtLocation, getNodeValue, modify, parseTree } from 'jsonc-parser'
import type { Json, JsonObject } from '#app/json.ts'
import { oauthSettings } from '#app/server/auth-status.ts'
import type { ServerDefinition, StdioDefinition } from '#app/server/definition.ts'
import { sandboxKeysOf } from '#app/server/sandbox/sandbox-keys.ts'

const oauthKeys = Object.keys(oauthSettings.shape)

type Path = (string | number)[]
const root = 'mcpServers'

function indentation(text: string): { insertSpaces: boolean; tabSize: number } {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1]
  if (indent?.startsWith('\t')) return { insertSpaces: false, tabSize: 1 }
  return { insertSpaces: true, tabSize: indent && indent.length <= 8 ? indent.length : 2 }
}

function set(text: string, path: Path, value: Json | undefined): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return applyEdits(text, modify(text, path, value, { formattingOptions: { ...indentation(text), eol } }))
}

const at = (text: string, path: Path) => {
  const tree = parseTree(text, [], { allowTrailingComma: true })
  return tree && findNodeAtLocation(tree, path)
}

/** Values of the keys that a definition owns; undefined removes the key. Defaults are not written. */
function fieldsOf(definition: ServerDefinition): Record<string, Json | undefined> {
  const stdio = definition.transport === 'stdio' ? definition : undefined
  const http = definition.transport === 'streamable-http' || definition.transport === 'sse' ? definition : undefined
  const builtin = definition.transport === 'builtin' ? definition : undefined
  const orNone = <T extends JsonObject | readonly Json[]>(value: T | undefined): T | undefined =>
    value && Object.keys(value).length > 0 ? value : undefined
  return {
    builtin: builtin?.module,
    command: stdio?.command,
    args: orNone(stdio?.args),
    env: orNone(stdio?.env),
    cwd: stdio?.cwd,
    ...sandboxFieldsOf(stdio?.sandbox),
    type: definition.transport === 'sse' ? 'sse' : undefined,
    url: http?.url,
    headers: orNone(http?.headers),
    oauth: orNone(http?.oauth as JsonObject | undefined),
    disabled: definition.enabled ? undefined : true,
    start: definition.start === (builtin ? 'launch' : 'needed') ? undefined : definition.start,
    trusted: definition.trusted === Boolean(builtin) ? undefined : definition.trusted,
    timeout: definition.timeoutMs,
    idleMinutes: definition.idleMinutes,
    startTimeout: definition.startTimeoutMs,
  }
}

const sandboxFieldsOf = (settings: StdioDefinition['sandbox']): Record<string, Json | undefined> => {
  const { sandboxEnabled, sandbox } = sandboxKeysOf(settings)
  return { sandboxEnabled, sandbox }
}

/** Tells whether the value in the text has the wanted meaning already: `type: "http"` means the same as no `type`. */
const saysSame = (name: string, present: unknown, wanted: Json | undefined, definition: ServerDefinition): boolean =>
  (name === 'type' &&
    wanted === undefined &&
    present !== undefined &&
    present !== 'sse' &&
    (definition.transport === 'stdio') === (present === 'stdio')) ||
  // Grants of a sandbox that is off, or not spoken of, are kept for when it is on.
  (name === 'sandbox' && (definition.transport !== 'stdio' || definition.sandbox?.kind !== 'on')) ||
  JSON.stringify(present) === JSON.stringify(wanted)

function valueAt(text: string, path: Path): unknown {
  const node = at(text, path)
  return node && getNodeValue(node)
}

/** Adds or changes one entry. An object (env, headers) is changed key by key, so that comments in it stay. */
export function setEntry(text: string, name: string, definition: ServerDefinition): string {
  let result = text.trim() === '' ? `{\n  "${root}": {}\n}\n` : text
  if (!at(result, [root])) result = set(result, [root], {})
  const fields = fieldsOf(definition)
  if (at(result, [root, name])?.type !== 'object') {
    const present = Object.entries(fields).filter((field): field is [string, Json] => field[1] !== undefined)
    return set(result, [root, name], Object.fromEntries(present))
  }
  for (const [key, wanted] of Object.entries(fields)) {
    const path = [root, name, key]
    const present = valueAt(result, path)
    if (saysSame(key, present, wanted, definition)) continue
    const isByKey = key === 'oauth' || ((key === 'env' || key === 'headers') && wanted)
    if (isByKey && at(result, path)?.type === 'object') result = setKeys(result, path, (wanted ?? {}) as JsonObject, key)
    else result = set(result, path, wanted)
  }
  return result
}

function setKeys(text: string, path: Path, wanted: JsonObject, name: string): string {
  let result = text
  const present = valueAt(text, path) as Record<string, unknown>
  for (const key of name === 'oauth' ? oauthKeys : new Set([...Object.keys(present), ...Object.keys(wanted)])) {
    const value = Object.hasOwn(wanted, key) ? wanted[key] : undefined
    if (JSON.stringify(present[key]) !== JSON.stringify(value)) result = set(result, [...path, key], value)
  }
  return Object.keys(valueAt(result, path) as object).length > 0 ? result : set(result, path, undefined)
}

export function renameEntry(text: string, from: string, to: string): string {
  const key = at(text, [root, from])?.parent?.children?.[0]
  return key ? text.slice(0, key.offset) + JSON.stringify(to) + text.slice(key.offset + key.length) : text
}

export const removeEntry = (text: string, name: string): string => (at(text, [root, name]) ? set(text, [root, name], undefined) : text)
