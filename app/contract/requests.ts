// Every request that crosses the boundary, once: what the page may ask of the host. Main parses `params` on entry;
// the page's client is inferred from these schemas. Names are `<what>.<verb>`.
import { z } from 'zod'
import { attachment, imageChange, promptArguments, usedPrompt } from '../chat/attachments/attachment.ts'
import { chatChange, chatChoice, chatFilter } from '../chat/chat-filter.ts'
import { chatFolderDraft } from '../chat/chat-folder.ts'
import { contextSummary } from '../chat/context-summary.ts'
import { conversation, listPosition, sectionName } from '../chat/conversation.ts'
import { draftExtras } from '../chat/drafts.ts'
import { message } from '../chat/message.ts'
import { searchFound, searchWhere } from '../chat/search/search-result.ts'
import { toolSwitches } from '../chat/tools/tool-switches.ts'
import { auditFault, auditFilter, auditRow } from '../consent/audit-row.ts'
import { appImportChoice, appImportHost, appImportResult } from '../consent/config-import.ts'
import { consentAnswer } from '../consent/request.ts'
import { consentMode } from '../consent/rules/consent-mode.ts'
import { explanation } from '../consent/rules/explain-decision.ts'
import { rule, ruleDraft, ruleUsage } from '../consent/rules/rule.ts'
import { samplingBudget, samplingDay } from '../consent/rules/sampling-budget.ts'
import { jsonObject } from '../json.ts'
import { chatParameters, providerId } from '../models/models.ts'
import { day, usageReport, usageTotal } from '../models/usage.ts'
import { catalogue, resourceEntry } from '../server/catalogue.ts'
import { completion, completionQuery } from '../server/completion.ts'
import { configProblem, serverName } from '../server/definition.ts'
import { doctorReport, pathSource } from '../server/doctor.ts'
import { snippet } from '../server/import/candidate.ts'
import { inputId } from '../server/inputs/input.ts'
import { libraryListing, listedResource, mostListed, shownContent } from '../server/library-listing.ts'
import { foundMentions } from '../server/mentions.ts'
import { processList, serverActivity } from '../server/server-activity.ts'
import { logLevel, logLine } from '../server/server-state.ts'
import { settings } from '../settings.ts'
import { chosenFolder, folderOwner, folderPaths, sharedFolders } from '../shared-folders.ts'
import { bundleRequests, registryRequests } from './bundle-requests.ts'
import { inspectorRequests } from './inspector-requests.ts'
import { setupRequests } from './setup-requests.ts'
import { snapshot } from './snapshot.ts'
import { mcpAppRequests, toolRequests } from './tool-requests.ts'
import { transferRequests } from './transfer-requests.ts'

const nothing = z.object({})
const request = <P extends z.ZodType, R extends z.ZodType>(params: P, result: R) => ({ params, result })
const id = z.string().min(1).max(100)
const names = z.array(z.string().min(1).max(1000)).max(1000)
const uri = z.string().min(1).max(8192)
const longText = z.string().max(2_000_000)
const messageText = longText.refine((text) => text.trim() !== '', 'empty')
const inConversation = z.object({ conversationId: id, messageId: id })

