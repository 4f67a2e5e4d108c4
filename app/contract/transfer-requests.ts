// Requests about chats as files: out of the profile, into it, and the profile as a whole.
import { z } from 'zod'
import { importSummary } from '../chat/import/imported-conversation.ts'

const nothing = z.object({})
const request = <P extends z.ZodType, R extends z.ZodType>(params: P, result: R) => ({ params, result })
const id = z.string().min(1).max(100)
const format = z.enum(['json', 'markdown'])
const path = z.string().min(1).max(4096)
const backupFacts = z.object({
  bytes: z.number().int(),
  conversations: z.number().int(),
  messages: z.number().int(),
  /** When its latest chat changed; null: there is none. */
  changedAt: z.number().nullable(),
})

/**
 * What of a profile gives leave: comes out of a backup only when the person says so of its kind. `settings`: how Assent asks, and where
 * it looks for servers. `endpoints`: where models are asked, and the model of new chats.
 */
export const permissionKinds = ['rules', 'launches', 'views', 'folders', 'sampling', 'endpoints', 'settings'] as const
export const permissionKind = z.enum(permissionKinds)
export type PermissionKind = z.infer<typeof permissionKind>
/** Of a kind: how many, and the first of their names where they are few enough to read. */
const heldPermission = z.object({ kind: permissionKind, count: z.number().int().min(1), names: z.array(z.string()) })
export type HeldPermission = z.infer<typeof heldPermission>
const checkedBackup = backupFacts.extend({ permissions: z.array(heldPermission) })

/** `replaced`: the profile that a restored backup took the place of. `older`: the profile as it was before a new version changed its form. */
const backupKind = z.enum(['backup', 'replaced', 'older'])
export type BackupKind = z.infer<typeof backupKind>
/** A file of the host's machine, or one that a page sent whole. */
const backupSource = z.union([z.object({ path }), z.object({ upload: id })])
export type BackupSource = z.infer<typeof backupSource>
const bytes = z.number().int()
/** What the data folder takes up, in bytes. */
const diskUse = z.object({
  /** Chats, settings and the record, and the log that belongs to it. */
  database: bytes,
  /** Of it: what was attached, and what tools gave besides text. */
  attachments: bytes,
  /** Of those: what was attached and not sent. What no draft holds goes with the next start. */
  unsent: bytes,
  /** Of the database: what was deleted for good. What comes next takes its place. */
  free: bytes,
  /** Backups, what they took the place of, and what is on its way. */
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
  /** Of all chats, those in the archive too. */
  'export.ids': request(nothing, z.object({ ids: z.array(z.string()) })),
  /** One chat as a file of its own. */
  'export.read': request(z.object({ id, format }), z.object({ text: z.string() })),
  /** Writes them to a file in a folder that the person chooses; without `ids` all. Null: nothing was chosen. */
  'export.save': request(
    z.object({ ids: z.array(id).max(100_000).optional(), format }),
    z.object({ path: z.string().nullable(), conversations: z.number().int() }),
  ),
  /** `preview`: nothing is kept. Pieces follow one by one; an import that gets none for ten minutes is forgotten. */
  'import.begin': request(z.object({ mode: z.enum(['preview', 'import']) }), z.object({ id })),
  /** `import.unreadable`, `import.too-large`: it ends there. What was kept before stays. */
  'import.push': request(z.object({ id, base64: z.string().max(1_400_000) }), importSummary),
  'import.end': request(z.object({ id }), importSummary),
  /** Messages kept so far. */
  'import.progress': request(z.object({ id }), z.object({ messages: z.number().int() })),
  /** A conversation of which not all is kept goes; those before it stay. Whoever waits for a piece gets `cancelled`. */
  'import.cancel': request(z.object({ id }), nothing),
  /** One file with the whole database, checked. Without a folder: into `backups` in the data folder. `run`: what the page calls it. `cancelled`. */
  'backup.write': request(z.object({ run: id, folder: path.optional() }), backupFacts.extend({ path: z.string() })),
  /** How far a backup is that is being written. */
  'backup.progress': request(z.object({ run: id }), backupStep),
  'backup.cancel': request(z.object({ run: id }), nothing),
  /** Those in the data folder, the latest first, and whether one waits there to take the profile's place. */
  'backup.list': request(
    nothing,
    z.object({
      backups: z.array(z.object({ path: z.string(), kind: backupKind, at: z.number(), bytes: z.number().int() })),
      staged: z.boolean(),
    }),
  ),
  /** A part of a file of the page's own machine, which has `total` bytes; parts come in order, each where the last one ended. */
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
  /** What was received is not wanted. */
  'backup.forget': request(z.object({ upload: id }), nothing),
  /** One of those in the list, for a page to download: the path of its address (`backupPath`), good once and for a minute. */
  'backup.offer': request(z.object({ path }), z.object({ href: z.string() })),
  /** One of those in the list goes for good. */
  'backup.remove': request(z.object({ path }), nothing),
  'backup.diskUse': request(nothing, diskUse),
  /** `backup.foreign`: it holds tables or triggers that are not Assent's. */
  'backup.check': request(backupSource, checkedBackup),
  /**
   * It takes the profile's place at the next start; what is there now is kept aside. Permissions of kinds that `bring` names come
   * with it; of the others those that are here stay.
   */
  'backup.restore': request(z.object({ source: backupSource, bring: z.array(permissionKind).max(permissionKinds.length) }), backupFacts),
  /** Nothing takes the profile's place at the next start. */
  'backup.unstage': request(nothing, nothing),
} as const
