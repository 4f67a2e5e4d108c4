// MCP Apps that are open. Each is bound to one call, and so to that call's server: its requests name neither. A page may close an
// app and be gone before it says so, so the number of open apps is limited and the oldest are closed first. Every method but
// `open`, `close` and `document` ends with `view.gone` for an app that is not open.

import { randomBytes } from 'node:crypto'
import type { Attachment } from '#app/chat/attachments/attachment.ts'
import type { ToolCall } from '#app/chat/message.ts'
import { isToolOff } from '#app/chat/tools/tool-switches.ts'
import { definitionOf } from '#app/consent/tool-definition.ts'
import type { RequestInput } from '#app/contract/requests.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { longestMcpAppLog, longestMcpAppText, type McpAppResult, type OpenedMcpApp } from '#app/mcp-apps/app-view.ts'
import { toolInterface } from '#app/mcp-apps/tool-interface.ts'
import { isLocal } from '#app/server/definition.ts'
import type { LogLevel } from '#app/server/server-state.ts'
import { orAborted } from '#main/base/abort.ts'
import type { Clock } from '#main/base/clock.ts'
import { newId } from '#main/base/ids.ts'
import { type ApprovedMcpApp, spend } from '#main/consent/approved.ts'
import type { MadeTask } from '#main/servers/client/requests/running-calls.ts'
import { keepAttachment } from '../attachments/store-attachment.ts'
import type { ChatContext } from '../chat-context.ts'
import { callsIn } from '../message-calls.ts'
import { type CallSteps, runApprovedCall } from '../run-approved-call.ts'
import { folderOf, isServerOffered } from '../tools/tool-choice.ts'
import type { TurnOptions } from '../turn/turn.ts'
import { mcpAppResultOf } from './call-result.ts'
import { readDomains } from './csp-domains.ts'
import { fetchUiResource } from './ui-resource.ts'

// Removes WebRTC from an MCP App before its first line runs: no `connect-src` limits WebRTC. Documents within the app (`srcdoc`,
// `javascript:`), each with a WebRTC of its own and outside of `frame-src`, are refused by the one Trusted Types policy that the
// app's CSP allows; APIs that parse without Trusted Types are deleted, and frames that appear all the same are removed before they
// load. The app runs in the same window: the script must call nothing that the app can replace.
const script = `(() => {
  const { apply, ownKeys, getOwnPropertyDescriptor, defineProperty } = Reflect
  const { observe } = MutationObserver.prototype
  const { remove, attachShadow } = Element.prototype
  const { querySelectorAll } = DocumentFragment.prototype
  const { toLowerCase, includes } = String.prototype
  const seek = Document.prototype.querySelectorAll
  const unnamed = (place, pattern) => {
    for (const name of ownKeys(place)) if (typeof name === 'string' && pattern.test(name)) delete place[name]
  }
  if (!globalThis.trustedTypes) return stop()
  const has = (text, word) => apply(includes, text, [word])
  trustedTypes.createPolicy('default', {
    createHTML(html, type, sink) {
      const text = apply(toLowerCase, html, [])
      const writes = sink === 'HTMLIFrameElement srcdoc' || (has(text, 'iframe') && has(text, 'srcdoc')) || has(text, '<!entity')
      return writes ? null : html
    },
    createScript: (text, type, sink) => (sink === 'Location href' ? null : text),
    createScriptURL: (url) => url,
  })
  unnamed(globalThis, /^(?:(?:webkit)?rtc|xslt|trustedtypes$)/i)
  for (const place of [Document, Document.prototype, Element.prototype, ShadowRoot.prototype]) unnamed(place, /unsafe|^write(?:ln)?$/i)
  const asked = XMLHttpRequest.prototype
  const { get, set } = getOwnPropertyDescriptor(asked, 'responseType')
  unnamed(asked, /^responsexml$/i)
  defineProperty(asked, 'responseType', { get, set(type) { const kind = \`\${type}\`; if (kind !== 'document') apply(set, this, [kind]) } })
  const sweep = (found) => {
    for (let at = 0, one; (one = found[at]) !== undefined; at += 1) apply(remove, one, [])
  }
  const sought = 'iframe[srcdoc]'
  const watch = (root, swept) => apply(observe, new Watcher(swept), [root, { childList: true, subtree: true, attributes: true, attributeFilter: ['srcdoc'] }])
  const Watcher = MutationObserver
  watch(document, () => sweep(apply(seek, document, [sought])))
  Element.prototype.attachShadow = function (...given) {
    const root = apply(attachShadow, this, given)
    watch(root, () => sweep(apply(querySelectorAll, root, [sought])))
    return root
  }
})()`

