// What is other in a new version of a bundle: what runs, what it is told, what it offers and what it asks for. Texts are
// compared as they stand in the manifests, so that the folder of each version makes no difference.
import { z } from 'zod'
import { commandFor, type System } from './command.ts'
import type { BundleManifest } from './manifest.ts'

export const bundleChange = z.object({
  what: z.enum(['command', 'argument', 'variable', 'tool', 'prompt', 'setting', 'author', 'type', 'description']),
  /** Of what there are several: its name. */
  name: z.string().optional(),
  /** Absent: it was not there. */
  before: z.string().optional(),
  /** Absent: it is gone. */
  after: z.string().optional(),
})
export type BundleChange = z.infer<typeof bundleChange>

type What = BundleChange['what']
const mostChanges = 300
const longest = 2000

export function changesBetween(before: BundleManifest, after: BundleManifest, system: System): BundleChange[] {
  const [old, next] = [commandFor(before, system), commandFor(after, system)]
  return [
    ...single('author', before.author.name, after.author.name),
    ...single('type', before.server.type, after.server.type),
    ...single('command', old.command, next.command),
    ...single('argument', old.args.join(' '), next.args.join(' ')),
    ...named('variable', Object.entries(old.env), Object.entries(next.env)),
    ...named('setting', settingsOf(before), settingsOf(after)),
    ...named('tool', offers(before.tools), offers(after.tools)),
    ...named('prompt', offers(before.prompts), offers(after.prompts)),
    ...single('description', before.description, after.description),
  ].slice(0, mostChanges)
}

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1).toWellFormed()}…` : text)
const single = (what: What, before: string, after: string): BundleChange[] =>
  before === after ? [] : [{ what, before: cut(before), after: cut(after) }]

type Entries = readonly (readonly [name: string, text: string])[]

function named(what: What, before: Entries, after: Entries): BundleChange[] {
  const [old, next] = [new Map(before), new Map(after)]
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((name): BundleChange[] => {
    const [was, is] = [old.get(name), next.get(name)]
    if (was === is) return []
    return [{ what, name, ...(was === undefined ? {} : { before: cut(was) }), ...(is === undefined ? {} : { after: cut(is) }) }]
  })
}

const offers = (list: readonly { readonly name: string; readonly description?: string | undefined }[] = []): Entries =>
  list.map(({ name, description = '' }) => [name, description])

const settingsOf = ({ user_config = {} }: BundleManifest): Entries =>
  Object.entries(user_config).map(([key, { type, required, sensitive, multiple, title = '' }]) => [
    key,
    [type, required && 'required', sensitive && 'secret', multiple && 'several', title && `“${title}”`].filter(Boolean).join(', '),
  ])
