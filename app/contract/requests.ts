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
import { auditedChat, auditFault, auditFilter, auditRow } from '../consent/audit-row.ts'
import { appImportChoice, appImportHost, appImportResult } from '../consent/config-import.ts'
import { consentAnswer } from '../consent/request.ts'
import { consentMode } from '../consent/rules/consent-mode.ts'
import { explanation } from '../consent/rules/explain-decision.ts'
import { rule, ruleDraft, ruleUsage } from '../consent/rules/rule.ts'
import { samplingBudget, samplingDay } from '../consent/rules/sampling-budget.ts'
import { jsonObject } from '../json-schemas.ts'
import { chatParameters, modelInfo, providerId, providerSummary, pullableName } from '../models/models.ts'
import { endpointFormats, headerName, variableName } from '../models/presets.ts'
import { day, usageReport, usageTotal } from '../models/usage.ts'
import { snippet } from '../server/candidate.ts'
import { catalogue, resourceEntry } from '../server/catalogue.ts'
import { completion, completionQuery } from '../server/completion.ts'
import { connectionTestSummary, testedDefinition } from '../server/connection-test.ts'
import { configProblem, serverName } from '../server/definition.ts'
import { doctorReport, pathSource } from '../server/doctor.ts'
import { inputId } from '../server/inputs/input.ts'
import { libraryListing, listedResource, mostListed, shownContent } from '../server/library-listing.ts'
import { foundMentions } from '../server/mentions.ts'
import { sandboxSettings } from '../server/sandbox/sandbox-settings.ts'
import { processList, serverActivity } from '../server/server-activity.ts'
import { logLevel, logLine } from '../server/server-state.ts'
import { inspecting, wireMessage } from '../server/wire-message.ts'
import { settings } from '../settings.ts'
import { chosenFolder, folderOwner, folderPaths, sharedFolders } from '../shared-folders.ts'
import { signedChoice } from '../signed-state.ts'
import { bundleRequests, discoveryRequests, isSkill, registryRequests, shownSkill, webAddress } from './bundle-requests.ts'
import { gateRequests } from './gate-requests.ts'
import { messageRequests } from './message-requests.ts'
import { personalRequests } from './personal-requests.ts'
import { id, integer, request, savedFile, uploadedPart } from './request-schema.ts'
import { sandboxRequests } from './sandbox-requests.ts'
import { desktopRequests, snapshot } from './snapshot.ts'
import { mcpAppRequests, serverAnswer, toolRequests } from './tool-requests.ts'
import { transferRequests } from './transfer-requests.ts'

const name = z.string().min(1).max(1000)
const names = z.array(name).max(1000)
const uri = z.string().min(1).max(8192)
const byId = { id }
const byName = { name: serverName }
const texts = z.array(z.string())
const typed = (longest: number) => z.string().trim().min(1).max(longest)
const limit = integer.min(1).max(500)
const pulledModel = typed(200).regex(pullableName)
const conversations = z.array(conversation)
const longText = z.string().max(2_000_000)
const connectionTests = z.array(id).max(100)
const inConversation = { conversationId: id, messageId: id }