export const requests = {
  /** `open`: conversations that the page shows, which are to be among those of the snapshot. */
  'app.snapshot': request(z.object({ open: z.array(id).max(100).optional() }), snapshot),
  /** The page is painted: what would compete with it for the processors may start. */
  'app.shown': request(nothing, nothing),
  /** Opens a link that the person clicked. `by: 'page'`: the host has no browser to open, the page does it itself. */
  'app.openUrl': request(z.object({ url: z.string().max(8192) }), z.object({ by: z.enum(['host', 'page']) })),
  /** One more window at a new chat. `platform.unavailable`: this shell has none; a page in a browser opens a tab. */
  'app.openWindow': request(nothing, nothing),
  'app.chooseFile': request(z.object({ title: z.string().max(200) }), z.object({ path: z.string().nullable() })),
  'app.chooseFolder': request(z.object({ title: z.string().max(200) }), z.object({ path: z.string().nullable() })),
  /** Folders whose path begins as typed, with the end that leads into them; `files`: also files. At most `mostCompletions`. */
  'folder.complete': request(
    z.object({ typed: z.string().max(4096), files: z.boolean().optional() }),
    z.object({ folders: z.array(z.string()), more: z.boolean() }),
  ),
  /** What somebody chose, and whether it is there. Of a server also what it may be told unasked. */
  'folder.list': request(z.object({ owner: folderOwner }), z.object({ folders: z.array(chosenFolder), told: z.array(sharedFolders) })),
  /** Throws `folder.not-found` for a new one that is not there. */
  'folder.set': request(z.object({ owner: folderOwner, paths: folderPaths }), nothing),
  /** The server is to ask again before it is told of any. */
  'folder.askAgain': request(z.object({ server: serverName }), nothing),
  /** Asks the login shell (on Windows: the registry) for PATH and variables anew; they count from each server's next start. */
  'app.readEnvironment': request(nothing, z.object({ folders: z.number().int(), source: pathSource })),

  /**
   * `messages`: the path that is shown. `branches`: where it has a choice, by message of it ('': before the first one), all
   * that may follow. `deleted`: those that went last, together; `message.restore` brings them back.
   */
  /** Writes a stored blob to a file in a folder that the person chooses. Null: nothing was chosen. `blob.unknown`: it is gone. */
  'blob.save': request(
    z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), name: z.string().max(1000) }),
    z.object({ path: z.string().nullable() }),
  ),

  /** `last`: so many messages of the path at most, from its end; `earlier` says how many stand before them. */
  'conversation.get': request(
    z.object({ id, last: z.number().int().min(1).max(10_000).optional() }),
    z.object({
      revision: z.number().int(),
      conversation,
      messages: z.array(message),
      earlier: z.number().int().optional(),
      branches: z.record(z.string(), z.array(z.string())).optional(),
      deleted: z.array(z.string()).optional(),
    }),
  ),
  'conversation.rename': request(z.object({ id, title: z.string().trim().min(1).max(200) }), nothing),
  /** A page shows its last answer. */
  'conversation.seen': request(z.object({ id }), nothing),
  /** Asks its model for a title, be one written or not. `model.*`: it gave none. */
  'conversation.titleAgain': request(z.object({ id }), z.object({ title: z.string() })),
  /** Of one shelf, newest first; `after`: those behind that place. */
  'conversation.shelf': request(
    z.object({ shelf: sectionName, after: listPosition.optional(), limit: z.number().int().min(1).max(500) }),
    z.object({ conversations: z.array(conversation), more: z.boolean() }),
  ),
  /** Newest first. `found`, with the first of them: how many fit. */
  'conversation.find': request(
    z.object({ filter: chatFilter, after: listPosition.optional(), limit: z.number().int().min(1).max(500) }),
    z.object({ conversations: z.array(conversation), more: z.boolean(), found: z.number().int().optional() }),
  ),
  /** Does it to all of them or to none. `undo`: what `conversation.undo` takes, in this run; null: nothing changed. */
  'conversation.change': request(
    z.object({ choice: chatChoice, change: chatChange }),
    z.object({ changed: z.number().int(), undo: id.nullable() }),
  ),
  /** `chat.nothing-to-undo`: too much was done since. */
  'conversation.undo': request(z.object({ undo: id }), nothing),
  /** Deleted ones that are kept still, the latest deleted first; `after`: those behind that place. */
  'conversation.deleted': request(
    z.object({ after: z.object({ deletedAt: z.number(), id }).optional(), limit: z.number().int().min(1).max(500) }),
    z.object({ deleted: z.array(z.object({ conversation, deletedAt: z.number() })), more: z.boolean() }),
  ),
  /** Deleted ones go for good, with their messages: these, or all. Returns how many went. */
  'conversation.purge': request(z.object({ ids: z.array(id).max(10_000).optional() }), z.object({ purged: z.number().int() })),
  /** Adds a folder of chats, or changes the one of that id. */
  'chatFolder.save': request(z.object({ id: id.optional(), draft: chatFolderDraft }), z.object({ id })),
  /** Whether the sidebar shows its chats. */
  'chatFolder.setClosed': request(z.object({ id, closed: z.boolean() }), nothing),
  /** Its chats stay, in no folder. `undo` as in `conversation.change`. */
  'chatFolder.remove': request(z.object({ id }), z.object({ undo: id })),
  /** What fills the model's context. */
  'conversation.context': request(z.object({ id }), contextSummary),
  /**
   * Has the older part summarised for the model, in a message of the role `summary`; resolves when that has begun.
   * `keep`: the person's word on what matters. `chat.busy`, `chat.nothing-to-compact`.
   */
  'conversation.compact': request(z.object({ id, keep: z.string().trim().min(1).max(2000).optional() }), nothing),
  /** `undone`: the model reads again what the summary stood for, and the results that were left out with it; false: takes that back. */
  'conversation.changeSummary': request(
    z.object({ id, messageId: id, undone: z.boolean().optional(), text: z.string().trim().min(1).max(60_000).optional() }),
    nothing,
  ),
  /** Keeps a call's result or an attachment from the model, which reads a note in its place; false: takes that back. */
  'conversation.leaveOut': request(
    z.object({ id, item: z.object({ kind: z.enum(['result', 'attachment']), id }), leftOut: z.boolean() }),
    nothing,
  ),
  'conversation.setModel': request(z.object({ id, model: z.string() }), nothing),
  /** All of them; they count from the next answer on. */
  'conversation.setParameters': request(z.object({ id, parameters: chatParameters }), nothing),
  /** How it asks before tool calls, from the next call on. */
  'conversation.setConsentMode': request(z.object({ id, mode: consentMode }), nothing),

  /** On or off in this chat; without a tool the whole server. What is off everywhere stays off. */
  'conversation.switchTool': request(
    z.object({ id, server: serverName, tool: z.string().min(1).max(1000).optional(), on: z.boolean() }),
    nothing,
  ),
  ...toolRequests,

  /** Without a conversation: begins one. While a turn is at work, the model reads it with the next step. */
  'chat.send': request(
    z
      .object({
        conversationId: id.optional(),
        text: longText,
        attachments: z.array(attachment).max(50).optional(),
        prompt: usedPrompt.optional(),
        model: z.string().optional(),
        /** The folder of chats that it begins in. */
        folderId: id.optional(),
        /** Of a new one: how it asks, and what is switched off in it; absent: as its folder or the settings say, and nothing. */
        consentMode: consentMode.optional(),
        tools: toolSwitches.optional(),
      })
      .refine(({ text, attachments, prompt }) => text.trim() !== '' || attachments?.length || prompt, { error: 'empty', path: ['text'] }),
    z.object({ conversationId: id }),
  ),
  'chat.stop': request(z.object({ conversationId: id }), nothing),
  /** Answers without the servers whose first start the turn waits for; later turns of the chat do not wait for them. */
  'chat.answerWithout': request(z.object({ conversationId: id }), nothing),
  /** Takes back a message that the model has not read yet. Null: it has. */
  'chat.withdraw': request(z.object({ conversationId: id, messageId: id }), z.object({ text: z.string().nullable() })),
  'chat.resume': request(z.object({ conversationId: id }), nothing),
  'chat.cancelCall': request(z.object({ conversationId: id, callId: id }), nothing),
  /** Gives a call that is overdue another period. Nothing when it is not. */
  'chat.waitForCall': request(z.object({ conversationId: id, callId: id }), nothing),
  /** Asks in other words, beside the message as it was, and has that answered. `chat.busy`: an answer is being written. */
  'message.edit': request(inConversation.extend({ text: messageText }), nothing),
  /** Another answer, beside that one; the conversation's model is `model` from then on. */
  'message.regenerate': request(inConversation.extend({ model: z.string().optional() }), nothing),
  /** Shows the branch through a message that is not shown. */
  'message.show': request(inConversation, nothing),
  /** A question goes with its answer, an answer goes whole. `ids`: what went, for `message.restore`. */
  'message.delete': request(inConversation, z.object({ ids: z.array(z.string()) })),
  'message.restore': request(z.object({ conversationId: id, ids: z.array(id).min(1).max(100_000) }), nothing),
  /** Begins a conversation with a copy of all that is shown up to that message. */
  'message.fork': request(inConversation, z.object({ conversationId: id })),
  /** What stands beside the composer's text: all of it. */
  'draft.attach': request(z.object({ conversationId: id.optional(), extras: draftExtras }), nothing),
  /** A part of a file, in base64, from byte `at` on; the parts come in their order. `upload`: any new name for the file. */
  'attachment.part': request(z.object({ upload: id, at: z.number().int().min(0), data: z.base64().max(1_400_000) }), nothing),
  /** All of its parts are there. `attachment.unsupported` and `attachment.too-large` say why it is not taken. */
  'attachment.add': request(
    z.object({ upload: id, name: z.string().min(1).max(4096), changed: z.array(imageChange).max(3).optional() }),
    z.object({ attachment }),
  ),
  /** Answers `image.wanted`: its parts are there, drawn smaller; without `upload`: it cannot be drawn. */
  'attachment.scaled': request(z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), upload: id.optional() }), nothing),
  /** What servers offer for a message, by letters in their order. `cancelled`: a later search came. */
  'offer.find': request(z.object({ kind: z.enum(['resource', 'prompt']), text: z.string().max(200) }), foundMentions),
  /** Reads a resource, by the person's own act. `fetch`: any new name, by which it can be called off. */
  'offer.attach': request(z.object({ fetch: id, server: serverName, uri }), z.object({ attachments: z.array(attachment) })),
  /** What the server makes of the prompt. Nothing is sent to a model. */
  'offer.prompt': request(
    z.object({ fetch: id, server: serverName, name: z.string().min(1).max(1000), arguments: promptArguments }),
    z.object({ prompt: usedPrompt }),
  ),
  /** What one server offers, as it was last seen. Starts nothing. */
  'offer.shelf': request(z.object({ server: serverName }), libraryListing),
  /** A part of its list of resources, `mostListed` at most, in the server's order. `revision`: of the whole, as in its view. */
  'offer.resources': request(
    z.object({ server: serverName, from: z.number().int().min(0) }),
    z.object({ resources: z.array(listedResource).max(mostListed), revision: z.number().int() }),
  ),
  /** All that the list says of one. Null: it is not in the list. */
  'offer.resource': request(z.object({ server: serverName, uri }), z.object({ resource: resourceEntry.nullable() })),
  /** Reads a resource to be looked at, by the person's own act. `left`: so many contents are left out. `server.too-large` */
  'offer.read': request(
    z.object({ fetch: id, server: serverName, uri }),
    z.object({ contents: z.array(shownContent), left: z.number().int() }),
  ),
  'offer.cancel': request(z.object({ fetch: id }), nothing),
  /** Text that is not sent yet, kept across reloads: the composer's, or other words for a message. Neither: a new chat's. */
  'draft.set': request(z.object({ conversationId: id.optional(), messageId: id.optional(), text: longText }), nothing),

  /**
   * Through conversations, in the words of `app/chat/search/search-query.ts`. A searcher (one field of one page) that asks again gets
   * `cancelled` for what it asked before. `before`: `next` of the page before.
   */
  'search.find': request(
    z.object({
      searcher: id,
      text: z.string().max(1000),
      where: searchWhere,
      conversationId: id.optional(),
      before: z.number().int().optional(),
    }),
    searchFound,
  ),

  ...transferRequests,
  ...bundleRequests,
  ...mcpAppRequests,

  'server.start': request(z.object({ name: serverName }), nothing),
  'server.stop': request(z.object({ name: serverName }), nothing),
  'server.restart': request(z.object({ name: serverName }), nothing),
  /** Now, also when signed in: as someone else. Resolves once signed in. */
  'server.signIn': request(z.object({ name: serverName }), nothing),
  /** `revoked`: also at the issuer, which need not be able to. Either way the tokens are forgotten. */
  'server.signOut': request(z.object({ name: serverName }), z.object({ revoked: z.boolean() })),
  /** Ends the wait for the browser. */
  'server.cancelSignIn': request(z.object({ name: serverName }), nothing),
  /** The address that the browser ended at, where it could not reach this machine. */
  'server.finishSignIn': request(z.object({ name: serverName, address: z.string().max(8192) }), nothing),
  /** Its tools. What else it offers can be very long: `offer.shelf`, `offer.resources`. */
  'server.catalogue': request(
    z.object({ name: serverName }),
    catalogue.partial({ resources: true, resourceTemplates: true, prompts: true }),
  ),
  /** `earlier`: from before this run of Assent, as far as the disk has it; numbered below nought. */
  'server.log': request(
    z.object({ name: serverName }),
    z.object({ lines: z.array(logLine), dropped: z.number().int(), earlier: z.array(logLine).optional() }),
  ),
  /** Writes all of it to a file in a folder that the person chooses. Null: nothing was chosen. */
  'server.saveLog': request(z.object({ name: serverName }), z.object({ path: z.string().nullable() })),
  'server.activity': request(z.object({ name: serverName }), serverActivity),
  /** Looked at only when asked: a page that shows them asks again and again. */
  'server.processes': request(z.object({ name: serverName }), processList),
  /** What its last start was like, step by step, and why it failed. Starts nothing. */
  'server.doctor': request(z.object({ name: serverName }), doctorReport),
  'server.setToolEnabled': request(z.object({ name: serverName, tool: z.string(), enabled: z.boolean() }), nothing),
  ...setupRequests,
  ...inspectorRequests,
  /** Keeps a value that the server's definition names as `${input:ID}`. No request gives it back. */
  'server.setSecret': request(z.object({ name: serverName, id: inputId, value: z.string().min(1).max(65_536) }), nothing),
  'server.forgetSecret': request(z.object({ name: serverName, id: inputId }), nothing),
  /** Moves plain-text values of these variables or headers out of the file into the secret store. */
  'server.keepSecrets': request(z.object({ name: serverName, names }), nothing),
  /** Undoes the last `server.keepSecrets` of this run. `config.invalid`: there was none. */
  'server.putBackSecrets': request(z.object({ name: serverName }), nothing),
  /** Remembered for that server, and told to it if it runs. */
  'server.setLogLevel': request(z.object({ name: serverName, level: logLevel }), nothing),
  /** What the server may have of the model in a day, and has had. */
  'server.sampling': request(z.object({ name: serverName }), samplingDay),
  'server.setSamplingBudget': request(z.object({ name: serverName, budget: samplingBudget }), nothing),
  /** `server.resourceUpdated` then tells of its changes, until the server is stopped. */
  'server.subscribeResource': request(z.object({ name: serverName, uri }), nothing),
  'server.unsubscribeResource': request(z.object({ name: serverName, uri }), nothing),
  /** Suggestions for what is being typed. `cancelled`: a later question about the same argument came. */
  'server.complete': request(z.object({ name: serverName, query: completionQuery }), completion),
  /** Removes it from the file; `text` is the file as it was, for undo through `config.save`. */
  'server.remove': request(z.object({ name: serverName }), z.object({ text: z.string() })),

  ...registryRequests,

  'config.get': request(nothing, z.object({ path: z.string(), text: z.string(), problems: z.array(configProblem) })),
  /** Refused (`config.syntax`) when the text is not JSON; entries that are wrong are saved, named and not started. */
  'config.save': request(z.object({ text: longText }), z.object({ problems: z.array(configProblem) })),
  /** Reads whatever was pasted, without saving or running it. */
  'config.parse': request(z.object({ text: longText }), snippet),

  /** Servers of other programs, as their files are now. Runs nothing. */
  'takeover.look': request(
    z.object({
      /** A project's folder, or a file, that is looked in too; a whole path. */
      place: z.string().min(1).max(4096).optional(),
    }),
    z.object({ hosts: z.array(appImportHost) }),
  ),
  /** Asks the person with a request of the kind `config-import`, and writes what they allow; nothing is started. */
  'takeover.take': request(z.object({ servers: z.array(appImportChoice).min(1).max(500) }), appImportResult),

  /** `accepted: false`: it was answered or withdrawn before. */
  'consent.answer': request(z.object({ id, answer: consentAnswer }), z.object({ accepted: z.boolean() })),
  /** Adds a rule, or writes the one of that id anew. An approval is bound to the tools as Assent knows them now. */
  'rule.save': request(z.object({ id: id.optional(), rule: ruleDraft }), z.object({ rule })),
  /** By id; a rule that is missing never answered. */
  'rule.uses': request(nothing, z.object({ uses: z.record(z.string(), ruleUsage) })),
  /** What would happen to such a call, and why. Nothing runs. */
  'rule.test': request(
    z.object({ server: serverName, tool: z.string().min(1).max(1000), arguments: jsonObject, conversationId: id.optional() }),
    explanation,
  ),
  'rule.remove': request(z.object({ id }), nothing),
  /** Puts back a rule that was removed in this run, as it was. `rule.unknown`: none of that id was. */
  'rule.restore': request(z.object({ id }), nothing),
  /** Newest first. `found`, with the first page: how many fit, counted up to one more than `auditCountLimit`. */
  'audit.list': request(
    z.object({ before: z.number().int().optional(), limit: z.number().int().min(1).max(500), filter: auditFilter.optional() }),
    z.object({ rows: z.array(auditRow), found: z.number().int().optional() }),
  ),
  /** Walks the whole chain. `kept`: the row whose hash lay outside the record and was found in its place. */
  'audit.verify': request(
    nothing,
    z.object({ fault: auditFault.nullable(), rows: z.number().int(), hash: z.string(), kept: z.number().int().nullable() }),
  ),
  /** Writes the rows that fit as JSON Lines, oldest first, in a folder that the person chooses. Null: nothing was chosen. */
  'audit.export': request(z.object({ filter: auditFilter }), z.object({ path: z.string().nullable(), rows: z.number().int() })),

  /** Checks the key against the provider's API, then keeps it. */
  'key.set': request(z.object({ provider: providerId, key: z.string().trim().min(1).max(1000) }), z.object({ models: z.number().int() })),
  'key.remove': request(z.object({ provider: providerId }), nothing),
  'models.refresh': request(nothing, nothing),
  /** Looks for models on this computer; without `again` not if it has just done so. */
  'models.look': request(z.object({ again: z.boolean().optional() }), nothing),
  /** An endpoint that speaks OpenAI's format. Its model list is asked for first, unless `unchecked`. `key` absent: as it was; null: none. */
  'endpoint.save': request(
    z.object({
      id: providerId.optional(),
      name: z.string().trim().min(1).max(60),
      baseUrl: z.string().trim().min(1).max(2048),
      key: z.string().trim().min(1).max(1000).nullable().optional(),
      unchecked: z.boolean().optional(),
    }),
    z.object({ id: providerId, models: z.number().int() }),
  ),
  'endpoint.remove': request(z.object({ id: providerId }), nothing),
  /** What models were asked for from one day to another, both included. */
  'usage.report': request(z.object({ from: day, to: day }), usageReport),
  /** What one conversation came to, from its beginning. */
  'usage.ofChat': request(z.object({ conversationId: z.string().min(1).max(100) }), usageTotal),
  /** Folders are set by `folder.set`. */
  'settings.set': request(settings.omit({ roots: true }).partial(), nothing),
} as const

type Requests = typeof requests
export type RequestName = keyof Requests
export type RequestParams<N extends RequestName> = z.input<Requests[N]['params']>
export type RequestInput<N extends RequestName> = z.output<Requests[N]['params']>
export type RequestResult<N extends RequestName> = z.output<Requests[N]['result']>
export const requestNames = Object.keys(requests) as readonly RequestName[]
