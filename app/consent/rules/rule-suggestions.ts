// Suggests the narrowest rule that would have answered a call: the folder of a path, the host of an address, else equal values; and
// no other arguments.
import { type JsonObject, pointerTo } from '#app/json.ts'
import { sureHost } from '#app/text/host-name.ts'
import { looksLikePath, readPathText } from './path-text.ts'
import type { Condition, RuleTerms } from './rule.ts'

/** Longest arguments as JSON for a rule on equal values. */
const LONGEST_SAME = 200

/** Terms for a call; undefined: nothing narrow fits. `local`: its paths are those of this machine. */
export function narrowTerms(args: JsonObject, local: boolean): RuleTerms | undefined {
  const entries = Object.entries(args)
  const places = entries.flatMap(([name, value]) => conditionFor(name, value, local) ?? [])
  const isSame = entries.every(([, value]) => typeof value !== 'object' || value === null) && JSON.stringify(args).length <= LONGEST_SAME
  const same = entries.map(([name, value]): Condition => ({ kind: 'equals', argument: pointerTo(name), value }))
  const conditions = places.length > 0 ? places : isSame ? same : []
  return conditions.length > 0 && conditions.length <= 20 ? { conditions, onlyArguments: Object.keys(args) } : undefined
}

function conditionFor(name: string, value: JsonObject[string], local: boolean): Condition | undefined {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  const texts = items.filter((item) => typeof item === 'string')
  if (texts.length === 0 || texts.length !== items.length) return undefined
  const hosts = new Set(texts.map(sureHost))
  const [host] = hosts
  if (hosts.size === 1 && host !== undefined) return { kind: 'url-host', argument: pointerTo(name), host, subdomains: false }
  if (!local) return undefined
  const folders = texts.map((text) => (looksLikePath(text) ? folderChoices(text)[0] : undefined))
  const [folder] = folders
  return folder !== undefined && folders.every((one) => one === folder)
    ? { kind: 'path-inside', argument: pointerTo(name), folder }
    : undefined
}

/** Folders of a path, nearest first, without the root; none for an ambiguous path. */
export function folderChoices(path: string): readonly string[] {
  const windows = /^[A-Za-z]:[\\/]/.test(path)
  const { sure, places } = readPathText(path, { windows, home: '' })
  const [place] = places
  if (!sure || place === undefined) return []
  const all = foldersFrom(place)
  const isFile = /[^./]\.[^./]+$/.test(place)
  return isFile && all.length > 1 ? all.slice(1) : all
}

export function foldersFrom(folder: string): readonly string[] {
  const parts = folder.split('/')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/')).filter((one) => one.includes('/') && !one.endsWith('/'))
}
