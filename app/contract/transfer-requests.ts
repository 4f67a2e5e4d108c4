// Requests about export, import and backup.
import { z } from 'zod'
import { importSummary } from '../chat/import/imported-conversation.ts'
import { id, nothing, request } from './request-schema.ts'

const format = z.enum(['json', 'markdown'])
const path = z.string().min(1).max(4096)
const backupFacts = z.object({
  bytes: z.number().int(),
  conversations: z.number().int(),
  messages: z.number().int(),
  /** Last change of its chats; null: it has none. */
  changedAt: z.number().nullable(),
})

/**
 * Permissions in a profile: taken from a backup only by kind, as the person says. `settings`: consent defaults and the registry.
 * `endpoints`: model endpoints and the default model.
 */
export const permissionKinds = ['rules', 'launches', 'views', 'folders', 'sampling', 'endpoints', 'settings'] as const
export const permissionKind = z.enum(permissionKinds)
export type PermissionKind = z.infer<typeof permissionKind>
/** Permissions of a kind: their number, and names of the first ones. */
const heldPermission = z.object({ kind: permissionKind, count: z.number().int().min(1), names: z.array(z.string()) })
export type HeldPermission = z.infer<typeof heldPermission>
const checkedBackup = backupFacts.extend({ permissions: z.array(heldPermission) })

/** Kind of a backup. `replaced`: profile replaced by a restored backup. `older`: profile before a migration. */
const backupKind = z.enum(['backup', 'replaced', 'older'])
export type BackupKind = z.infer<typeof backupKind>
/** File on the host's machine, or an upload. */
const backupSource = z.union([z.object({ path }), z.object({ upload: id })])
export type BackupSource = z.infer<typeof backupSource>
const bytes = z.number().int()
/** Size of the data folder, in bytes. */
const diskUse = z.object({
  /** Database: chats, settings and audit log, with its write-ahead log. */
  database: bytes,
  /** Part of the database: attachments, and non-text results. */
  attachments: bytes,
  /** Part of the attachments: not sent. What no draft holds is deleted at the next start. */
  unsent: bytes,
  /** Part of the database: deleted content, to be reused. */
  free: bytes,
  /** Backups, replaced profiles and uploads. */
  backups: bytes,
  logs: bytes,
  bundles: bytes,
  rest: bytes,
})
export type DiskUsage = z.infer<typeof diskUse>
const backupStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('copying'), share: z.number() }),
  z.object({ kind: z.literal('checking') }),
])

export const transferRequests = {
  /** Ids of all chats, archived ones included. */
  'export.ids': request(nothing, z.object({ ids: z.array(z.string()) })),
  'export.read': request(z.object({ id, format }), z.object({ text: z.string() })),
  /** Writes chats to a file; without `ids` all. */
  'export.save': request(
    z.object({ ids: z.array(id).max(100_000).optional(), format }),
    z.object({ path: z.string().nullable(), conversations: z.number().int() }),
  ),
  /** Begins an import. `preview`: nothing is stored. One that gets no data for ten minutes is dropped. */
  'import.begin': request(z.object({ mode: z.enum(['preview', 'import']) }), z.object({ id })),
  /** Imports a chunk. `import.unreadable` and `import.too-large` end the import; what was stored before stays. */
  'import.push': request(z.object({ id, base64: z.string().max(1_400_000) }), importSummary),
  'import.end': request(z.object({ id }), importSummary),
  'import.progress': request(z.object({ id }), z.object({ messages: z.number().int() })),
  /** Cancels an import. An incomplete conversation is removed; earlier ones stay. A pending chunk fails with `cancelled`. */
  'import.cancel': request(z.object({ id }), nothing),
  /**
   * Writes a checked copy of the database to one file; without a folder: to `backups` in the data folder. `run`: id given by the
   * page. Fails with `cancelled`.
   */
  'backup.write': request(z.object({ run: id, folder: path.optional() }), backupFacts.extend({ path: z.string() })),
  'backup.progress': request(z.object({ run: id }), backupStep),
  'backup.cancel': request(z.object({ run: id }), nothing),
  /** Backups in the data folder, latest first, and whether one is staged for the next start. */
  'backup.list': request(
    nothing,
    z.object({
      backups: z.array(z.object({ path: z.string(), kind: backupKind, at: z.number(), bytes: z.number().int() })),
      staged: z.boolean(),
    }),
  ),
  /** Uploads a part of a file of `total` bytes, in order. */
  'backup.receive': request(
    z.object({
      upload: id,
      name: z.string().min(1).max(1000),
      at: z.number().int().min(0),
      total: z.number().int().min(1),
      base64: z.string().max(1_400_000),
    }),
    nothing,
  ),
  'backup.forget': request(z.object({ upload: id }), nothing),
  /** Download path of a listed backup (`backupPath`), valid once and for a minute. */
  'backup.offer': request(z.object({ path }), z.object({ href: z.string() })),
  'backup.remove': request(z.object({ path }), nothing),
  'backup.diskUse': request(nothing, diskUse),
  /** Checks a backup. Fails with `backup.foreign` for unknown tables or triggers. */
  'backup.check': request(backupSource, checkedBackup),
  /**
   * Stages a backup for the next start; the current profile is kept aside. `bring`: kinds of permissions taken from the backup; the
   * others stay.
   */
  'backup.restore': request(z.object({ source: backupSource, bring: z.array(permissionKind).max(permissionKinds.length) }), backupFacts),
  'backup.unstage': request(nothing, nothing),
} as const
