// A bundle as a page sees it: before it is installed, once it is, and as an update. Texts of two versions are compared as they stand in
// the manifests, so that the folder of each version makes no difference.
import { z } from 'zod'
import { mapOf } from '../../json-schemas.ts'
import { serverName } from '../definition.ts'
import { type BundlePlatform, commandFor } from './bundle-command.ts'
import { bundleDownload } from './bundle-download.ts'
import { signatureSummary } from './bundle-signature.ts'
import { concern } from './command-warnings.ts'
import { fitCheck } from './compatibility.ts'
import { type BundleManifest, serverTypes } from './manifest.ts'
import { bundleField } from './user-config.ts'

const bundleChange = z.object({
  what: z.enum(['command', 'argument', 'variable', 'tool', 'prompt', 'setting', 'author', 'type', 'description']),
  name: z.string().optional(),
  /** Absent for what was added; `after` for what was removed. */
  before: z.string().optional(),
  after: z.string().optional(),
})
export type BundleChange = z.infer<typeof bundleChange>

type What = BundleChange['what']
const mostChanges = 300
const longest = 2000

export function changesBetween(before: BundleManifest, after: BundleManifest, system: BundlePlatform): BundleChange[] {
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

const offer = z.object({ name: z.string(), description: z.string() })

const bundleFacts = z.object({
  name: z.string(),
  displayName: z.string(),
  /** A PNG as a `data:` address. */
  icon: z.string().max(400_000).optional(),
  version: z.string(),
  description: z.string(),
  longDescription: z.string().optional(),
  author: z.object({ name: z.string(), email: z.string().optional(), url: z.string().optional() }),
  license: z.string().optional(),
  links: z.array(z.object({ what: z.enum(['homepage', 'documentation', 'support', 'repository', 'privacy']), url: z.string() })),
  manifestVersion: z.string(),
  type: z.enum(serverTypes),
  tools: z.array(offer),
  toolsGenerated: z.boolean(),
  prompts: z.array(offer),
  promptsGenerated: z.boolean(),
})
export type BundleFacts = z.infer<typeof bundleFacts>

const bundleUpdate = z.object({
  server: serverName,
  version: z.string(),
  order: z.enum(['newer', 'older', 'same', 'unknown']),
  /** False when it is of another origin, and cannot replace that one. */
  sameOrigin: z.boolean(),
  changes: z.array(bundleChange),
  fields: z.array(bundleField),
})
export type BundleUpdate = z.infer<typeof bundleUpdate>

const known = { facts: bundleFacts, signature: signatureSummary, fields: z.array(bundleField), download: bundleDownload.optional() }

export const bundleSummary = z.object({
  ...known,
  id: z.string(),
  file: z.string(),
  bytes: z.number().int(),
  files: z.number().int(),
  unpackedBytes: z.number().int(),
  /** Command as the manifest has it for this system; `${…}` is resolved later, and shown then. */
  command: z.object({ command: z.string(), args: z.array(z.string()), env: mapOf(z.string()) }),
  concerns: z.array(concern),
  fit: z.array(fitCheck),
  suggestedName: serverName,
  updates: z.array(bundleUpdate),
})
export type BundleSummary = z.infer<typeof bundleSummary>

/** True where something speaks against installing it: its signature, its command, this system, or an unchecked download. */
export function isQuestionable(one: Pick<BundleSummary, 'signature' | 'concerns' | 'fit' | 'download'>): boolean {
  const signatureIsBad = one.signature.kind === 'changed' || one.signature.kind === 'unreadable'
  return signatureIsBad || one.concerns.length > 0 || one.fit.some(({ fits }) => fits === 'no') || one.download?.checked === false
}

export const installedBundle = z.object({
  ...known,
  server: serverName,
  installedAt: z.number(),
  folder: z.string(),
  /** The version before, kept until this one has started once or is accepted. */
  previous: z.object({ version: z.string() }).optional(),
})
export type InstalledBundle = z.infer<typeof installedBundle>
