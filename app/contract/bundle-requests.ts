// Requests about bundles (.mcpb, .dxt), and about what came from outside: links and files that were opened. Looking for servers
// in the registry that the settings name.
import { z } from 'zod'
import { sha256Text } from '../server/bundle/bundle-download.ts'
import { bundleSummary, installedBundle } from '../server/bundle/bundle-summary.ts'
import { configValues } from '../server/bundle/user-config.ts'
import { serverName } from '../server/definition.ts'
import { registryCursor, registryResultPage } from '../server/registry/registry-entry.ts'

const request = <P extends z.ZodType, R extends z.ZodType>(params: P, result: R) => ({ params, result })
const searcher = z.string().min(1).max(100)

export const registryRequests = {
  /**
   * A page of what fits the text. A searcher (one field of one page) that asks again gets `cancelled` for what it asked
   * before. `again`: also when the answer that is kept is recent. `registry.*`: it cannot be had, and nothing is kept.
   */
  'registry.find': request(
    z.object({ searcher, text: z.string().max(200), cursor: registryCursor.optional(), again: z.boolean().optional() }),
    registryResultPage,
  ),
  /** All versions of one server, or that one alone (`latest` too). */
  'registry.server': request(
    z.object({ searcher, name: z.string().min(1).max(200), version: z.string().min(1).max(255).optional() }),
    registryResultPage,
  ),
  'registry.cancel': request(z.object({ searcher }), z.object({})),
} as const

const nothing = z.object({})

const id = z.string().min(1).max(100)

/** What asked from outside the page, and waits to be looked at. */
export const deepLinkItem = z.discriminatedUnion('kind', [
  /** Its text as it came; what it says is read by whoever shows it. */
  z.object({ kind: z.literal('link'), id: z.string(), text: z.string() }),
  /** A file was opened; the bundle is open by that id. */
  z.object({ kind: z.literal('bundle'), id: z.string(), bundle: z.string(), file: z.string() }),
  z.object({ kind: z.literal('refused'), id: z.string(), what: z.enum(['link', 'file']), message: z.string() }),
])
export type DeepLinkItem = z.infer<typeof deepLinkItem>

export const bundleRequests = {
  /** A part of a file, in base64, from byte `at` on; the parts come in their order. `upload`: any new name for the file. */
  'bundle.part': request(z.object({ upload: id, at: z.number().int().min(0), data: z.base64().max(1_400_000) }), nothing),
  /** All of its parts are there. `bundle.unreadable`, `bundle.too-large` and `bundle.manifest` say why it is not taken. */
  'bundle.open': request(z.object({ upload: id, file: z.string().min(1).max(4096) }), bundleSummary),
  /**
   * From an address that the registry of the settings names, with the SHA-256 that it names for it, if any. Its progress is
   * told by `bundle.downloading`. Also `bundle.not-downloaded`, `bundle.wrong-hash` and `cancelled`; nothing is kept then.
   */
  'bundle.download': request(z.object({ download: id, url: z.string().min(1).max(4000), sha256: sha256Text.optional() }), bundleSummary),
  'bundle.stopDownload': request(z.object({ download: id }), nothing),
  'bundle.view': request(z.object({ id }), bundleSummary),
  'bundle.close': request(z.object({ id }), nothing),
  /** Adds a server of that name; nothing is started. `bundle.values` names a setting that cannot be used. */
  'bundle.install': request(z.object({ id, server: serverName, values: configValues }), nothing),
  /** In place of the version that the server has, which is kept until this one has started once. */
  'bundle.update': request(z.object({ id, server: serverName, values: configValues }), nothing),
  /** A secret that is left out stays what it was. */
  'bundle.configure': request(z.object({ server: serverName, values: configValues }), nothing),
  'bundle.goBack': request(z.object({ server: serverName }), nothing),
  'bundle.accept': request(z.object({ server: serverName }), nothing),
  /** Null: the server is not from a bundle. */
  'bundle.installed': request(z.object({ server: serverName }), z.object({ bundle: installedBundle.nullable() })),
  'outside.dismiss': request(z.object({ id }), nothing),
} as const
