// Requests about bundles (.mcpb, .dxt), the registry search, and deep links and opened files.
import { z } from 'zod'
import { sha256Text } from '../server/bundle/bundle-download.ts'
import { bundleSummary, installedBundle } from '../server/bundle/bundle-summary.ts'
import { configValues } from '../server/bundle/user-config.ts'
import { serverName } from '../server/definition.ts'
import { registryCursor, registryResultPage } from '../server/registry/registry-entry.ts'
import { id, nothing, request, uploadedPart } from './request-schema.ts'

const searcher = id

export const registryRequests = {
  /**
   * Page of matching servers. A new request of the same searcher (a field of a page) cancels its previous one with `cancelled`.
   * `again`: ignore a recent cached answer. Fails with `registry.*`.
   */
  'registry.find': request(
    z.object({ searcher, text: z.string().max(200), cursor: registryCursor.optional(), again: z.boolean().optional() }),
    registryResultPage,
  ),
  /** Versions of one server; `version`: only that one (or `latest`). */
  'registry.server': request(
    z.object({ searcher, name: z.string().min(1).max(200), version: z.string().min(1).max(255).optional() }),
    registryResultPage,
  ),
  'registry.cancel': request(z.object({ searcher }), nothing),
} as const

/** A deep link or opened file that waits to be looked at. */
export const deepLinkItem = z.discriminatedUnion('kind', [
  /** Link as received; whoever shows it parses it. */
  z.object({ kind: z.literal('link'), id: z.string(), text: z.string() }),
  /** Opened file; the bundle is open under that id. */
  z.object({ kind: z.literal('bundle'), id: z.string(), bundle: z.string(), file: z.string() }),
  z.object({ kind: z.literal('refused'), id: z.string(), what: z.enum(['link', 'file']), message: z.string() }),
])
export type DeepLinkItem = z.infer<typeof deepLinkItem>

export const bundleRequests = {
  'bundle.part': request(uploadedPart, nothing),
  /** Opens the uploaded file. Fails with `bundle.unreadable`, `bundle.too-large` or `bundle.manifest`. */
  'bundle.open': request(z.object({ upload: id, file: z.string().min(1).max(4096) }), bundleSummary),
  /**
   * Downloads from an address of the registry and checks its SHA-256, if given. `bundle.downloading` reports progress. Fails with
   * `bundle.not-downloaded`, `bundle.wrong-hash` or `cancelled`; nothing is kept then.
   */
  'bundle.download': request(z.object({ download: id, url: z.string().min(1).max(4000), sha256: sha256Text.optional() }), bundleSummary),
  'bundle.stopDownload': request(z.object({ download: id }), nothing),
  'bundle.view': request(z.object({ id }), bundleSummary),
  'bundle.close': request(z.object({ id }), nothing),
  /** Adds a server without starting it. Fails with `bundle.values` for an invalid setting. */
  'bundle.install': request(z.object({ id, server: serverName, values: configValues }), nothing),
  /** Replaces the server's version, which is kept until the new one has started once. */
  'bundle.update': request(z.object({ id, server: serverName, values: configValues }), nothing),
  /** Changes settings; a secret that is left out stays. */
  'bundle.configure': request(z.object({ server: serverName, values: configValues }), nothing),
  'bundle.goBack': request(z.object({ server: serverName }), nothing),
  'bundle.accept': request(z.object({ server: serverName }), nothing),
  /** Null: the server is not from a bundle. */
  'bundle.installed': request(z.object({ server: serverName }), z.object({ bundle: installedBundle.nullable() })),
  'outside.dismiss': request(z.object({ id }), nothing),
} as const
