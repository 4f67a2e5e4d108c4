// Requests about export, import and backup.
import { z } from 'zod'
import { importSummary } from '../chat/import/imported-conversation.ts'
import { updateAction } from '../profile-notice.ts'
import { id, integer, request } from './request-schema.ts'

const format = z.enum(['json', 'markdown'])
const base64 = z.string().max(1_400_000)
const path = z.string().min(1).max(4096)
const backupFacts = z.object({
  bytes: integer,
  conversations: integer,
  messages: integer,
  /** Last change of its chats; null: it has none. */
  changedAt: z.number().nullable(),
})

/** Permissions that a backup brings only as the person says. `settings`: consent defaults, registry. `endpoints`: also default model. */
export const permissionKinds = ['rules', 'launches', 'views', 'folders', 'sampling', 'endpoints', 'settings'] as const
export const permissionKind = z.enum(permissionKinds)
export type PermissionKind = z.infer<typeof permissionKind>
/** Permissions of a kind: their number, and names of the first ones. */
const heldPermission = z.object({ kind: permissionKind, count: integer.min(1), names: z.array(z.string()) })
export type HeldPermission = z.infer<typeof heldPermission>
/** `digest`: of the whole file. */
const checkedBackup = backupFacts.extend({ permissions: z.array(heldPermission), digest: z.string() })

/** Kind of a backup. `replaced`: profile replaced by a restored backup. `older`: profile before a migration. */
const backupKind = z.enum(['backup', 'replaced', 'older'])
export type BackupKind = z.infer<typeof backupKind>
const backupSource = z.union([z.object({ path }), z.object({ upload: id })])
export type BackupSource = z.infer<typeof backupSource>
const diskUse = z.object({
  /** Database: chats, settings and audit log, with its write-ahead log. */
  database: integer,
  /** Part of the database: attachments, and non-text results. */
  attachments: integer,
  /** Part of the attachments: not sent. What no draft holds is deleted at the next start. */
  unsent: integer,
  /** Part of the database: deleted content, to be reused. */
  free: integer,
  /** Backups, replaced profiles and uploads. */
  backups: integer,
  logs: integer,
  bundles: integer,
  rest: integer,
})
export type DiskUsage = z.infer<typeof diskUse>
const backupStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('copying'), share: z.number() }),
  z.object({ kind: z.literal('checking') }),
])

export const transferRequests = {
  'export.ids': request({}, { ids: z.array(z.string()) }),
  'export.read': request({ id, format }, { text: z.string() }),
  /** Writes chats to a file; without `ids` all. */
  'export.save': request({ ids: z.array(id).max(100_000).optional(), format }, { path: z.string().nullable(), conversations: integer }),
  /** Begins an import. `preview`: nothing is stored. One that gets no data for ten minutes is dropped. */
  'import.begin': request({ mode: z.enum(['preview', 'import']) }, { id }),
  /** Imports a chunk. `import.unreadable` and `import.too-large` end the import; what was stored before stays. */
  'import.push': request({ id, base64 }, importSummary),
  'import.end': request({ id }, importSummary),
  'import.progress': request({ id }, { messages: integer }),
  /** Cancels an import. An incomplete conversation is removed; earlier ones stay. A pending chunk fails with `cancelled`. */
  'import.cancel': request({ id }),
  /** Writes a checked copy of the database; without a folder to `backups`. `run`: id given by the page. @throws {HostError} `cancelled` */
  'backup.write': request({ run: id, folder: path.optional() }, backupFacts.extend({ path: z.string() })),
  'backup.progress': request({ run: id }, backupStep),
  'backup.cancel': request({ run: id }),
  /** Backups in the data folder, latest first, and whether one is staged for the next start. */
  'backup.list': request(
    {},
    { backups: z.array(z.object({ path: z.string(), kind: backupKind, at: z.number(), bytes: integer })), staged: z.boolean() },
  ),
  /** Uploads a part of a file of `total` bytes, in order. */
  'backup.receive': request({ upload: id, name: z.string().min(1).max(1000), at: integer.min(0), total: integer.min(1), base64 }),
  'backup.forget': request({ upload: id }),
  /** Download path of a listed backup (`backupPath`), valid once and for a minute. */
  'backup.offer': request({ path }, { href: z.string() }),
  'backup.remove': request({ path }),
  'backup.diskUse': request({}, diskUse),
  /** Checks a backup. @throws {HostError} `backup.foreign` for unknown tables or triggers */
  'backup.check': request(backupSource, checkedBackup),
  /**
   * Stages a backup for the next start; the current profile is kept. `bring`: permissions taken from the backup. `digest`: of the file that
   * was checked. @throws {HostError} `backup.gone` for another one
   */
  'backup.restore': request(
    { source: backupSource, bring: z.array(permissionKind).max(permissionKinds.length), digest: z.string().max(100) },
    backupFacts,
  ),
  'backup.unstage': request(),
  /** Acts on the app's update; nothing in shells without. @throws {HostError} `update.busy` while a chat or call runs */
  'app.update': request({ action: updateAction }),
} as const