/** Everything up to the doctype, with comments as an HTML parser ends them (HTML, 13.2.5.43 on). */
const beginning = /^(?:[\s\uFEFF]|<!--(?!-?>)(?:(?!--!?>)[\s\S])*--!?>)*<!doctype[^>]*>/i

/** Declarative shadow trees: the parser makes them, so that no observer sees them. */
const written = /shadowrootmode/gi

/** `srcdoc` in the document's own text, which no Trusted Types policy sees. A digit replaces the `o`, so that a name in a script stays a name. */
const writtenFrame = /(srcd)o(c)/gi

/**
 * Tells the page of errors and of what the policy blocked, for pages of answers. The document can say the same by itself: a message
 * is a sentence to show and no more (`renderer/features/chat/artifacts/artifact-pane.tsx`).
 */
const reporter = `<script>(() => {
  const tell = (method, params) => parent.postMessage({ jsonrpc: '2.0', method, params }, '*')
  addEventListener('error', ({ message, lineno }) => message && tell('artifact/error', { message, line: lineno }))
  addEventListener('unhandledrejection', ({ reason }) => tell('artifact/error', { message: String(reason), line: 0 }))
  addEventListener('securitypolicyviolation', ({ blockedURI }) => tell('artifact/blocked', { address: blockedURI }))
})()</script>`

/** `more`: markup between our script and the document. */
export function unconnected(html: string, more = ''): string {
  const [start = ''] = beginning.exec(html) ?? []
  const rest = html.slice(start.length).replace(written, 'data-shadow')
  return `${start}<script>${script}</script>${more}${/<iframe/i.test(rest) ? rest.replace(writtenFrame, '$10$2') : rest}`
}

/** The document of an open app. A shell serves it to a frame, at an address that nobody can guess. */
interface McpAppDocument {
  readonly bytes: Buffer
  /** The Content-Security-Policy that it must be served with. */
  readonly policy: string
  /** The Connection-Allowlist beside it. */
  readonly connections: string
}

type AppSource = Readonly<Record<'conversationId' | 'callId' | 'server' | 'tool' | 'uri', string>>

interface OpenApp extends AppSource {
  readonly document: McpAppDocument
  readonly control: AbortController
  readonly requests: RateLimit
  readonly logs: RateLimit
  /** The person stopped it: it gets no further request through. */
  stopped: boolean
}

type OpenParams = RequestInput<'mcpApp.open'>

type McpAppsContext = Pick<TurnOptions, 'chat' | 'running' | 'rootsProvider'>

const MOST_OPEN = 32
const MOST_ARTIFACTS = 8

