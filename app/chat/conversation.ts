import { z } from 'zod'
import { consentMode } from '../consent/rules/consent-mode.ts'
import { errorValue } from '../errors.ts'
import { chatParameters } from '../models/models.ts'
import { folderPaths } from '../shared-folders.ts'
import { toolSwitches } from './tools/tool-switches.ts'

/** A server whose first start the turn waits for. `asked`: it waits for the person. */
const awaitedServer = z.object({ name: z.string(), asked: z.boolean() })
export type AwaitedServer = z.infer<typeof awaitedServer>

/** Where the latest turn stands. `paused` and `interrupted` can be gone on with (`chat.resume`). */
const conversationActivity = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('idle') }),
  /** `retry`: the model was overloaded or out of reach and is asked again at `at`. */
  z.object({
    kind: z.literal('working'),
    turnId: z.string(),
    since: z.number(),
    retry: z.object({ at: z.number(), reason: z.string() }).optional(),
    /** So many messages are being summarised to make room. */
    compacting: z.number().int().optional(),
    servers: z.array(awaitedServer).optional(),
  }),
  z.object({ kind: z.literal('waiting'), turnId: z.string(), requests: z.number().int(), servers: z.array(awaitedServer).optional() }),
  /** `unread`: it was stopped before the model read what the person had added. */
  z.object({ kind: z.literal('paused'), turnId: z.string(), reason: z.enum(['step-limit', 'token-limit', 'cost-limit', 'unread']) }),
  z.object({ kind: z.literal('interrupted'), turnId: z.string() }),
  z.object({ kind: z.literal('failed'), turnId: z.string(), error: errorValue }),
])
export type ConversationActivity = z.infer<typeof conversationActivity>

export const conversation = z.object({
  id: z.string(),
  title: z.string(),
  /** Provider and model, e.g. `anthropic/claude-sonnet-5` or `practice/practice`. */
  model: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  activity: conversationActivity,
  /** Tokens that the last request filled, where the provider said so. */
  contextTokens: z.number().int().optional(),
  /** How it asks before tool calls; absent: as the rules say. */
  consentMode: consentMode.optional(),
  /** Folders, by absolute path, that servers are told of in its course, in place of all others; absent: none of its own. */
  roots: folderPaths.optional(),
  /** Absent: none of its own. */
  parameters: chatParameters.optional(),
  /** What is switched off in it; absent: nothing beyond what is off everywhere. */
  tools: toolSwitches.optional(),
  /** The folder of chats that it lies in; absent: in none. */
  folderId: z.string().optional(),
  pinned: z.boolean().optional(),
  /** Since when it is out of the sidebar; absent: it is not. */
  archivedAt: z.number().optional(),
  /** Who wrote its title; absent: it is the beginning of the first message. */
  titledBy: z.enum(['person', 'model']).optional(),
  /** An answer ended that no page has shown yet. */
  unread: z.boolean().optional(),
  /** It was read from a file of that application, where it has that id. */
  importedFrom: z.object({ source: z.enum(['assent', 'claude', 'chatgpt']), id: z.string(), at: z.number() }).optional(),
})
export type Conversation = z.infer<typeof conversation>

// Where a conversation is listed: with the pinned, in its folder, among the loose ones by date, or with the archived. One
// place each, so that a page can fetch a place piece by piece.

/** `pinned`, `loose`, `archived`, or `folder:<id>`. */
export const sectionName = z.string().regex(/^(?:pinned|loose|archived|folder:.{1,100})$/)
export type SectionName = string

export const folderSection = (folderId: string): SectionName => `folder:${folderId}`

/** The store's column `shelf` says the same. */
export function sectionOf({ archivedAt, pinned, folderId }: Pick<Conversation, 'archivedAt' | 'pinned' | 'folderId'>): SectionName {
  if (archivedAt !== undefined) return 'archived'
  if (pinned) return 'pinned'
  return folderId === undefined ? 'loose' : folderSection(folderId)
}

/** A conversation's place in a list that is ordered by the last change, newest first. */
export const listPosition = z.object({ updatedAt: z.number(), id: z.string().max(100) })
export type ListPosition = z.infer<typeof listPosition>

export const listPositionOf = ({ updatedAt, id }: ListPosition): ListPosition => ({ updatedAt, id })

/** Newest first; of equals the greater id, as the store has it. */
export const newestFirst = (a: ListPosition, b: ListPosition): number =>
  b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/** How far a shelf is known: down to `end`, or (null) to its last. */
export const sectionReach = z.object({ end: listPosition.nullable() })
export type SectionReach = z.infer<typeof sectionReach>

export const isWithin = (reach: SectionReach, at: ListPosition): boolean => reach.end === null || newestFirst(at, reach.end) <= 0