export const requests = {
  /** Snapshot for a page. `open`: conversations that it shows, to be included. */
  'app.snapshot': request({ open: z.array(id).max(100).optional() }, snapshot),
  'app.shown': request(),
  /** Opens a link that the person clicked. `by: 'page'`: the host has no browser; the page opens it. */
  'app.openUrl': request({ url: z.string().max(8192) }, { by: z.enum(['host', 'page']) }),
  /** Opens another window. @throws {HostError} `platform.unavailable` in shells without windows; a browser page opens a tab */
  'app.openWindow': request(),
  ...desktopRequests,
  'app.chooseFile': request({ title: z.string().max(200) }, savedFile),
  'app.chooseFolder': request({ title: z.string().max(200) }, savedFile),
  /** Completes a folder path, with trailing separators. `files`: files too. At most `mostCompletions`. */
  'folder.complete': request({ typed: z.string().max(4096), files: z.boolean().optional() }, { folders: texts, more: z.boolean() }),
  /** Chosen folders and whether they exist. Of a server also those it may learn of unasked. */
  'folder.list': request({ owner: folderOwner }, { folders: z.array(chosenFolder), told: z.array(sharedFolders) }),
  /** Sets folders. @throws {HostError} `folder.not-found` for a new one that does not exist */
  'folder.set': request({ owner: folderOwner, paths: folderPaths }),
  /** Drops the consent of a server's roots. */
  'folder.askAgain': request({ server: serverName }),
  /** Reads PATH and variables again from the login shell (on Windows: the registry), for each server's next start. */
  'app.readEnvironment': request({}, { folders: integer, source: pathSource }),
  /** Writes a blob to a file. @throws {HostError} `blob.unknown` when it is gone */
  'blob.save': request({ sha256, name: z.string().max(1000) }, savedFile),
  /** Saves a text of an answer or a view into a folder that the person chooses. `base64`: it is that of bytes. */
  'blob.saveText': request({ name: z.string().min(1).max(200), text: longText, base64: z.literal(true).optional() }, savedFile),

  /**
   * Messages of the shown path; `last`: at most so many from its end, and `earlier` counts those before them. `branches`: by message
   * ('': before the first), all that may follow. `deleted`: those last deleted together, which `message.restore` brings back. `beside`:
   * messages of the second answer.
   */
  'conversation.get': request(
    { id, last: integer.min(1).max(10_000).optional() },
    {
      revision: integer,
      conversation,
      messages: z.array(message),
      earlier: integer.optional(),
      branches: z.record(z.string(), texts).optional(),
      deleted: texts.optional(),
      beside: z.array(message).optional(),
    },
  ),
  'conversation.rename': request({ id, title: typed(200) }),
  'conversation.seen': request(byId),
  /** Asks the model for a new title. @throws {HostError} `model.*` */
  'conversation.titleAgain': request(byId, { title: z.string() }),
  /** Conversations of one section, newest first. `after`: continues behind that position. */
  'conversation.section': request({ section: sectionName, after: listPosition.optional(), limit }, { conversations, more: z.boolean() }),
  /** Finds conversations, newest first. `found`: number of matches, with the first page. */
  'conversation.find': request(
    { filter: chatFilter, after: listPosition.optional(), limit },
    { conversations, more: z.boolean(), found: integer.optional() },
  ),
  /** Changes all chosen conversations or none. `undo`: token for `conversation.undo` in this run; null: nothing changed. */
  'conversation.change': request({ choice: chatChoice, change: chatChange }, { changed: integer, undo: id.nullable() }),
  /** Undoes a change. @throws {HostError} `chat.nothing-to-undo` when too much changed since */
  'conversation.undo': request({ undo: id }),
  /** Deleted conversations, latest first. `after`: continues behind that position. */
  'conversation.deleted': request(
    { after: z.object({ deletedAt: z.number(), id }).optional(), limit },
    { deleted: z.array(z.object({ conversation, deletedAt: z.number() })), more: z.boolean() },
  ),
  /** Purges deleted conversations with their messages: these, or all. Returns their number. */
  'conversation.purge': request({ ids: z.array(id).max(10_000).optional() }, { purged: integer }),
  'chatFolder.save': request({ id: id.optional(), draft: chatFolderDraft }, { id }),
  'chatFolder.setClosed': request({ id, closed: z.boolean() }),
  /** Removes a folder of chats; its chats stay. `undo` as in `conversation.change`. */
  'chatFolder.remove': request(byId, { undo: id }),
  'conversation.context': request(byId, contextSummary),
  /** Starts a compaction. `keep`: hint on what matters. @throws {HostError} `chat.busy` or `chat.nothing-to-compact` */
  'conversation.compact': request({ id, keep: typed(2000).optional() }),
  /** Edits or undoes a summary. `undone`: the model reads the original messages and results again; false: reverts that. */
  'conversation.changeSummary': request({ id, messageId: id, undone: z.boolean().optional(), text: typed(60_000).optional() }),
  /** Keeps a result or an attachment from the model, which reads a note instead; false: reverts that. */
  'conversation.leaveOut': request({ id, item: z.object({ kind: z.enum(['result', 'attachment']), id }), leftOut: z.boolean() }),
  /** `second`: model that answers each question too; null: none. */
  'conversation.setModel': request({ id, model: z.string(), second: z.string().nullish() }),
  'conversation.setParameters': request({ id, parameters: chatParameters }),
  'conversation.setConsentMode': request({ id, mode: consentMode }),

  /** Switches a tool, or the whole server, in this chat. What is off everywhere stays off. */
  'conversation.switchTool': request({ id, server: serverName, tool: name.optional(), on: z.boolean() }),
  ...toolRequests,

  /** Sends a message; without a conversation begins one. During a turn the model reads it at the next step. */
  'chat.send': request(
    z
      .object({
        conversationId: id.optional(),
        text: longText,
        attachments: z.array(attachment).max(50).optional(),
        prompt: usedPrompt.optional(),
        servers: draftExtras.shape.servers,
        model: z.string().optional(),
        second: z.string().optional(),
        folderId: id.optional(),
        /** Assistant of a new conversation, for its instructions. */
        assistantId: id.optional(),
        /** Consent mode and tool switches of a new conversation; absent: the defaults. */
        consentMode: consentMode.optional(),
        tools: toolSwitches.optional(),
      })
      .refine(({ text, attachments, prompt }) => text.trim() !== '' || attachments?.length || prompt, { error: 'empty', path: ['text'] }),
    { conversationId: id },
  ),
  /** `which`: absent for both answers. */
  'chat.stop': request({ conversationId: id, which: z.enum(['shown', 'beside']).optional() }),
  /** Resolves when no turn of the chat runs. */
  'chat.wait': request({ conversationId: id }),
  /** Continues without servers that the turn still waits for, also in later turns. */
  'chat.answerWithout': request({ conversationId: id }),
  /** Withdraws a message that the model has not read. Null: it has. */
  'chat.withdraw': request(inConversation, { text: z.string().nullable() }),
  'chat.resume': request({ conversationId: id, beside: z.boolean().optional() }),
  'chat.cancelCall': request({ conversationId: id, callId: id }),
  /** Extends an overdue call by one period; does nothing for others. */
  'chat.waitForCall': request({ conversationId: id, callId: id }),
  ...messageRequests,
  /** Saves the composer's extras: all of them. */
  'draft.attach': request({ conversationId: id.optional(), extras: draftExtras }),
  'attachment.part': request(uploadedPart),
  /** Adds an uploaded file as attachment. @throws {HostError} `attachment.unsupported` or `attachment.too-large` */
  'attachment.add': request(
    { upload: id, name: z.string().min(1).max(4096), changed: z.array(imageChange).max(3).optional() },
    { attachment },
  ),
  /** Answers `image.wanted` with a scaled upload; without `upload`: it cannot be drawn. */
  'attachment.scaled': request({ sha256, upload: id.optional() }),
  /** Finds mentions by letters in order. @throws {HostError} `cancelled` when a later search came */
  'mention.find': request({ kind: z.enum(['resource', 'prompt']), text: z.string().max(200) }, foundMentions),
  /** Reads a resource to attach it. `fetch`: any new name, for `mention.cancel`. */
  'mention.attach': request({ fetch: id, server: serverName, uri, skill: shownSkill.optional() }, { attachments: z.array(attachment) }),
  /** Resolves a prompt. Nothing is sent to a model. */
  'mention.prompt': request({ fetch: id, server: serverName, name, arguments: promptArguments }, { prompt: usedPrompt }),
  /** Offers of a server as last seen. Starts nothing. */
  'library.listing': request({ server: serverName }, libraryListing),
  /** Part of a server's resources, at most `mostListed`, in its order. `revision`: of the whole list. */
  'library.resources': request(
    { server: serverName, from: integer.min(0) },
    { resources: z.array(listedResource).max(mostListed), revision: integer },
  ),
  /** Details of a listed resource. Null: not in the list. */
  'library.resource': request({ server: serverName, uri }, { resource: resourceEntry.nullable() }),
  /** Reads a resource to show it. `left`: number of contents left out. @throws {HostError} `server.too-large` */
  'library.read': request({ fetch: id, server: serverName, uri, skill: isSkill }, { contents: z.array(shownContent), left: integer }),
  'mention.cancel': request({ fetch: id }),
  /** Saves a draft: of a conversation, an edited message, or (neither) a new chat. */
  'draft.set': request({ conversationId: id.optional(), messageId: id.optional(), text: longText }),

  /** Searches (syntax: `search-query.ts`). Cancels the searcher’s previous request. `before`: `next` of the previous page. */
  'search.find': request(
    { searcher: id, text: z.string().max(1000), where: searchWhere, conversationId: id.optional(), before: integer.optional() },
    searchFound,
  ),

  ...transferRequests,
  ...bundleRequests,
  ...mcpAppRequests,
  ...personalRequests,

  'server.start': request(byName),
  'server.stop': request(byName),
  'server.restart': request(byName),
  /** Looks for a newer version of its package, and offers it: `offered` is false where there is none, or it was not started in this run. */
  'server.offerUpdate': request(byName, z.object({ offered: z.boolean() })),
  /** Signs in now, also to another account. Resolves once signed in. */
  'server.signIn': request(byName),
  /** Signs out and deletes the tokens. `revoked`: whether the issuer confirmed it. */
  'server.signOut': request(byName, { revoked: z.boolean() }),
  'server.cancelSignIn': request(byName),
  /** Finishes a sign-in with the redirect address that the browser could not open. */
  'server.finishSignIn': request({ name: serverName, address: z.string().max(8192) }),
  /** Tools of a server. Other lists can be very long: `library.listing`, `library.resources`. */
  'server.catalogue': request(byName, catalogue.partial({ resources: true, resourceTemplates: true, prompts: true })),
  /** Log of a server. `earlier`: lines of earlier runs on disk, with negative numbers. */
  'server.log': request(byName, { lines: z.array(logLine), dropped: integer, earlier: z.array(logLine).optional() }),
  'server.saveLog': request(byName, savedFile),
  'server.activity': request(byName, serverActivity),
  /** Lists a server's processes. A page that shows them polls. */
  'server.processes': request(byName, processList),
  /** Report of the last start. Starts nothing. */
  'server.doctor': request(byName, doctorReport),
  ...sandboxRequests,
  'server.setToolEnabled': request({ name: serverName, tool: z.string(), enabled: z.boolean() }),
  /**
   * Adds or replaces an entry of the config file; `previousName` renames. Masked secrets stay as they were. Values of `keepSecrets`
   * move to the secret store, with a reference in the file. `connectionTests`: earlier connection tests; what was approved there for exactly
   * this is not asked again.
   */
  'server.save': request(testedDefinition.extend({ connectionTests: connectionTests.optional() })),
  /** Starts a connection test with launch approval as usual. `connectionTests`: tests of the same set-up, whose approvals count. */
  'server.testConnection': request(testedDefinition.extend({ connectionTests: connectionTests.optional() }), { id }),
  /** Resolves with a newer revision than `after`, or after a while. An unwatched test is ended. */
  'server.watchTest': request({ id, after: integer }, connectionTestSummary),
  /** Ends a test; resolves when nothing of it runs. */
  'server.endTest': request({ id }),
  /** Ends all tests of a set-up and drops their approvals. */
  'server.forgetTests': request({ connectionTests }),

  /** Sets the recording of messages; absent: off. Recorded ones stay until cleared, or until the next recorded start. */
  'server.inspect': request({ name: serverName, mode: inspecting.optional() }),
  /** Messages after `after`, oldest first, in parts. `first`: the oldest that is kept. `last`: the newest. */
  'server.messages': request(
    { name: serverName, after: integer.min(0) },
    { messages: z.array(wireMessage), first: integer, last: integer },
  ),
  'server.clearMessages': request(byName),
  'server.saveMessages': request(byName, savedFile),
  /** Stores the value of `${input:ID}`. No request returns it. */
  'server.setSecret': request({ name: serverName, id: inputId, value: z.string().min(1).max(65_536) }),
  'server.forgetSecret': request({ name: serverName, id: inputId }),
  /** Moves plain-text values of variables or headers to the secret store. */
  'server.keepSecrets': request({ name: serverName, names }),
  /** Undoes the last `server.keepSecrets` of this run. @throws {HostError} `config.invalid` when there was none */
  'server.putBackSecrets': request(byName),
  /** Sets the log level of a server (MCP, "Logging"), and keeps it. */
  'server.setLogLevel': request({ name: serverName, level: logLevel }),
  /**
   * Approves the launch that was approved with another sandbox, from its next start on. @throws {HostError} `server.sandbox-grant`,
   * `server.sandbox-missing`, `server.refused` when this launch is not approved, or `contract.invalid` when it needs no sandbox
   */
  'server.setSandbox': request({ name: serverName, sandbox: sandboxSettings }),
  /** Sampling budget of a server, and its usage today. */
  'server.sampling': request(byName, samplingDay),
  'server.setSamplingBudget': request({ name: serverName, budget: samplingBudget }),
  /** Subscribes to a resource until the server stops; see `server.resourceUpdated`. */
  'server.subscribeResource': request({ name: serverName, uri }),
  'server.unsubscribeResource': request({ name: serverName, uri }),
  /** Reads a resource, or gets a prompt, as the server gives it. A server that does not run is started. */
  'server.readResource': request({ name: serverName, uri }, serverAnswer),
  'server.getPrompt': request({ name: serverName, prompt: name, arguments: promptArguments }, serverAnswer),
  /** Completes an argument (MCP, "Completion"). @throws {HostError} `cancelled` when a later request came */
  'server.complete': request({ name: serverName, query: completionQuery }, completion),
  /** Removes it from the file; `text` is the file as it was, for undo through `config.save`. */
  'server.remove': request(byName, { text: z.string() }),

  ...registryRequests,
  ...discoveryRequests,
  ...gateRequests,

  'config.get': request({}, { path: z.string(), text: z.string(), problems: z.array(configProblem) }),
  /** Saves the config file. @throws {HostError} `config.syntax` when it is not JSON; faulty entries are saved, reported and not started */
  'config.save': request({ text: longText }, { problems: z.array(configProblem) }),
  /** Reads whatever was pasted, without saving or running it. */
  'config.parse': request({ text: longText }, snippet),

  /** Servers of other apps, by their files as they are now. `place`: absolute path of a folder or file to examine too; `text`, `site`: read in its place. Runs nothing. */
  'appImport.look': request(
    { place: z.string().min(1).max(4096).optional(), text: longText.optional(), site: webAddress.optional() },
    { hosts: z.array(appImportHost) },
  ),
  /** Imports servers after a `config-import` request; starts none. */
  'appImport.take': request({ servers: z.array(appImportChoice).min(1).max(500) }, appImportResult),

  /** Answers a request. `accepted: false`: it was answered or withdrawn before. */
  'consent.answer': request({ id, answer: consentAnswer }, { accepted: z.boolean() }),
  /** Adds or replaces a rule. An approval is bound to the current tool definitions. */
  'rule.save': request({ id: id.optional(), rule: ruleDraft }, { rule }),
  /** Usage of rules by id; a missing one never answered. */
  'rule.uses': request({}, { uses: z.record(z.string(), ruleUsage) }),
  /** Explains the decision on a call. Runs nothing. */
  'rule.test': request({ server: serverName, tool: name, arguments: jsonObject, conversationId: id.optional() }, explanation),
  'rule.remove': request(byId),
  /** Follows the person's choice about signed permissions that a notice lists; `token`: of the notice. @throws {HostError} when the list has changed */
  'permissions.settle': request({ choice: signedChoice, token: z.string().max(100) }),
  /** Restores a rule removed in this run. @throws {HostError} `rule.unknown` */
  'rule.restore': request(byId),
  /**
   * Audit rows, newest first. `found`: matches up to one more than `auditCountLimit`, with the first page. `story`: also other rows of
   * the same requests, which the filter may leave out, and the chats that the rows name.
   */
  'audit.list': request(
    { before: integer.optional(), limit, filter: auditFilter.optional(), story: z.boolean().optional() },
    { rows: z.array(auditRow), found: integer.optional(), related: z.array(auditRow).optional(), chats: z.array(auditedChat).optional() },
  ),
  /** Verifies the whole chain. `kept`: row of the anchor that was found in its place. */
  'audit.verify': request({}, { fault: auditFault.nullable(), rows: integer, hash: z.string(), kept: integer.nullable() }),
  /** Writes matching rows as JSON Lines, oldest first. Null: the person chose no folder. */
  'audit.export': request({ filter: auditFilter }, { path: z.string().nullable(), rows: integer }),

  /** Checks a key with the provider, then stores it. */
  'key.set': request({ provider: providerId, key: typed(1000) }, { models: integer }),
  'key.remove': request({ provider: providerId }),
  /** Known models, once the remembered lists are read. */
  'models.list': request({}, { models: z.array(modelInfo), providers: z.array(providerSummary) }),
  'models.refresh': request(),
  /** Looks for models on this computer; unless `again`, not when it has just done so. */
  'models.look': request({ again: z.boolean().optional() }),
  /**
   * Saves an endpoint after requesting its model list, unless `unchecked`. `key` absent: unchanged; null: none. `keyEnv`: environment variable
   * of the key, in place of a stored one. `keyNow`: its value for this run, where the host's environment has none; `lent`: it was used.
   */
  'endpoint.save': request(
    {
      ...{
        id: providerId.optional(),
        name: typed(60),
        baseUrl: typed(2048),
        key: typed(20_000).nullish(),
        unchecked: z.boolean().optional(),
      },
      format: z.enum(endpointFormats).optional(),
      headers: z.record(z.string().regex(headerName), z.string().max(4000)).optional(),
      query: z.record(typed(100), z.string().max(1000)).optional(),
      keyEnv: z.string().regex(variableName).optional(),
      keyNow: typed(20_000).optional(),
    },
    { id: providerId, models: integer, lent: z.boolean().optional() },
  ),
  /** Names those variables of the presets that the host's environment has set; no values. */
  'endpoint.variables': request({}, { variables: z.array(z.string()) }),
  'endpoint.remove': request({ id: providerId }),
  /** Day of the catalogue's data, YYYY-MM-DD. */
  'models.catalogue': request({}, { date: z.string() }),
  /** Fetches the catalogue from `catalogueAddress`, then all lists anew. @throws {HostError} `model.*`; the one before stays then */
  'models.refreshCatalogue': request({}, { models: integer }),
  /** Asks Ollama's library for the bytes of a model. Null: it does not say. */
  'models.pullSize': request({ model: pulledModel }, { bytes: z.number().nullable() }),
  /** Lets Ollama download a model; the event `pulls.changed` tells of it. */
  'models.pull': request({ endpoint: providerId, model: pulledModel }),
  /** Cancels a download, or forgets one that failed. */
  'models.cancelPull': request({ endpoint: providerId, model: pulledModel }),
  /** Usage from one day to another, both included. */
  'usage.report': request({ from: day, to: day }, usageReport),
  'usage.ofChat': request({ conversationId: z.string().min(1).max(100) }, usageTotal),
  /** Changes settings, except roots (`folder.set`). */
  'settings.set': request(settings.omit({ roots: true }).partial()),
} as const

type Requests = typeof requests
export type RequestName = keyof Requests
export type RequestParams<N extends RequestName> = z.input<Requests[N]['params']>
export type RequestInput<N extends RequestName> = z.output<Requests[N]['params']>
export type RequestResult<N extends RequestName> = z.output<Requests[N]['result']>
export const requestNames = Object.keys(requests) as readonly RequestName[]