export function createMcpApps(context: McpAppsContext) {
  const { store, servers, broker, clock, openUrl } = context.chat
  const open = new Map<string, OpenApp>()
  /** Pages of answers: documents alone, with which no request can be made. */
  const artifacts = new Map<string, McpAppDocument>()
  const closed = new AbortController()

  function known(id: string): OpenApp {
    const app = open.get(id)
    if (!app) throw new HostError('view.gone', t`This app is closed.`)
    return app
  }
  function running(id: string): OpenApp {
    const app = known(id)
    if (app.stopped) throw new HostError('view.refused', t`The person stopped this app.`)
    return app
  }
  /** Cancels the open requests of the app. */
  function close(id: string): void {
    open.get(id)?.control.abort()
    open.delete(id)
    artifacts.delete(id)
  }

  return {
    /** Reads the interface of the call's tool. @throws {HostError} `view.*`, and what a server throws that does not run or answer */
    async open(params: OpenParams): Promise<OpenedMcpApp> {
      const { source, facts, fingerprint, approval, shown } = await requestApp(context.chat, params, closed.signal)
      if (!approval) return { kind: 'asks', ...facts, fingerprint }
      const id = newAddress()
      open.set(id, {
        ...source,
        document: documentOf(approval),
        control: new AbortController(),
        requests: createRateLimit(clock, 20, 4),
        logs: createRateLimit(clock, 50, 50),
        stopped: false,
      })
      for (const oldest of open.keys()) if (open.size > MOST_OPEN) close(oldest)
      return { kind: 'ready', ...facts, id, ...shown }
    },
    close,
    openArtifact(html: string): { readonly id: string; readonly offset: number } {
      const id = newAddress()
      artifacts.set(id, documentOf(broker.artifact(html), reporter))
      for (const oldest of artifacts.keys()) if (artifacts.size > MOST_ARTIFACTS) close(oldest)
      return { id, offset: unconnected('', reporter).split('\n').length - 1 }
    },
    result(id: string): McpAppResult {
      const { conversationId, callId } = known(id)
      const call = findCall(store, conversationId, callId)
      return call ? mcpAppResultOf(call.state, store.blobs) : { kind: 'cancelled', reason: t`This app is closed.` }
    },
    /** Calls a tool of the app's own server that is for apps too, with consent as for any call. Resolves to a `CallToolResult`. */
    async call(id: string, tool: string, args: JsonObject): Promise<JsonObject> {
      const app = running(id)
      return app.requests.run(() => callTool(context, app, tool, args, () => closed.signal.aborted))
    },
    async read(id: string, uri: string): Promise<JsonObject> {
      const { server, control, requests } = running(id)
      return requests.run(() => orAborted(servers.readResource(server, uri, { signal: control.signal }), control.signal))
    },
    /** Resolves to `true` when the person allowed the page and it was opened. */
    async openLink(id: string, url: string): Promise<boolean> {
      const { server, conversationId, callId, tool, control, requests } = running(id)
      return requests.run(async () => {
        const answer = await broker.elicitUrl({ server, conversationId, view: { callId, tool }, message: '', url, signal: control.signal })
        if (answer.action !== 'accept' || !openUrl) return false
        await openUrl(answer.approval)
        return true
      })
    },
    /** Keeps a text of the app for the model, as an attachment. */
    async tell(id: string, words: string): Promise<Attachment> {
      const { server, tool, uri, requests } = running(id)
      const bytes = Buffer.from(words.slice(0, longestMcpAppText).toWellFormed(), 'utf8')
      return requests.run(async () => keepAttachment({ bytes, name: `What ${tool} shows`, from: { server, uri } }, store.orphanBlobs))
    },
    /** Adds a line to the log of the app's server; drops it above the rate limit. */
    log(id: string, level: LogLevel, text: string): void {
      const { server, tool, logs } = known(id)
      logs.run(async () => servers.note(server, level, t`The view of ${tool}: ${text.slice(0, longestMcpAppLog)}`)).catch(() => undefined)
    },
    /** Forgets that the person agreed to the app's origins: they are shown again the next time. */
    forget(id: string): void {
      const { server, uri } = known(id)
      broker.forgetMcpApp(server, uri)
    },
    document: (id: string): McpAppDocument | undefined => open.get(id)?.document ?? artifacts.get(id),
    dispose(): void {
      closed.abort()
      for (const id of [...open.keys(), ...artifacts.keys()]) close(id)
    },
  }
}

const newAddress = (): string => randomBytes(24).toString('base64url')

function documentOf(approval: ApprovedMcpApp, more?: string): McpAppDocument {
  const { html, policy, connections } = spend(approval)
  return { bytes: Buffer.from(unconnected(html, more), 'utf8'), policy, connections }
}

/** Reads the interface of a call's tool and asks the broker whether it may be shown. */
async function requestApp({ store, servers, broker }: ChatContext, { conversationId, callId, agreed }: OpenParams, signal: AbortSignal) {
  const call = findCall(store, conversationId, callId)
  if (call?.view === undefined || call.server === undefined || call.tool === undefined)
    throw new HostError('view.gone', t`The call has no app.`)
  const { server, tool, view: uri } = call
  const definition = servers.view(server)?.definition
  if (!definition) throw new HostError('server.unknown', t`There is no server named “${server}”.`, { data: { server } })
  const { html, csp, domain, permissions, border } = await fetchUiResource(servers, { server, uri }, signal)
  const { domains, refused } = readDomains(csp, 'url' in definition ? definition.url : undefined, domain)
  const source = { conversationId, callId, server, tool, uri }
  const entry = entryOf(servers, server, tool)
  return {
    source,
    ...broker.mcpApp({ ...source, html, domains, agreed }),
    facts: { server, uri, domains, refused: [...refused], refusedPermissions: [...permissions] },
    shown: {
      tool: entry ? definitionOf(entry) : { name: tool, inputSchema: { type: 'object' } },
      arguments: isJsonObject(call.arguments) ? call.arguments : {},
      border,
    },
  }
}

