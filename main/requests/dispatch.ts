// From a name and untrusted params to a result: parsed by the contract on entry, and (`check`, in tests) on the way out. The
// record as a page sees it. What takes a while (the whole chain, a file of all rows) goes on in steps, and servers and other
// windows are served in between.

import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { AuditFault, AuditFilter } from '#app/consent/audit-row.ts'
import type { ConsentAnswer } from '#app/consent/request.ts'
import { backupPath } from '#app/contract/csp.ts'
import { type RequestName, requests } from '#app/contract/requests.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { isLocal } from '#app/server/definition.ts'
import { jsonSize } from '#main/base/json-size.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
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
import { chatFolderHandlers, folderHandlers } from './folder-requests.ts'
import { mentionHandlers } from './mention-requests.ts'
import type { Handlers, HandlersOf, HostContext } from './request-handlers.ts'
import { bundleHandlers, registryHandlers } from './servers/bundle-requests.ts'
import { configHandlers, importFromAppHandlers } from './servers/import-from-app.ts'
import { serverHandlers } from './servers/server-requests.ts'
import { transferHandlers } from './transfer-requests.ts'

function toolHandlers({ store, servers, models, manualRuns }: HostContext): HandlersOf<'tool'> {
  const deps = { store, servers, models, settings: () => store.settings.get() }
  return {
    'tool.list': () => ({ servers: listTools(deps) }),
    async 'tool.sent'({ conversationId, begins }) {
      const conversation = conversationId === undefined ? undefined : store.conversations.get(conversationId)
      if (conversationId !== undefined && !conversation)
        throw new HostError('chat.unknown-conversation', t`This chat is not there any more.`, { data: { conversationId } })
      if (conversation) await prepareTools(deps, conversation)
      return conversation ? sentToolsOf(deps, conversation) : sentToNew(deps, begins)
    },
    'tool.get'({ server, tool: name }) {
      const tool = servers.view(server) && servers.catalogue(server).tools.find((one) => one.name === name)
      if (!tool) throw new HostError('tool.unknown', t`“${server}” has no tool “${name}”.`, { data: { server, tool: name } })
      return { tool, approved: store.rules.definition(server, name) ?? null }
    },
    'tool.run': (params) => ({ run: manualRuns.run(params) }),
    'tool.cancelRun'({ id }) {
      manualRuns.cancel(id)
      return {}
    },
    'tool.waitForRun'({ id }) {
      manualRuns.wait(id)
      return {}
    },
    'tool.runs'({ limit, ...of }) {
      const found = manualRuns.list({ ...of, limit: limit + 1 })
      return { runs: found.slice(0, limit), more: found.length > limit }
    },
    'tool.getRun': ({ id }) => ({ run: manualRuns.get(id) ?? null }),
    'tool.forgetRuns': ({ of }) => ({ gone: manualRuns.forget(of) }),
  }
}

const rowsAStep = 250

const auditHandlers = ({ store, platform, auditAnchor }: HostContext): HandlersOf<'audit'> => ({
  'audit.list'({ before, limit, filter = {} }) {
    if (before !== undefined) return { rows: store.audit.list({ before, limit, filter }) }
    return { rows: store.audit.list({ limit, filter }), found: store.audit.count(filter) }
  },
  async 'audit.verify'() {
    // What is kept is read first: a row that is added later is behind it. What this run alone remembers speaks for nothing.
    const kept = platform.secrets.kind === 'keyring' ? await auditAnchor?.kept() : undefined
    const fault = await check(store, kept)
    const { seq = 0, hash = '' } = store.audit.head() ?? {}
    return { fault: fault ?? null, rows: seq, hash, kept: kept?.seq ?? null }
  },
  async 'audit.export'({ filter }) {
    const folder = await platform.chooseFolder(t`Where to save the record`)
    return folder === null ? { path: null, rows: 0 } : exportRows(store, folder, filter)
  },
})

async function check({ audit }: Pick<Store, 'audit'>, kept: ChainEnd | undefined): Promise<AuditFault | undefined> {
  const steps = audit.check(kept)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await setImmediate()
  }
}

