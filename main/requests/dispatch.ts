// All request handlers by name, and their dispatch: the contract parses parameters on entry, and results (`check`, in tests).

import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { AuditedChat, AuditFault, AuditFilter, AuditRow } from '#app/consent/audit-row.ts'
import type { ConsentAnswer } from '#app/consent/request.ts'
import { backupPath } from '#app/contract/csp.ts'
import { events } from '#app/contract/events.ts'
import { type RequestInput, type RequestName, requests } from '#app/contract/requests.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { isLocal } from '#app/server/definition.ts'
import { escapeHiddenInJson } from '#app/text/hidden-characters.ts'
import type { Emit } from '#main/base/events.ts'
import { newId } from '#main/base/ids.ts'
import { jsonSize } from '#main/base/json-size.ts'
import { nearest } from '#main/base/nearest-name.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import { runApprovedCall } from '#main/chat/run-approved-call.ts'
import { prepareTools } from '#main/chat/tools/tool-choice.ts'
import { listTools, sentToNew, sentToolsOf } from '#main/chat/tools/tool-overview.ts'
import { markModelChosen, requireModel } from '#main/models/default-model.ts'
import type { BackupStep } from '#main/store/backup/copy.ts'
import { backupFolder } from '#main/store/backup/unfinished-backups.ts'
import type { ChainEnd, Store } from '#main/store/store-api.ts'
import { attachmentHandlers, blobHandlers } from './blob-requests.ts'
import {
  chatHandlers,
  conversationHandlers,
  historyHandlers,
  messageHandlers,
  modelHandlers,
  searchHandlers,
  usageHandlers,
} from './conversation-requests.ts'
import { mentionHandlers } from './mention-requests.ts'
import { chatFolderHandlers, folderHandlers, gateHandlers, personalHandlers } from './personal-requests.ts'
import {
  answerOrError,
  type Caller,
  type Handlers,
  type HandlersOf,
  type HostContext,
  knownConversation,
  knownServer,
} from './request-handlers.ts'
import { appLinkHandlers } from './servers/app-link-requests.ts'
import { bundleHandlers, registryHandlers } from './servers/bundle-requests.ts'
import { configHandlers, importFromAppHandlers } from './servers/import-from-app.ts'
import { serverHandlers } from './servers/server-requests.ts'
import { transferHandlers } from './transfer-requests.ts'

// `tool.call`: a call of a command, decided like a model's call and ended with its caller.

/** @throws {HostError} `server.unknown`, `tool.unknown`, `consent.denied`, and why the call failed */
async function callTool(context: HostContext, params: RequestInput<'tool.call'>, caller?: Caller) {
  const { servers, broker, chat } = context
  const { server, tool: name, arguments: args, timeoutMs } = params
  const definition = servers.view(knownServer(context, server))?.definition
  const { tools } = servers.catalogue(server)
  const tool = tools.find((one) => one.name === name)
  if (!tool || !definition) {
    const names = tools.map((one) => one.name)
    const meant = nearest(name, names)
    const message = t`“${server}” has no tool “${name}”.`
    throw new HostError('tool.unknown', meant === undefined ? message : `${message} ${t`Did you mean “${meant}”?`}`, {
      data: { server, tool: name },
    })
  }
  const callId = newId()
  const call = { callId, server, tool: name, signal: caller?.signal ?? new AbortController().signal, ...defined({ timeoutMs }) }
  const leave = caller?.joined === undefined ? undefined : broker.claim({ joined: caller.joined }, { callId })
  try {
    const steps = { ask: broker.toolCall, send: servers.call, onAllowed: () => chat.joinCall(call) }
    const outcome = await runApprovedCall(steps, call, { tool, trusted: definition.trusted, local: isLocal(definition), arguments: args })
    if (outcome.kind === 'denied') {
      const { word } = outcome.decision
      const message = t`The call was refused. Nothing was run.`
      throw new HostError('consent.denied', word ? `${message} (${word})` : message, { data: { server, tool: name } })
    }
    const { era, protocolVersion, transport = definition.transport === 'builtin' ? 'stdio' : definition.transport } = outcome.session
    return { era, protocolVersion, transport, durationMs: outcome.durationMs, result: outcome.result }
  } finally {
    leave?.()
  }
}

