// What changed between two definitions of a tool, in the parts that a person reads them in. Pure. Whatever differs is in
// some part: a schema whose lines are alike though it is written otherwise is compared as JSON.
import { canonicalJson } from '#app/canonical-json.ts'
import type { ToolDefinition } from '#app/consent/tool-definition.ts'
import type { JsonObject } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import { plainName, type SchemaLine, schemaLines } from './schema-lines.ts'
import { type DiffLine, diffLines } from './text-diff.ts'

export interface ChangedPart {
  readonly title: string
  /** What it is for, or how much of it changed. */
  readonly note: string
  readonly lines: readonly DiffLine[]
}

export interface DefinitionDiff {
  readonly changed: readonly ChangedPart[]
  /** Parts that are as they were. */
  readonly same: readonly string[]
}

export function definitionDiff(before: ToolDefinition, after: ToolDefinition): DefinitionDiff {
  const parts: readonly ChangedPart[] = [
    { title: t`Title`, note: t`what people read`, lines: textLines(before.title, after.title) },
    { title: t`Description`, note: t`what the model reads`, lines: textLines(before.description, after.description) },
    schemaPart(t`Arguments`, before.inputSchema, after.inputSchema),
    schemaPart(t`What it returns`, before.outputSchema, after.outputSchema),
    { title: t`What it says about itself`, note: '', lines: pairLines(claimLines(before), claimLines(after)).lines },
  ]
  const isSame = ({ lines }: ChangedPart): boolean => lines.every(({ kind }) => kind === 'same')
  return {
    changed: parts.filter((part) => !isSame(part)),
    same: parts.filter((part) => isSame(part) && part.lines.length > 0).map(({ title }) => title.toLowerCase()),
  }
}

/** For the clipboard: signs and words as they are shown. */
export const diffText = ({ changed }: DefinitionDiff): string =>
  changed
    .map(({ title, lines }) => [title, ...lines.map(({ kind, text }) => `${{ same: ' ', out: '-', in: '+' }[kind]} ${text}`)].join('\n'))
    .join('\n\n')

function textLines(before: string | undefined, after: string | undefined): readonly DiffLine[] {
  if (before !== undefined && after !== undefined) return diffLines(before, after)
  const all = (kind: 'in' | 'out', text: string | undefined): DiffLine[] => (text ?? '').split('\n').map((line) => ({ kind, text: line }))
  return before === after ? [] : after === undefined ? all('out', before) : all('in', after)
}

function schemaPart(title: string, before: JsonObject | undefined, after: JsonObject | undefined): ChangedPart {
  const pairs = pairLines(before ? schemaLines(before) : [], after ? schemaLines(after) : [])
  const alike = pairs.lines.every(({ kind }) => kind === 'same')
  if (alike && jsonOf(before) !== jsonOf(after)) return { title, note: t`as JSON`, lines: diffLines(jsonOf(before), jsonOf(after)) }
  return { title, note: pairs.note, lines: pairs.lines }
}

const jsonOf = (value: JsonObject | undefined): string =>
  value === undefined ? '' : JSON.stringify(JSON.parse(canonicalJson(value)), null, 2)

const claimLines = ({ annotations = {} }: ToolDefinition): SchemaLine[] =>
  Object.entries(annotations as JsonObject)
    .map(([name, value]) => ({ place: plainName(name), text: `${plainName(name)}  ${canonicalJson(value)}` }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))

/** Lines of the same place stand together; those that did not change are named in one line before the others. */
function pairLines(before: readonly SchemaLine[], after: readonly SchemaLine[]): { readonly lines: DiffLine[]; readonly note: string } {
  const was = new Map(before.map(({ place, text }) => [place, text]))
  const is = new Map(after.map(({ place, text }) => [place, text]))
  const counts = { added: 0, removed: 0, changed: 0 }
  const same: string[] = []
  const lines: DiffLine[] = []
  for (const place of [...new Set([...was.keys(), ...is.keys()])].sort((a, b) => (a < b ? -1 : 1))) {
    const [from, to] = [was.get(place), is.get(place)]
    if (from === to) {
      if (place !== '') same.push(place)
    } else if (from === undefined) {
      counts.added += 1
      lines.push({ kind: 'in', text: to ?? '' })
    } else if (to === undefined) {
      counts.removed += 1
      lines.push({ kind: 'out', text: from })
    } else {
      counts.changed += 1
      lines.push(...diffLines(from, to))
    }
  }
  const { added, removed, changed } = counts
  const words = [
    added > 0 ? t`${added} added` : '',
    removed > 0 ? t`${removed} removed` : '',
    changed > 0 ? t`${changed} changed` : '',
    same.length > 0 ? t`${same.length} the same` : '',
  ].filter(Boolean)
  const unchanged: DiffLine[] = same.length > 0 ? [{ kind: 'same', text: t`${same.join(', ')}   unchanged` }] : []
  return { lines: [...unchanged, ...lines], note: words.join(', ') }
}
