// Requests about bundles (.mcpb, .dxt), the registry search, sites, skills, and deep links and opened files.
import { z } from 'zod'
import { sha256Text } from '../server/bundle/bundle-download.ts'
import { bundleSummary, installedBundle } from '../server/bundle/bundle-summary.ts'
import { configValues } from '../server/bundle/user-config.ts'
import { snippet } from '../server/candidate.ts'
import { serverName } from '../server/definition.ts'
import { listedSkill, mostSkills } from '../server/library-listing.ts'
import { registryCursor, registryResultPage } from '../server/registry/registry-entry.ts'
import { id, request, uploadedPart } from './request-schema.ts'

const searcher = id
const again = z.boolean().optional()
const version = z.string().min(1).max(255)

export const registryRequests = {
  /** Cancels the searcher’s previous request. `again`: ignores a recent cached answer. @throws {HostError} `registry.*` */
  'registry.find': request({ searcher, text: z.string().max(200), cursor: registryCursor.optional(), again }, registryResultPage),
  /** Versions of one server; `version`: only that one (or `latest`). */
  'registry.server': request({ searcher, name: z.string().min(1).max(200), version: version.optional() }, registryResultPage),
  'registry.cancel': request({ searcher }),
} as const

export const webAddress = z
  .string()
  .regex(/^https?:\/\//i)
  .max(4000)

/** SHA-256 of the SKILL.md that the person read: another one is not taken. */
export const shownSkill = sha256Text
/** The URI is that of a skill, whose files are checked against the list. */
export const isSkill = z.literal(true).optional()

export const discoveryRequests = {
  /** Reads the servers that a site names, over the network. Saves and runs nothing. */
  'config.discover': request({ site: webAddress }, snippet),
  /** Skills of a server, listed now; one that does not run is started. None of their files is read. */
  'library.skills': request({ fetch: id, server: serverName }, { skills: z.array(listedSkill).max(mostSkills), more: z.number().int() }),
} as const

export const deepLinkItem = z.discriminatedUnion('kind', [
  /** Link as received; whoever shows it parses it. */
  z.object({ kind: z.literal('link'), id: z.string(), text: z.string() }),
  /** Opened file; the bundle is open under that id. */
  z.object({ kind: z.literal('bundle'), id: z.string(), bundle: z.string(), file: z.string() }),
  z.object({ kind: z.literal('refused'), id: z.string(), what: z.enum(['link', 'file']), message: z.string() }),
])
export type DeepLinkItem = z.infer<typeof deepLinkItem>

export const bundleRequests = {
  'bundle.part': request(uploadedPart),
  /** Opens the uploaded file. @throws {HostError} `bundle.unreadable`, `bundle.too-large` or `bundle.manifest` */
  'bundle.open': request({ upload: id, file: z.string().min(1).max(4096) }, bundleSummary),
  /** Checks the SHA-256, if given. @throws {HostError} `bundle.not-downloaded`, `bundle.wrong-hash` or `cancelled`; nothing is kept then */
  'bundle.download': request({ download: id, url: z.string().min(1).max(4000), sha256: sha256Text.optional() }, bundleSummary),
  'bundle.stopDownload': request({ download: id }),
  'bundle.view': request({ id }, bundleSummary),
  'bundle.close': request({ id }),
  /** Adds a server without starting it. @throws {HostError} `bundle.values` for an invalid setting */
  'bundle.install': request({ id, server: serverName, values: configValues }),
  /** Replaces the server's version, which is kept until the new one has started once. */
  'bundle.update': request({ id, server: serverName, values: configValues }),
  /** Changes settings; a secret that is left out stays. */
  'bundle.configure': request({ server: serverName, values: configValues }),
  'bundle.goBack': request({ server: serverName }),
  'bundle.accept': request({ server: serverName }),
  /** Null: the server is not from a bundle. */
  'bundle.installed': request({ server: serverName }, { bundle: installedBundle.nullable() }),
  'deepLink.dismiss': request({ id }),
} as const