function toolHandlers(host: HostContext): HandlersOf<'tool'> {
  const { store, servers, models, manualRuns } = host
  const context = { store, servers, models, settings: () => store.settings.get() }
  return {
    'tool.list': () => ({ servers: listTools(context) }),
    async 'tool.sent'({ conversationId, begins }) {
      if (conversationId === undefined) return sentToNew(context, begins)
      const conversation = knownConversation(context, conversationId)
      await prepareTools(context, conversation)
      return sentToolsOf(context, conversation)
    },
    'tool.get'({ server, tool: name }) {
      const tool = servers.view(server) && servers.catalogue(server).tools.find((one) => one.name === name)
      if (!tool) throw new HostError('tool.unknown', t`“${server}” has no tool “${name}”.`, { data: { server, tool: name } })
      return { tool, approved: store.rules.definition(server, name) ?? null }
    },
    'tool.call': (params, caller) => answerOrError(callTool(host, params, caller)),
    'tool.run': (params) => ({ run: manualRuns.run(params) }),
    'tool.cancelRun': ({ id }) => manualRuns.cancel(id),
    'tool.waitForRun': ({ id }) => manualRuns.wait(id),
    'tool.runs'({ limit, ...of }) {
      const found = manualRuns.list({ ...of, limit: limit + 1 })
      return { runs: found.slice(0, limit), more: found.length > limit }
    },
    'tool.getRun': ({ id }) => ({ run: manualRuns.get(id) ?? null }),
    'tool.forgetRuns': ({ of }) => ({ gone: manualRuns.forget(of) }),
  }
}

const auditHandlers = ({ store, platform, auditAnchor }: HostContext): HandlersOf<'audit'> => ({
  'audit.list'({ before, limit, filter = {}, story }) {
    const rows = store.audit.list({ limit, filter, ...defined({ before }) })
    const found = before === undefined ? { found: store.audit.count(filter) } : {}
    if (!story) return { rows, ...found }
    const related = store.audit.related(rows)
    return { rows, ...found, related, chats: auditedChats(store, [...rows, ...related]) }
  },
  async 'audit.verify'() {
    // The anchor is read first: rows that are added meanwhile come after it. An anchor kept in memory only proves nothing.
    const kept = platform.secrets.kind === 'keyring' ? await auditAnchor?.kept() : undefined
    const fault = await check(store, kept)
    const { seq = 0, hash = '' } = store.audit.head() ?? {}
    return { fault: fault ?? null, rows: seq, hash, kept: kept?.seq ?? null }
  },
  async 'audit.export'({ filter }) {
    const folder = await platform.chooseFolder(t`Save as a file`)
    return folder === null ? { path: null, rows: 0 } : exportRows(store, folder, filter)
  },
})

/** Characters of a message that stand for it. */
const shortAsk = 300

function auditedChats({ conversations }: Pick<Store, 'conversations'>, rows: readonly AuditRow[]): AuditedChat[] {
  const times = Map.groupBy(rows, ({ conversationId }) => conversationId)
  return [...times].flatMap(([id, among]): AuditedChat[] => {
    if (id === null) return []
    const title = conversations.get(id)?.title
    if (title === undefined) return [{ id, title: null, asked: [] }]
    const at = among.map(({ time }) => time)
    const asked = conversations.askedIn(id, Math.min(...at), Math.max(...at))
    return [{ id, title, asked: asked.map(({ createdAt, text }) => ({ at: createdAt, text: text.slice(0, shortAsk).toWellFormed() })) }]
  })
}

async function check({ audit }: Pick<Store, 'audit'>, kept: ChainEnd | undefined): Promise<AuditFault | undefined> {
  const steps = audit.check(kept)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await setImmediate()
  }
}

async function exportRows({ audit }: Pick<Store, 'audit'>, folder: string, filter: AuditFilter): Promise<{ path: string; rows: number }> {
  const now = new Date().toISOString().slice(0, 19).replaceAll(':', '')
  const path = join(folder, `assent-record-${now}.jsonl`)
  let rows = 0
  let lines = ''
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      for (const row of audit.all(filter)) {
        lines += `${escapeHiddenInJson(JSON.stringify(row))}\n`
        rows += 1
        if (rows % 250 > 0) continue
        await file.writeFile(lines)
        lines = ''
      }
      await file.writeFile(lines)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code === 'ENOSPC' ? 'disk.full' : 'folder.not-found'
    throw cause instanceof HostError ? cause : new HostError(code, t`${path} could not be written.`, { data: { path }, cause })
  }
  return { path, rows }
}