/** For its owner alone; a file that is there stays as it is. */
async function exportRows({ audit }: Pick<Store, 'audit'>, folder: string, filter: AuditFilter): Promise<{ path: string; rows: number }> {
  const now = new Date().toISOString().slice(0, 19).replaceAll(':', '')
  const path = join(folder, `assent-record-${now}.jsonl`)
  let rows = 0
  let lines = ''
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      for (const row of audit.all(filter)) {
        lines += `${JSON.stringify(row)}\n`
        rows += 1
        if (rows % rowsAStep > 0) continue
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
    throw cause instanceof HostError
      ? cause
      : new HostError(code, t`The record could not be written to ${path}.`, { data: { path }, cause })
  }
  return { path, rows }
}

interface Running {
  readonly abort: AbortController
  step: BackupStep
}

function backupHandlers({ store, clock, snapshot }: HostContext): HandlersOf<'backup'> {
  const running = new Map<string, Running>()

  return {
    async 'backup.write'({ run, folder }) {
      const into = folder ?? backupFolder(snapshot().dataDir)
      try {
        await mkdir(into, { recursive: true, mode: 0o700 })
      } catch (cause) {
        throw new HostError('folder.not-found', t`The folder ${into} cannot be used.`, { data: { path: into }, cause })
      }
      const path = join(into, `assent-${new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '')}.db`)
      const one: Running = { abort: new AbortController(), step: { kind: 'copying', share: 0 } }
      running.set(run, one)
      try {
        const facts = await store.backup.write(path, {
          signal: one.abort.signal,
          onStep: (step) => {
            one.step = step
          },
        })
        return { path, ...facts }
      } finally {
        running.delete(run)
      }
    },
    'backup.progress': ({ run }) => running.get(run)?.step ?? { kind: 'none' },
    'backup.cancel'({ run }) {
      running.get(run)?.abort.abort()
      return {}
    },
    'backup.list': () => ({ backups: store.backup.list(), staged: store.backup.isStaged() }),
    async 'backup.receive'({ base64, ...part }) {
      await store.backup.uploads.part({ ...part, bytes: Buffer.from(base64, 'base64') })
      return {}
    },
    async 'backup.forget'({ upload }) {
      await store.backup.uploads.forget(upload)
      return {}
    },
    'backup.offer': ({ path }) => ({ href: backupPath(store.backup.downloads.offer(path)) }),
    'backup.remove'({ path }) {
      store.backup.remove(path)
      return {}
    },
    'backup.diskUse': () => store.backup.measure(),
    'backup.check': (source) => store.backup.check(source),
    'backup.restore': ({ source, bring }) => store.backup.stage(source, bring),
    'backup.unstage'() {
      store.backup.unstage()
      return {}
    },
  }
}

function consentHandlers(context: HostContext): HandlersOf<'consent' | 'rule'> {
  const { broker, servers } = context

  /** As Assent knows them, whether or not the server runs. */
  const toolsOf = (server: string | undefined): readonly ToolEntry[] =>
    server === undefined || !servers.view(server) ? [] : servers.catalogue(server).tools

  /** Where the folders of a rule are is for the host to say. */
  const bound = async (answer: ConsentAnswer): Promise<ConsentAnswer> =>
    answer.kind !== 'cancel' && answer.terms ? { ...answer, terms: await broker.bindTerms(answer.terms) } : answer

  return {
    'consent.answer': async ({ id, answer }) => ({ accepted: broker.answer(id, await bound(answer)) }),
    'rule.save': async ({ id, rule }) => ({ rule: await broker.saveRule(rule, { id, tools: toolsOf(rule.server) }) }),
    'rule.uses': () => ({ uses: context.store.rules.usages() }),
    async 'rule.test'({ server, tool: name, arguments: args, conversationId }) {
      const tool = toolsOf(server).find((one) => one.name === name)
      const definition = servers.view(server)?.definition
      if (!tool || !definition)
        throw new HostError('tool.unknown', t`${server} has no tool “${name}” that Assent knows of.`, { data: { server, tool: name } })
      return broker.previewDecision({
        server,
        tool,
        conversationId,
        trusted: definition.trusted,
        local: isLocal(definition),
        arguments: args,
      })
    },
    'rule.remove'({ id }) {
      broker.removeRule(id)
      return {}
    },
    'rule.restore'({ id }) {
      broker.restoreRule(id)
      return {}
    },
  }
}

/** Keys that are there but undefined would overwrite; only what was sent counts. */
const sent = <T extends object>(patch: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> }

const settingsHandlers = (context: HostContext): HandlersOf<'settings'> => ({
  'settings.set'(patch) {
    if (patch.defaultModel !== undefined) {
      requireModel(context.models, patch.defaultModel)
      markModelChosen(context.store.settings)
    }
    const settings = context.store.settings.set(sent(patch))
    // Before anybody is told, and says something about it.
    if (patch.language !== undefined) context.platform.speak?.(settings.language)
    context.emit('settings.changed', { settings })
    return {}
  },
})