const findCall = ({ conversations }: ChatContext['store'], conversationId: string, callId: string): ToolCall | undefined =>
  conversations
    .messages(conversationId)
    .flatMap(callsIn)
    .find(({ id }) => id === callId)

const entryOf = (servers: ChatContext['servers'], server: string, tool: string) =>
  servers.catalogue(server).tools.find(({ name }) => name === tool)

/** Returns the tool, if an app in that conversation may call it. @throws {HostError} `tool.unknown` */
function callableTool({ store, servers }: ChatContext, { server, conversationId }: AppSource, tool: string) {
  const definition = servers.view(server)?.definition
  const entry = definition?.enabled ? entryOf(servers, server, tool) : undefined
  const conversation = store.conversations.get(conversationId)
  const isOn =
    conversation !== undefined &&
    isServerOffered(conversation, folderOf(store, conversation), server) &&
    !isToolOff(conversation.tools, server, tool)
  if (!definition || !entry?.enabled || !toolInterface(entry).forApp || !isOn)
    throw new HostError('tool.unknown', t`“${server}” has no tool “${tool.slice(0, 200)}”.`, { data: { server } })
  return { entry, definition }
}

/** A `tools/call` of an app, which the model does not read. @throws {HostError} `consent.*`, or what the call failed with */
async function callTool(
  { chat, running, rootsProvider }: McpAppsContext,
  app: OpenApp,
  name: string,
  args: JsonObject,
  quitting: () => boolean,
) {
  const { server, conversationId, control } = app
  const { entry: tool, definition } = callableTool(chat, app, name)
  const callId = newId()
  const call = {
    callId,
    conversationId,
    server,
    tool: tool.name,
    view: { callId: app.callId, tool: app.tool },
    signal: control.signal,
    cancel: () => control.abort(),
    // The next run calls it off: its app is gone with this one.
    onTask: (task: MadeTask) => chat.store.servers.putTask(server, { ...task, callId, tool: tool.name }),
    leavesTask: quitting,
  }
  const undo = running.add(call)
  try {
    const steps: CallSteps = {
      ask: chat.broker.toolCall,
      send: chat.servers.call,
      onAllowed() {
        rootsProvider.beforeCall(server, conversationId)
        return undefined
      },
    }
    const asked = { tool, trusted: definition.trusted, local: isLocal(definition), arguments: args }
    const end = await runApprovedCall(steps, call, asked)
    if (end.kind === 'ran') return end.result
    if (end.stop) app.stopped = true
    const word = end.decision.word && JSON.stringify(end.decision.word)
    const message = word ? t`The call was refused. Nothing was run. Reason: ${word}` : t`The call was refused. Nothing was run.`
    throw new HostError('consent.denied', message, { data: { server, tool: tool.name } })
  } finally {
    if (!quitting()) chat.store.servers.dropTask(server, callId)
    undo()
  }
}

type RateLimit = ReturnType<typeof createRateLimit>

/** Limits the requests of an app: a burst, then one a second, and so many at the same time. */
function createRateLimit(clock: Clock, burst: number, atOnce: number) {
  let left = burst
  let at = clock.now()
  let running = 0
  return {
    /** @throws {HostError} `view.refused` above the limit */
    async run<T>(work: () => Promise<T>): Promise<T> {
      const now = clock.now()
      left = Math.min(burst, left + (now - at) / 1000)
      at = now
      if (left < 1 || running >= atOnce) throw new HostError('view.refused', t`The app asks for too much at once.`)
      left -= 1
      running += 1
      try {
        return await work()
      } finally {
        running -= 1
      }
    },
  }
}