function backupHandlers({ store, clock, snapshot }: HostContext): HandlersOf<'backup'> {
  const running = new Map<string, { readonly abort: AbortController; step: BackupStep }>()
  return {
    async 'backup.write'({ run, folder }) {
      const into = folder ?? backupFolder(snapshot().dataDir)
      try {
        await mkdir(into, { recursive: true, mode: 0o700 })
      } catch (cause) {
        throw new HostError('folder.not-found', t`There is no folder ${into}.`, { data: { path: into }, cause })
      }
      const path = join(into, `assent-${new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '')}.db`)
      const abort = new AbortController()
      const onStep = (step: BackupStep): void => void running.set(run, { abort, step })
      onStep({ kind: 'copying', share: 0 })
      try {
        return { path, ...(await store.backup.write(path, { signal: abort.signal, onStep })) }
      } finally {
        running.delete(run)
      }
    },
    'backup.progress': ({ run }) => running.get(run)?.step ?? { kind: 'none' },
    'backup.cancel': ({ run }) => running.get(run)?.abort.abort(),
    'backup.list': () => ({ backups: store.backup.list(), staged: store.backup.isStaged() }),
    'backup.receive': ({ base64, ...part }) => store.backup.uploads.part({ ...part, bytes: Buffer.from(base64, 'base64') }),
    'backup.forget': ({ upload }) => store.backup.uploads.forget(upload),
    'backup.offer': ({ path }) => ({ href: backupPath(store.backup.downloads.offer(path)) }),
    'backup.remove': ({ path }) => store.backup.remove(path),
    'backup.diskUse': () => store.backup.measure(),
    'backup.check': (source) => store.backup.check(source),
    'backup.restore': ({ source, bring, digest }) => store.backup.stage(source, bring, digest),
    'backup.unstage': () => store.backup.unstage(),
  }
}

function consentHandlers(context: HostContext): HandlersOf<'consent' | 'rule' | 'permissions'> {
  const { broker, servers } = context
  const toolsOf = (server: string | undefined): readonly ToolEntry[] =>
    server === undefined || !servers.view(server) ? [] : servers.catalogue(server).tools

  /** Looks up the folders of a rule: what the page says of where they are does not count. */
  const bound = async (answer: ConsentAnswer): Promise<ConsentAnswer> =>
    answer.kind !== 'cancel' && answer.terms ? { ...answer, terms: await broker.bindTerms(answer.terms) } : answer

  return {
    'consent.answer': async ({ id, answer }, caller) => ({ accepted: broker.answer(id, await bound(answer), caller?.joined) }),
    'rule.save': async ({ id, rule }) => ({ rule: await broker.saveRule(rule, { id, tools: toolsOf(rule.server) }) }),
    'rule.uses': () => ({ uses: context.store.rules.usages() }),
    async 'rule.test'({ server, tool: name, arguments: args, conversationId }) {
      const tool = toolsOf(server).find((one) => one.name === name)
      const definition = servers.view(server)?.definition
      if (!tool || !definition) throw new HostError('tool.unknown', t`“${server}” has no tool “${name}”.`, { data: { server, tool: name } })
      return broker.previewDecision({
        server,
        tool,
        conversationId,
        trusted: definition.trusted,
        local: isLocal(definition),
        arguments: args,
      })
    },
    'rule.remove': ({ id }) => broker.removeRule(id),
    'rule.restore': ({ id }) => broker.restoreRule(id),
    async 'permissions.settle'({ choice, token }) {
      const { audit, signed } = context.store
      // Audited first: what cannot be audited is not allowed.
      const decision = choice === 'use' ? 'permissions-signed' : 'permissions-removed'
      await signed.settle(choice, token, (reason) => audit.append({ kind: 'config', decision, by: 'person', detail: { reason } }))
    },
  }
}

const settingsHandlers = (context: HostContext): HandlersOf<'settings'> => ({
  'settings.set'(patch) {
    if (patch.defaultModel !== undefined) {
      requireModel(context.models, patch.defaultModel)
      markModelChosen(context.store.settings)
    }
    const settings = context.store.settings.set(defined(patch))
    // The language is set before listeners build texts.
    if (patch.language !== undefined) context.platform.speak?.(settings.language)
    context.emit('settings.changed', { settings })
  },
})

function desktopOf({ platform: { desktop } }: HostContext): NonNullable<HostContext['platform']['desktop']> {
  if (!desktop) throw new HostError('platform.unavailable', t`This shell has no windows of its own.`)
  return desktop
}

const appHandlers = (context: HostContext): HandlersOf<'app'> => ({
  'app.snapshot': ({ open }) => context.snapshot(open),
  'app.shown': () => context.shown(),
  'app.openUrl': async ({ url }) => ({ by: await context.platform.openUrl(context.broker.clickedUrl(url)) }),
  'app.openWindow'() {
    if (!context.platform.openWindow) throw new HostError('platform.unavailable', t`This shell has no windows of its own.`)
    context.platform.openWindow()
  },
  async 'app.update'({ action }) {
    await context.platform.updates?.act(action)
  },
  'app.desktop': () => desktopOf(context).state(),
  'app.hideQuickEntry': () => desktopOf(context).hideQuickEntry(),
  'app.pasteQuickEntry': () => desktopOf(context).pasteQuickEntry(),
  'app.showCrashes': () => desktopOf(context).showCrashes(),
  'app.chooseFile': async ({ title }) => ({ path: await context.platform.chooseFile(title) }),
  'app.chooseFolder': async ({ title }) => ({ path: await context.platform.chooseFolder(title) }),
  'app.readEnvironment': () => context.servers.readEnvironment(),
})

