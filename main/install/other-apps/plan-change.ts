// Plans of changes to other programs' config files: steps that put Assent's server in and cut the servers that move behind it, steps that
// undo this, and the lines that a person is shown. Pure.
import { z } from 'zod'
import type { JsonObject } from '#app/json.ts'
import { looksSecret, MASK, maskText } from '#app/text/secret-names.ts'
import { appTextDigest, ours } from './app-files.ts'
import { addServer, applySplices, cutServer, putServerBack, type ServerMap, type Splice, serversIn } from './edit-config.ts'

const splices = z.array(z.object({ offset: z.number(), length: z.number(), text: z.string() }))
/** Way back from a change: step by step where the text has that digest, else by what was cut. */
export const linkReceipt = z.object({
  path: z.string(),
  digest: z.string(),
  back: z.array(splices),
  isNew: z.boolean(),
  moved: z.array(z.object({ name: z.string(), raw: z.string(), entry: z.json() })),
})
export type LinkReceipt = z.infer<typeof linkReceipt>

/** Steps from one text to another, each on the text that the one before left. */
export interface LinkPlan {
  readonly steps: readonly (readonly Splice[])[]
  readonly moved: LinkReceipt['moved']
  /** Whether the file goes: Assent had made it. */
  readonly removes: boolean
  /** Whether the file becomes what it was before Assent changed it. */
  readonly exact: boolean
}

export const afterSteps = (text: string, steps: LinkPlan['steps']): string =>
  steps.reduce((before, step) => applySplices(before, step), text)

/** Returns the splices that lead back to `text`. */
export function invertSplices(text: string, splices: readonly Splice[]): Splice[] {
  let moved = 0
  return splices.map(({ offset, length, text: next }) => {
    const back = { offset: offset + moved, length: next.length, text: text.slice(offset, offset + length) }
    moved += next.length - length
    return back
  })
}

/** Puts Assent’s server in, in place of an older entry, and cuts the moved ones. @throws {UneditableConfig} */
export function planConnect(map: ServerMap, before: string, entry: JsonObject, move: readonly string[]): LinkPlan {
  const steps: Splice[][] = []
  const there = serversIn(before, map)
  const text = (): string => afterSteps(before, steps)
  if (there[ours] !== undefined) steps.push(cutServer(before, map, ours).splices)
  steps.push(addServer(text(), map, ours, entry))
  const moved = move.map((name) => {
    const { splices: step, raw } = cutServer(text(), map, name)
    steps.push(step)
    return { name, raw, entry: JSON.parse(JSON.stringify(there[name])) as LinkReceipt['moved'][number]['entry'] }
  })
  return { steps, moved, removes: false, exact: false }
}

/** Undoes a change whole where the file was left alone, else takes Assent’s server out and puts the moved ones back. @throws {UneditableConfig} */
export function planDisconnect(map: ServerMap, before: string, kept: LinkReceipt | undefined): LinkPlan {
  if (kept && appTextDigest(before) === kept.digest) return { steps: kept.back, moved: [], removes: kept.isNew, exact: true }
  const steps: Splice[][] = []
  const text = (): string => afterSteps(before, steps)
  if (serversIn(before, map)[ours] !== undefined) steps.push(cutServer(before, map, ours).splices)
  for (const { name, raw, entry } of kept?.moved ?? [])
    if (serversIn(text(), map)[name] === undefined) steps.push(putServerBack(text(), map, name, raw, entry))
  return { steps, moved: [], removes: false, exact: false }
}

/** Lines around a change that are shown with it. */
const around = 3

/** Lines that differ, with some around them and secrets masked. Null: there is no file. */
export function shownLines(before: string | undefined, after: string | undefined): { before: string | null; after: string | null } {
  const [old, next] = [before, after].map((text) => (text ?? '').split('\n'))
  if (!old || !next) return { before: null, after: null }
  const least = Math.min(old.length, next.length)
  let same = 0
  while (same < least && old[same] === next[same]) same += 1
  let end = 0
  while (end < least - same && old.at(-1 - end) === next.at(-1 - end)) end += 1
  const from = Math.max(0, same - around)
  const shown = (lines: readonly string[]): string =>
    lines
      .slice(from, lines.length - Math.max(0, end - around))
      .map(maskLine)
      .join('\n')
  return { before: before === undefined ? null : shown(old), after: after === undefined ? null : shown(next) }
}

/** Masks the value of a name that looks secret, and keys and tokens. */
const maskLine = (line: string): string =>
  maskText(
    line.replace(
      /(["']?)([\w.-]+)\1(\s*[:=]\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,#{}[\]]+)/g,
      (whole, quote: string, name: string, sign: string, value: string) =>
        looksSecret(name) ? `${quote}${name}${quote}${sign}${/^["']/.test(value) ? `${value[0]}${MASK}${value[0]}` : MASK}` : whole,
    ),
  )
