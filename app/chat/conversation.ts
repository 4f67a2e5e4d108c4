import { z } from 'zod'
import { consentMode } from '../consent/rules/consent-mode.ts'
import { errorValue } from '../errors.ts'
import { chatParameters } from '../models/models.ts'
import { folderPaths } from '../shared-folders.ts'
import { toolSwitches } from './tools/tool-switches.ts'

/** A server whose first start the turn waits for. `asked`: its launch waits for the person. */
const awaitedServer = z.object({ name: z.string(), asked: z.boolean() })
export type AwaitedServer = z.infer<typeof awaitedServer>

/** State of the latest turn. `paused` and `interrupted` can be resumed (`chat.resume`). */
const conversationActivity = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('idle') }),
  /** `retry`: the model was overloaded or unreachable and is asked again at `at`. */
  z.object({
    kind: z.literal('working'),
    turnId: z.string(),
    since: z.number(),
    retry: z.object({ at: z.number(), reason: z.string() }).optional(),
    compacting: z.number().int().optional(),
    servers: z.array(awaitedServer).optional(),
  }),
  z.object({ kind: z.literal('waiting'), turnId: z.string(), requests: z.number().int(), servers: z.array(awaitedServer).optional() }),
  /** `unread`: stopped before the model read what the person had added. */
  z.object({ kind: z.literal('paused'), turnId: z.string(), reason: z.enum(['step-limit', 'token-limit', 'cost-limit', 'unread']) }),
  z.object({ kind: z.literal('interrupted'), turnId: z.string() }),
  z.object({ kind: z.literal('failed'), turnId: z.string(), error: errorValue }),
])
export type ConversationActivity = z.infer<typeof conversationActivity>

/** Second answer to the latest question, beside the shown one until the person keeps one of the two. */
const besideAnswer = z.object({
  model: z.string(),
  begun: z.number(),
  /** Message that both follow. */
  after: z.string(),
  /** Last message of this answer, or `after`. */
  leaf: z.string(),
  activity: conversationActivity,
})

export const importSource = z.enum(['assent', 'claude', 'chatgpt'])

export const conversation = z.object({
  id: z.string(),
  title: z.string(),
  /** Provider and model, e.g. `anthropic/claude-sonnet-5` or `practice/practice`. */
  model: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  activity: conversationActivity,
  beside: besideAnswer.optional(),
  /** Model that answers each further question too. */
  secondModel: z.string().optional(),
  /** Tokens of the last request, as the provider counted. */
  contextTokens: z.number().int().optional(),
  consentMode: consentMode.optional(),
  /** Roots in place of all others, as absolute paths; absent: none of its own. */
  roots: folderPaths.optional(),
  parameters: chatParameters.optional(),
  /** Tools switched off here; absent: only those off everywhere. */
  tools: toolSwitches.optional(),
  folderId: z.string().optional(),
  /** Assistant that it began with, as it was called then. */
  assistant: z.string().optional(),
  pinned: z.boolean().optional(),
  archivedAt: z.number().optional(),
  /** Author of the title; absent: taken from the first message. */
  titledBy: z.enum(['person', 'model']).optional(),
  /** Whether an answer ended that no page has shown. */
  unread: z.boolean().optional(),
  /** Origin of an imported conversation, with its id there. */
  importedFrom: z.object({ source: importSource, id: z.string(), at: z.number() }).optional(),
})
export type Conversation = z.infer<typeof conversation>

/** Section of the sidebar: `pinned`, `loose`, `archived`, or `folder:<id>`. */
export const sectionName = z.string().regex(/^(?:pinned|loose|archived|folder:.{1,100})$/)
export type SectionName = string

export const folderSection = (folderId: string): SectionName => `folder:${folderId}`

/** Section of a conversation, one each. The store's column `shelf` holds the same. */
export function sectionOf({ archivedAt, pinned, folderId }: Pick<Conversation, 'archivedAt' | 'pinned' | 'folderId'>): SectionName {
  if (archivedAt !== undefined) return 'archived'
  if (pinned) return 'pinned'
  return folderId === undefined ? 'loose' : folderSection(folderId)
}

/** Position in a list ordered by last change, newest first. */
export const listPosition = z.object({ updatedAt: z.number(), id: z.string().max(100) })
export type ListPosition = z.infer<typeof listPosition>

export const listPositionOf = ({ updatedAt, id }: ListPosition): ListPosition => ({ updatedAt, id })

/** Orders newest first; of equals the greater id, as the store does. */
export const newestFirst = (a: ListPosition, b: ListPosition): number =>
  b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/** Part of a section that is loaded: down to `end`; null: all. */
export const sectionReach = z.object({ end: listPosition.nullable() })
export type SectionReach = z.infer<typeof sectionReach>

export const isWithin = (reach: SectionReach, at: ListPosition): boolean => reach.end === null || newestFirst(at, reach.end) <= 0
