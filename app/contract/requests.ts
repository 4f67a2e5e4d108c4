// Requests that a page may send to the host, named `<what>.<verb>`. Main parses `params` on entry; the page's client is inferred
// from these schemas.
import { z } from 'zod'
import { sha256 } from '../blob.ts'
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
import { id, nothing, request, savedFile, uploadedPart } from './request-schema.ts'
import { setupRequests } from './setup-requests.ts'
import { snapshot } from './snapshot.ts'
import { mcpAppRequests, toolRequests } from './tool-requests.ts'
import { transferRequests } from './transfer-requests.ts'

const names = z.array(z.string().min(1).max(1000)).max(1000)
const uri = z.string().min(1).max(8192)
const byId = z.object({ id })
const byName = z.object({ name: serverName })
const longText = z.string().max(2_000_000)
const messageText = longText.refine((text) => text.trim() !== '', 'empty')
const inConversation = z.object({ conversationId: id, messageId: id })

export const requests = {
  /** Snapshot for a page. `open`: conversations that it shows, to be included. */
  'app.snapshot': request(z.object({ open: z.array(id).max(100).optional() }), snapshot),
  'app.shown': request(nothing, nothing),
  /** Opens a link that the person clicked. `by: 'page'`: the host has no browser; the page opens it. */
  'app.openUrl': request(z.object({ url: z.string().max(8192) }), z.object({ by: z.enum(['host', 'page']) })),
  /** Opens another window. Fails with `platform.unavailable` in shells without windows; a browser page opens a tab. */
  'app.openWindow': request(nothing, nothing),
  'app.chooseFile': request(z.object({ title: z.string().max(200) }), savedFile),
  'app.chooseFolder': request(z.object({ title: z.string().max(200) }), savedFile),
  /** Completes a folder path, with trailing separators. `files`: files too. At most `mostCompletions`. */
  'folder.complete': request(
    z.object({ typed: z.string().max(4096), files: z.boolean().optional() }),
    z.object({ folders: z.array(z.string()), more: z.boolean() }),
  ),
  /** Chosen folders and whether they exist. Of a server also those it may learn of unasked. */
  'folder.list': request(z.object({ owner: folderOwner }), z.object({ folders: z.array(chosenFolder), told: z.array(sharedFolders) })),
  /** Sets folders. Fails with `folder.not-found` for a new one that does not exist. */
  'folder.set': request(z.object({ owner: folderOwner, paths: folderPaths }), nothing),
  /** Drops the consent of a server's roots. */
  'folder.askAgain': request(z.object({ server: serverName }), nothing),
  /** Reads PATH and variables again from the login shell (on Windows: the registry), for each server's next start. */
  'app.readEnvironment': request(nothing, z.object({ folders: z.number().int(), source: pathSource })),

  /** Writes a blob to a file. Fails with `blob.unknown` when it is gone. */
  'blob.save': request(z.object({ sha256, name: z.string().max(1000) }), savedFile),

  /**
   * Messages of the shown path; `last`: at most so many from its end, and `earlier` counts those before them. `branches`: by message
   * ('': before the first), all that may follow. `deleted`: those last deleted together, which `message.restore` brings back.
   */
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
  'conversation.seen': request(byId, nothing),
  /** Asks the model for a new title. Fails with `model.*`. */
  'conversation.titleAgain': request(byId, z.object({ title: z.string() })),
  /** Conversations of one section, newest first. `after`: continues behind that position. */
  'conversation.shelf': request(
    z.object({ shelf: sectionName, after: listPosition.optional(), limit: z.number().int().min(1).max(500) }),
    z.object({ conversations: z.array(conversation), more: z.boolean() }),
  ),
  /** Finds conversations, newest first. `found`: number of matches, with the first page. */
  'conversation.find': request(
    z.object({ filter: chatFilter, after: listPosition.optional(), limit: z.number().int().min(1).max(500) }),
    z.object({ conversations: z.array(conversation), more: z.boolean(), found: z.number().int().optional() }),
  ),
  /** Changes all chosen conversations or none. `undo`: token for `conversation.undo` in this run; null: nothing changed. */
  'conversation.change': request(
    z.object({ choice: chatChoice, change: chatChange }),
    z.object({ changed: z.number().int(), undo: id.nullable() }),
  ),
  /** Undoes a change. Fails with `chat.nothing-to-undo` when too much changed since. */
  'conversation.undo': request(z.object({ undo: id }), nothing),
  /** Deleted conversations, latest first. `after`: continues behind that position. */
  'conversation.deleted': request(
    z.object({ after: z.object({ deletedAt: z.number(), id }).optional(), limit: z.number().int().min(1).max(500) }),
    z.object({ deleted: z.array(z.object({ conversation, deletedAt: z.number() })), more: z.boolean() }),
  ),
  /** Purges deleted conversations with their messages: these, or all. Returns their number. */
  'conversation.purge': request(z.object({ ids: z.array(id).max(10_000).optional() }), z.object({ purged: z.number().int() })),
  /** Adds a folder of chats, or changes the one of that id. */
  'chatFolder.save': request(z.object({ id: id.optional(), draft: chatFolderDraft }), z.object({ id })),
  'chatFolder.setClosed': request(z.object({ id, closed: z.boolean() }), nothing),
  /** Removes a folder of chats; its chats stay. `undo` as in `conversation.change`. */
  'chatFolder.remove': request(byId, z.object({ undo: id })),
  'conversation.context': request(byId, contextSummary),
  /**
   * Starts a compaction, written to a message of role `summary`. `keep`: hint on what matters. Fails with `chat.busy` or
   * `chat.nothing-to-compact`.
   */
  'conversation.compact': request(z.object({ id, keep: z.string().trim().min(1).max(2000).optional() }), nothing),
  /** Edits or undoes a summary. `undone`: the model reads the original messages and results again; false: reverts that. */
  'conversation.changeSummary': request(
    z.object({ id, messageId: id, undone: z.boolean().optional(), text: z.string().trim().min(1).max(60_000).optional() }),
    nothing,
  ),
  /** Keeps a result or an attachment from the model, which reads a note instead; false: reverts that. */
  'conversation.leaveOut': request(
    z.object({ id, item: z.object({ kind: z.enum(['result', 'attachment']), id }), leftOut: z.boolean() }),
    nothing,
  ),
  'conversation.setModel': request(z.object({ id, model: z.string() }), nothing),
  /** Sets all model parameters, from the next answer on. */
  'conversation.setParameters': request(z.object({ id, parameters: chatParameters }), nothing),
  /** Sets the consent mode, from the next call on. */
  'conversation.setConsentMode': request(z.object({ id, mode: consentMode }), nothing),

  /** Switches a tool, or the whole server, in this chat. What is off everywhere stays off. */
  'conversation.switchTool': request(
    z.object({ id, server: serverName, tool: z.string().min(1).max(1000).optional(), on: z.boolean() }),
    nothing,
  ),
  ...toolRequests,

  /** Sends a message; without a conversation begins one. During a turn the model reads it at the next step. */
  'chat.send': request(
    z
      .object({
        conversationId: id.optional(),
        text: longText,
        attachments: z.array(attachment).max(50).optional(),
        prompt: usedPrompt.optional(),
        model: z.string().optional(),
        folderId: id.optional(),
        /** Consent mode and tool switches of a new conversation; absent: the defaults. */
        consentMode: consentMode.optional(),
        tools: toolSwitches.optional(),
      })
      .refine(({ text, attachments, prompt }) => text.trim() !== '' || attachments?.length || prompt, { error: 'empty', path: ['text'] }),
    z.object({ conversationId: id }),
  ),
  'chat.stop': request(z.object({ conversationId: id }), nothing),
  /** Continues without servers that the turn still waits for, also in later turns. */
  'chat.answerWithout': request(z.object({ conversationId: id }), nothing),
  /** Withdraws a message that the model has not read. Null: it has. */
  'chat.withdraw': request(z.object({ conversationId: id, messageId: id }), z.object({ text: z.string().nullable() })),
  'chat.resume': request(z.object({ conversationId: id }), nothing),
  'chat.cancelCall': request(z.object({ conversationId: id, callId: id }), nothing),
  /** Extends an overdue call by one period; does nothing for others. */
  'chat.waitForCall': request(z.object({ conversationId: id, callId: id }), nothing),
  /** Sends an edited message as a new branch. Fails with `chat.busy` during an answer. */
  'message.edit': request(inConversation.extend({ text: messageText }), nothing),
  /** Regenerates an answer as a new branch. `model` becomes the conversation's. */
  'message.regenerate': request(inConversation.extend({ model: z.string().optional() }), nothing),
  'message.show': request(inConversation, nothing),
  /** Deletes a question with its answer, or a whole answer. `ids`: for `message.restore`. */
  'message.delete': request(inConversation, z.object({ ids: z.array(z.string()) })),
  'message.restore': request(z.object({ conversationId: id, ids: z.array(id).min(1).max(100_000) }), nothing),
  'message.fork': request(inConversation, z.object({ conversationId: id })),
  /** Saves the composer's extras: all of them. */
  'draft.attach': request(z.object({ conversationId: id.optional(), extras: draftExtras }), nothing),
  'attachment.part': request(uploadedPart, nothing),
  /** Adds an uploaded file as attachment. Fails with `attachment.unsupported` or `attachment.too-large`. */
  'attachment.add': request(
    z.object({ upload: id, name: z.string().min(1).max(4096), changed: z.array(imageChange).max(3).optional() }),
    z.object({ attachment }),
  ),
  /** Answers `image.wanted` with a scaled upload; without `upload`: it cannot be drawn. */
  'attachment.scaled': request(z.object({ sha256, upload: id.optional() }), nothing),
  /** Finds mentions by letters in order. Fails with `cancelled` when a later search came. */
  'offer.find': request(z.object({ kind: z.enum(['resource', 'prompt']), text: z.string().max(200) }), foundMentions),
  /** Reads a resource to attach it. `fetch`: any new name, for `offer.cancel`. */
  'offer.attach': request(z.object({ fetch: id, server: serverName, uri }), z.object({ attachments: z.array(attachment) })),
  /** Resolves a prompt. Nothing is sent to a model. */
  'offer.prompt': request(
    z.object({ fetch: id, server: serverName, name: z.string().min(1).max(1000), arguments: promptArguments }),
    z.object({ prompt: usedPrompt }),
  ),
  /** Offers of a server as last seen. Starts nothing. */
  'offer.shelf': request(z.object({ server: serverName }), libraryListing),
  /** Part of a server's resources, at most `mostListed`, in its order. `revision`: of the whole list. */
  'offer.resources': request(
    z.object({ server: serverName, from: z.number().int().min(0) }),
    z.object({ resources: z.array(listedResource).max(mostListed), revision: z.number().int() }),
  ),
  /** Details of a listed resource. Null: not in the list. */
  'offer.resource': request(z.object({ server: serverName, uri }), z.object({ resource: resourceEntry.nullable() })),
  /** Reads a resource to show it. `left`: number of contents left out. Fails with `server.too-large`. */
  'offer.read': request(
    z.object({ fetch: id, server: serverName, uri }),
    z.object({ contents: z.array(shownContent), left: z.number().int() }),
  ),
  'offer.cancel': request(z.object({ fetch: id }), nothing),
  /** Saves a draft: of a conversation, an edited message, or (neither) a new chat. */
  'draft.set': request(z.object({ conversationId: id.optional(), messageId: id.optional(), text: longText }), nothing),

  /**
   * Searches conversations (syntax: `app/chat/search/search-query.ts`). A new request of the same searcher (a field of a page)
   * cancels its previous one. `before`: `next` of the previous page.
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

  'server.start': request(byName, nothing),
  'server.stop': request(byName, nothing),
  'server.restart': request(byName, nothing),
  /** Signs in now, also to another account. Resolves once signed in. */
  'server.signIn': request(byName, nothing),
  /** Signs out and deletes the tokens. `revoked`: whether the issuer confirmed it. */
  'server.signOut': request(byName, z.object({ revoked: z.boolean() })),
  'server.cancelSignIn': request(byName, nothing),
  /** Finishes a sign-in with the redirect address that the browser could not open. */
  'server.finishSignIn': request(z.object({ name: serverName, address: z.string().max(8192) }), nothing),
  /** Tools of a server. Other lists can be very long: `offer.shelf`, `offer.resources`. */
  'server.catalogue': request(byName, catalogue.partial({ resources: true, resourceTemplates: true, prompts: true })),
  /** Log of a server. `earlier`: lines of earlier runs on disk, with negative numbers. */
  'server.log': request(byName, z.object({ lines: z.array(logLine), dropped: z.number().int(), earlier: z.array(logLine).optional() })),
  'server.saveLog': request(byName, savedFile),
  'server.activity': request(byName, serverActivity),
  /** Lists a server's processes. A page that shows them polls. */
  'server.processes': request(byName, processList),
  /** Report of the last start. Starts nothing. */
  'server.doctor': request(byName, doctorReport),
  'server.setToolEnabled': request(z.object({ name: serverName, tool: z.string(), enabled: z.boolean() }), nothing),
  ...setupRequests,
  /** Stores the value of `${input:ID}`. No request returns it. */
  'server.setSecret': request(z.object({ name: serverName, id: inputId, value: z.string().min(1).max(65_536) }), nothing),
  'server.forgetSecret': request(z.object({ name: serverName, id: inputId }), nothing),
  /** Moves plain-text values of variables or headers to the secret store. */
  'server.keepSecrets': request(z.object({ name: serverName, names }), nothing),
  /** Undoes the last `server.keepSecrets` of this run. Fails with `config.invalid` when there was none. */
  'server.putBackSecrets': request(byName, nothing),
  /** Sets the log level of a server (MCP, "Logging"), and keeps it. */
  'server.setLogLevel': request(z.object({ name: serverName, level: logLevel }), nothing),
  /** Sampling budget of a server, and its usage today. */
  'server.sampling': request(byName, samplingDay),
  'server.setSamplingBudget': request(z.object({ name: serverName, budget: samplingBudget }), nothing),
  /** Subscribes to a resource until the server stops; see `server.resourceUpdated`. */
  'server.subscribeResource': request(z.object({ name: serverName, uri }), nothing),
  'server.unsubscribeResource': request(z.object({ name: serverName, uri }), nothing),
  /** Completes an argument (MCP, "Completion"). Fails with `cancelled` when a later request came. */
  'server.complete': request(z.object({ name: serverName, query: completionQuery }), completion),
  /** Removes it from the file; `text` is the file as it was, for undo through `config.save`. */
  'server.remove': request(byName, z.object({ text: z.string() })),

  ...registryRequests,

  'config.get': request(nothing, z.object({ path: z.string(), text: z.string(), problems: z.array(configProblem) })),
  /** Saves the config file. Fails with `config.syntax` when it is not JSON; faulty entries are saved, reported and not started. */
  'config.save': request(z.object({ text: longText }), z.object({ problems: z.array(configProblem) })),
  /** Reads whatever was pasted, without saving or running it. */
  'config.parse': request(z.object({ text: longText }), snippet),

  /** Servers of other apps, by their files as they are now. Runs nothing. */
  'takeover.look': request(
    z.object({
      /** Project folder or file to examine too, as an absolute path. */
      place: z.string().min(1).max(4096).optional(),
    }),
    z.object({ hosts: z.array(appImportHost) }),
  ),
  /** Imports servers after a `config-import` request; starts none. */
  'takeover.take': request(z.object({ servers: z.array(appImportChoice).min(1).max(500) }), appImportResult),

  /** Answers a request. `accepted: false`: it was answered or withdrawn before. */
  'consent.answer': request(z.object({ id, answer: consentAnswer }), z.object({ accepted: z.boolean() })),
  /** Adds or replaces a rule. An approval is bound to the current tool definitions. */
  'rule.save': request(z.object({ id: id.optional(), rule: ruleDraft }), z.object({ rule })),
  /** Usage of rules by id; a missing one never answered. */
  'rule.uses': request(nothing, z.object({ uses: z.record(z.string(), ruleUsage) })),
  /** Explains the decision on a call. Runs nothing. */
  'rule.test': request(
    z.object({ server: serverName, tool: z.string().min(1).max(1000), arguments: jsonObject, conversationId: id.optional() }),
    explanation,
  ),
  'rule.remove': request(byId, nothing),
  /** Restores a rule removed in this run. Fails with `rule.unknown`. */
  'rule.restore': request(byId, nothing),
  /** Audit rows, newest first. `found`: matches up to one more than `auditCountLimit`, with the first page. */
  'audit.list': request(
    z.object({ before: z.number().int().optional(), limit: z.number().int().min(1).max(500), filter: auditFilter.optional() }),
    z.object({ rows: z.array(auditRow), found: z.number().int().optional() }),
  ),
  /** Verifies the whole chain. `kept`: row of the anchor that was found in its place. */
  'audit.verify': request(
    nothing,
    z.object({ fault: auditFault.nullable(), rows: z.number().int(), hash: z.string(), kept: z.number().int().nullable() }),
  ),
  /** Writes matching rows as JSON Lines, oldest first. Null: the person chose no folder. */
  'audit.export': request(z.object({ filter: auditFilter }), z.object({ path: z.string().nullable(), rows: z.number().int() })),

  /** Checks a key with the provider, then stores it. */
  'key.set': request(z.object({ provider: providerId, key: z.string().trim().min(1).max(1000) }), z.object({ models: z.number().int() })),
  'key.remove': request(z.object({ provider: providerId }), nothing),
  'models.refresh': request(nothing, nothing),
  /** Looks for models on this computer; unless `again`, not when it has just done so. */
  'models.look': request(z.object({ again: z.boolean().optional() }), nothing),
  /** Saves an OpenAI-compatible endpoint after requesting its model list, unless `unchecked`. `key` absent: unchanged; null: none. */
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
  /** Usage from one day to another, both included. */
  'usage.report': request(z.object({ from: day, to: day }), usageReport),
  'usage.ofChat': request(z.object({ conversationId: z.string().min(1).max(100) }), usageTotal),
  /** Changes settings, except roots (`folder.set`). */
  'settings.set': request(settings.omit({ roots: true }).partial(), nothing),
} as const

type Requests = typeof requests
export type RequestName = keyof Requests
export type RequestParams<N extends RequestName> = z.input<Requests[N]['params']>
export type RequestInput<N extends RequestName> = z.output<Requests[N]['params']>
export type RequestResult<N extends RequestName> = z.output<Requests[N]['result']>
export const requestNames = Object.keys(requests) as readonly RequestName[]
