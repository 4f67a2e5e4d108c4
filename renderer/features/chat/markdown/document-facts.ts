// Facts that the blocks of one message share: the footnotes in the order of their references, and the size of the largest heading.
// Each run is read once.
import type { Block, BlockRun } from './block-pieces.ts'
import { inlineNoteOf, inlineNotesIn } from './parser.ts'
import { weakMemo } from './weak-memo.ts'

export interface MarkdownFacts {
  /** Labels of footnotes that are both defined and referenced, or inline, in the order of their first reference. */
  readonly labels: readonly string[]
  /** Labels beyond the limit, shown as they are written. */
  readonly unnumbered: ReadonlySet<string>
  /** Blocks with the definitions of `labels`, each once. */
  readonly definitions: readonly Block[]
  /** 1 to 6; 6 where there is none. */
  readonly topHeading: number
}

interface Seen {
  readonly defines: readonly string[]
  readonly names: readonly string[]
  readonly heading: number
}

export const mostFootnotes = 100
/** References that get a number. With more, all stay as they are written: each is a button, and a note that comes late changes them all at once. */
export const mostReferences = 1000

export const noMarkdownFacts: MarkdownFacts = { labels: [], unnumbered: new Set(), definitions: [], topHeading: 6 }
const nothingSeen: Seen = { defines: [], names: [], heading: 6 }

/** `defining`: blocks of the run with the labels that each defines. */
type SeenRun = Seen & { readonly defining: readonly (readonly [block: Block, labels: readonly string[]])[] }

function readBlock(block: Block): Seen {
  if (block.kind === 'fence') return nothingSeen
  const { text } = block
  const notes = text.includes('[^') ? [...text.matchAll(/\[\^([^\]\s]+)\](:?)/g)] : []
  const isDefinition = (match: RegExpExecArray): boolean =>
    match[2] === ':' && /\n {0,3}$/.test(`\n${text}`.slice(Math.max(0, match.index - 3), match.index + 1))
  const label = (match: RegExpExecArray): string => match[1] ?? ''
  const headings = text.includes('#') ? [...text.matchAll(/^ {0,3}(#{1,6})\s/gm)].map((match) => match[1]?.length ?? 6) : []
  if (text.includes('\n') && text.includes('=') && /^ {0,3}\S.*\n {0,3}=+\s*$/m.test(text)) headings.push(1)
  return {
    defines: notes.filter(isDefinition).map(label),
    names: inPlaces(text, [
      ...notes.filter((match) => !isDefinition(match)).map((match) => ({ at: match.index, label: label(match) })),
      ...inlineNotesIn(text).map((note) => ({ at: undefined, label: note })),
    ]),
    heading: Math.min(6, ...headings),
  }
}

interface Reference {
  readonly label: string
  /** Index in the text; undefined: its first occurrence after the reference before. */
  readonly at: number | undefined
}

function inPlaces(text: string, references: readonly Reference[]): string[] {
  let from = 0
  const placed = references.map(({ label, at }) => {
    if (at !== undefined) return { label, at }
    const found = text.indexOf(label, from)
    from = found + 1
    return { label, at: found }
  })
  return placed.sort((a, b) => a.at - b.at).map(({ label }) => label)
}

/** Facts of a run, read once: a streamed answer asks for them with every piece. */
const seen = weakMemo((run: BlockRun): SeenRun => {
  const all = run.map(readBlock)
  return {
    defining: run.flatMap((block, index) => (all[index]?.defines.length ? [[block, all[index].defines] as const] : [])),
    defines: all.flatMap(({ defines }) => defines),
    names: all.flatMap(({ names }) => names),
    heading: all.reduce((top, { heading }) => Math.min(top, heading), 6),
  }
})

const alike = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index])

/** Returns the facts of the runs; the same object as `before` when nothing changed. */
export function markdownFactsOf(runs: readonly BlockRun[], before: MarkdownFacts): MarkdownFacts {
  const defined = new Set(runs.flatMap((run) => seen(run).defines))
  const named = new Set(runs.flatMap((run) => seen(run).names))
  const shown = [...named].filter((label) => defined.has(label) || inlineNoteOf(label) !== undefined)
  const references = runs.reduce((sum, run) => sum + seen(run).names.length, 0)
  const most = references > mostReferences ? 0 : mostFootnotes
  const labels = shown.slice(0, most)
  const rest = shown.slice(most)
  const undefinedYet = new Set(labels)
  // A definition that no number leads to changes nothing.
  const definitions = runs.flatMap((run) =>
    seen(run).defining.flatMap(([block, defines]) => (defines.filter((label) => undefinedYet.delete(label)).length > 0 ? [block] : [])),
  )
  const topHeading = runs.reduce((top, run) => Math.min(top, seen(run).heading), 6)
  const same =
    topHeading === before.topHeading &&
    before.unnumbered.size === rest.length &&
    alike(labels, before.labels) &&
    alike(definitions, before.definitions)
  return same ? before : { labels, unnumbered: new Set(rest), definitions, topHeading }
}

export function needsMarkdownFacts(run: BlockRun): boolean {
  const { defines, names, heading } = seen(run)
  return heading < 6 || defines.length > 0 || names.length > 0
}