const appHandlers = (context: HostContext): HandlersOf<'app'> => ({
  'app.snapshot': ({ open }) => context.snapshot(open),
  'app.shown'() {
    context.shown()
    return {}
  },
  async 'app.openUrl'({ url }) {
    return { by: await context.platform.openUrl(context.broker.clickedUrl(url)) }
  },
  'app.openWindow'() {
    if (!context.platform.openWindow) throw new HostError('platform.unavailable', t`This shell has no windows of its own.`)
    context.platform.openWindow()
    return {}
  },
  async 'app.chooseFile'({ title }) {
    return { path: await context.platform.chooseFile(title) }
  },
  async 'app.chooseFolder'({ title }) {
    return { path: await context.platform.chooseFolder(title) }
  },
  'app.readEnvironment': () => context.servers.readEnvironment(),
})

/** JSON text of one answer to a view, which goes through the page. */
const largestAnswer = 8_000_000

/** A view reads what a server answered as the error that it is. */
async function carried(work: Promise<JsonObject>): Promise<{ result: JsonObject }> {
  const result = await work.catch((error: unknown) => {
    throw isProtocolError(error) ? new HostError('server.protocol', t`The server answered: ${error.message}`, { cause: error }) : error
  })
  if (jsonSize(result) <= largestAnswer) return { result }
  throw new HostError('view.too-large', t`The answer is more than a view is given.`)
}

const mcpAppHandlers = ({ chat: { mcpApps } }: HostContext): HandlersOf<'view'> => ({
  'view.open': (of) => mcpApps.open(of),
  'view.close'({ id }) {
    mcpApps.close(id)
    return {}
  },
  'view.result': ({ id }) => mcpApps.result(id),
  'view.call': ({ id, tool, arguments: args }) => carried(mcpApps.call(id, tool, args)),
  'view.read': ({ id, uri }) => carried(mcpApps.read(id, uri)),
  'view.openLink': async ({ id, url }) => ({ opened: await mcpApps.openLink(id, url) }),
  'view.tell': async ({ id, words }) => ({ attachment: await mcpApps.tell(id, words) }),
  'view.log'({ id, level, text }) {
    mcpApps.log(id, level, text)
    return {}
  },
  'view.forget'({ id }) {
    mcpApps.forget(id)
    return {}
  },
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
  ...messageHandlers(context),
  ...historyHandlers(context),
  ...modelHandlers(context),
  ...mentionHandlers(context),
  ...registryHandlers(context),
  ...searchHandlers(context),
  ...serverHandlers(context),
  ...settingsHandlers(context),
  ...importFromAppHandlers(context),
  ...toolHandlers(context),
  ...usageHandlers(context),
  ...transferHandlers(context),
  ...mcpAppHandlers(context),
})

interface Issues {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]
}

/** Names the field, and never repeats its value: it may be a secret. */
export function contractError(what: string, error: Issues): HostError {
  const issue = error.issues[0]
  const field = (issue?.path ?? []).map(String).join('.')
  const why = issue?.message ?? 'invalid'
  const message = field === '' ? t`${what}: its parameters do not fit (${why}).` : t`${what}: “${field}” does not fit (${why}).`
  return new HostError('contract.invalid', message, { data: { request: what, field } })
}

const isKnownRequest = (name: string): name is RequestName => Object.hasOwn(requests, name)

type Dispatch = (name: string, params: unknown) => Promise<unknown>

export function createDispatch(handlers: Handlers, options: { readonly check: boolean }): Dispatch {
  return async (name, params) => {
    if (!isKnownRequest(name)) throw new HostError('contract.unknown-request', t`The host knows no request “${name.slice(0, 100)}”.`)
    const parsed = requests[name].params.safeParse(params)
    if (!parsed.success) throw contractError(name, parsed.error)
    // The map's own type ties each name to its params; a union of names loses that tie.
    const handler = handlers[name] as (params: unknown) => unknown
    const result = await handler(parsed.data)
    if (!options.check) return result
    // The union of all their types is too much for the compiler; here it is one schema like any other.
    const schema: z.ZodType = requests[name].result
    const checked = schema.safeParse(result)
    if (!checked.success) throw contractError(`${name}, result`, checked.error)
    return result
  }
}