/** Bytes of JSON in one answer to an MCP App. */
const largestAnswer = 8_000_000

/** Limits an answer in size, and turns a JSON-RPC error into one that the page passes on. */
async function carried(work: Promise<JsonObject>): Promise<{ result: JsonObject }> {
  const result = await work.catch((error: unknown) => {
    throw isProtocolError(error) ? new HostError('server.protocol', t`The server answered: ${error.message}`, { cause: error }) : error
  })
  if (jsonSize(result) <= largestAnswer) return { result }
  throw new HostError('view.too-large', t`The answer is too large for an app.`)
}

const mcpAppHandlers = ({ chat: { mcpApps } }: HostContext): HandlersOf<'mcpApp'> => ({
  'mcpApp.open': (of) => mcpApps.open(of),
  'mcpApp.close': ({ id }) => mcpApps.close(id),
  'mcpApp.openArtifact': ({ html }) => mcpApps.openArtifact(html),
  'mcpApp.result': ({ id }) => mcpApps.result(id),
  'mcpApp.call': ({ id, tool, arguments: args }) => carried(mcpApps.call(id, tool, args)),
  'mcpApp.read': ({ id, uri }) => carried(mcpApps.read(id, uri)),
  'mcpApp.openLink': async ({ id, url }) => ({ opened: await mcpApps.openLink(id, url) }),
  'mcpApp.tell': async ({ id, words }) => ({ attachment: await mcpApps.tell(id, words) }),
  'mcpApp.log': ({ id, level, text }) => mcpApps.log(id, level, text),
  'mcpApp.forget': ({ id }) => mcpApps.forget(id),
})

export const allHandlers = (context: HostContext): Handlers => ({
  ...appHandlers(context),
  ...blobHandlers(context),
  ...bundleHandlers(context),
  ...attachmentHandlers(context),
  ...auditHandlers(context),
  ...backupHandlers(context),
  ...chatHandlers(context),
  ...chatFolderHandlers(context),
  ...configHandlers(context),
  ...consentHandlers(context),
  ...conversationHandlers(context),
  ...folderHandlers(context),
  ...gateHandlers(context),
  ...messageHandlers(context),
  ...personalHandlers(context),
  ...historyHandlers(context),
  ...modelHandlers(context),
  ...mentionHandlers(context),
  ...registryHandlers(context),
  ...searchHandlers(context),
  ...serverHandlers(context),
  ...settingsHandlers(context),
  ...importFromAppHandlers(context),
  ...appLinkHandlers(context),
  ...toolHandlers(context),
  ...usageHandlers(context),
  ...transferHandlers(context),
  ...mcpAppHandlers(context),
})

/** Names the field, and never repeats its value: it may be a secret. */
function contractError(what: string, { issues: [issue] }: Pick<z.ZodError, 'issues'>): HostError {
  const field = (issue?.path ?? []).map(String).join('.')
  const why = issue?.message ?? 'invalid'
  const message = field === '' ? t`${what}: its parameters do not fit (${why}).` : t`${what}: “${field}” does not fit (${why}).`
  return new HostError('contract.invalid', message, { data: { request: what, field } })
}

/** Returns an `emit` that throws for an event that the contract does not allow; for tests. */
export const checkedEvents =
  (emit: Emit): Emit =>
  (name, payload) => {
    const result = events[name].safeParse(payload)
    if (!result.success) throw contractError(`${name}, event`, result.error)
    emit(name, payload)
  }

const isKnownRequest = (name: string): name is RequestName => Object.hasOwn(requests, name)

export function createDispatch(handlers: Handlers, options: { readonly check: boolean }) {
  return async (name: string, params: unknown, caller?: Caller): Promise<unknown> => {
    if (!isKnownRequest(name)) throw new HostError('contract.unknown-request', t`The host knows no request “${name.slice(0, 100)}”.`)
    const parsed = requests[name].params.safeParse(params)
    if (!parsed.success) throw contractError(name, parsed.error)
    // The map's own type ties each name to its params; a union of names loses that tie.
    const handler = handlers[name] as (params: unknown, caller?: Caller) => unknown
    const returned = await handler(parsed.data, caller)
    // The union of all their types is too much for the compiler; here it is one schema like any other.
    const schema: z.ZodType = requests[name].result
    const result = schema instanceof z.ZodObject && Object.keys(schema.shape).length === 0 ? {} : returned
    if (!options.check) return result
    const checked = schema.safeParse(result)
    if (!checked.success) throw contractError(`${name}, result`, checked.error)
    return result
  }
}
