// The views that are open. A page may close one and be gone before it does so: only so many are kept, the oldest go first. The
// resource that draws a tool's interface, as a server gave it (MCP Apps, "UI Resource Format"): one HTML document, with what it
// declares beside it. Anything else is refused with a word on why.

import type { ToolCall } from '#app/chat/message.ts'
import { isToolOff } from '#app/chat/tools/tool-switches.ts'
import { definitionOf } from '#app/consent/tool-definition.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { longestMcpAppLog, longestMcpAppText, type McpAppPermission, mcpAppPermissions, type OpenedMcpApp } from '#app/mcp-apps/app-view.ts'
import { mcpAppMimeType, toolInterface } from '#app/mcp-apps/tool-interface.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { orAborted } from '#main/base/abort.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import { keepAttachment } from '../attachments/store-attachment.ts'
import { folderOf, isServerOffered } from '../tools/tool-choice.ts'
import { runForMcpApp } from './app-tool-call.ts'
import { mcpAppResultOf } from './call-result.ts'
import { readDomains } from './csp-domains.ts'
import { createMcpAppDocuments, type McpApps, type McpAppsContext } from './mcp-apps-api.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'

/** UTF-8. An interface with all its code in one file takes a few of them. */
const largestUiResource = 8_000_000

interface UiResource {
  readonly html: string
  readonly csp: Json | undefined
  readonly permissions: readonly McpAppPermission[]
  readonly border: boolean
}

const unreadableUi = (server: string, uri: string, why: string): HostError =>
  new HostError('view.unreadable', t`“${server}” has no interface at ${uri.slice(0, 200)}: ${why}.`, { data: { server, uri } })

/** `listed`: the `_meta` of its entry in the list, which counts where the content itself has none. Throws `view.*`. */
function readUiResource(
  result: JsonObject,
  about: { readonly server: string; readonly uri: string; readonly listed?: JsonObject | undefined },
): UiResource {
  const { server, uri } = about
  const contents = Array.isArray(result['contents']) ? (result['contents'] as readonly Json[]).filter(isJsonObject) : []
  const content = contents.find((one) => one['uri'] === uri) ?? contents[0]
  const refuse = (why: string): HostError => unreadableUi(server, uri, why)
  if (!content) throw refuse(t`it gave nothing`)
  if (!isViewType(content['mimeType']))
    throw refuse(t`its type is ${JSON.stringify(content['mimeType'] ?? t`not said`).slice(0, 80)}, not ${mcpAppMimeType}`)
  const html = htmlOf(content)
  if (html === undefined) throw refuse(t`it is no text`)
  const bytes = Buffer.byteLength(html)
  if (bytes > largestUiResource)
    throw new HostError(
      'view.too-large',
      t`The interface of “${server}” has ${formatBytes(bytes)}; at most ${formatBytes(largestUiResource)} are drawn.`,
      {
        data: { server, uri, bytes },
      },
    )
  const ui = uiOf(content['_meta']) ?? uiOf(about.listed) ?? {}
  const wished = isJsonObject(ui['permissions']) ? ui['permissions'] : {}
  return {
    html,
    csp: ui['csp'],
    permissions: mcpAppPermissions.filter((name) => wished[name] !== undefined && wished[name] !== null && wished[name] !== false),
    border: ui['prefersBorder'] !== false,
  }
}

function uiOf(meta: Json | undefined): JsonObject | undefined {
  const ui = isJsonObject(meta) ? meta['ui'] : undefined
  return isJsonObject(ui) ? ui : undefined
}

/** `text/html;profile=mcp-app`, spaced, quoted or written large. */
function isViewType(type: Json | undefined): boolean {
  if (typeof type !== 'string') return false
  const [essence = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  return essence === 'text/html' && parameters.some((one) => /^profile\s*=\s*"?mcp-app"?$/.test(one))
}

function htmlOf({ text, blob }: JsonObject): string | undefined {
  if (typeof text === 'string') return text
  if (typeof blob !== 'string' || !/^[A-Za-z0-9+/_\s-]*={0,2}\s*$/.test(blob)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(blob, 'base64'))
  } catch {
    return undefined // It is not UTF-8: the caller says so.
  }
}

interface OpenView {
  readonly conversationId: string
  readonly callId: string
  readonly server: string
  readonly tool: string
  readonly uri: string
  readonly control: AbortController
  readonly pace: RateLimit
  readonly logging: RateLimit
  /** The person stopped it: it asks for nothing more. */
  stopped: boolean
}

const mostOpen = 32

export function createMcpApps({ deps, running, toldRoots }: McpAppsContext): McpApps {
  const { store, servers, broker, clock } = deps
  const open = new Map<string, OpenView>()
  const documents = createMcpAppDocuments()
  const ended = new AbortController()

  const known = (id: string): OpenView => {
    const view = open.get(id)
    if (view) return view
    throw new HostError('view.gone', t`This view is not open any more.`)
  }
  const asking = (id: string): OpenView => {
    const view = known(id)
    if (view.stopped) throw new HostError('view.refused', t`The person stopped this view.`)
    return view
  }

  function close(id: string): void {
    documents.remove(id)
    open.get(id)?.control.abort()
    open.delete(id)
  }

  return {
    async open({ conversationId, callId, agreed }): Promise<OpenedMcpApp> {
      const call = findCall(store, conversationId, callId)
      if (call?.view === undefined || call.server === undefined || call.tool === undefined)
        throw new HostError('view.gone', t`There is no such call, or it has no interface.`)
      const { server, tool, view: uri } = call
      const definition = servers.view(server)?.definition
      if (!definition) throw new HostError('server.unknown', t`There is no server named “${server}”.`, { data: { server } })
      const resource = await fetchView(servers, { server, uri, signal: ended.signal })
      const { domains, refused } = readDomains(resource.csp, 'url' in definition ? definition.url : undefined)
      const { html } = resource
      const { fingerprint, approval } = broker.mcpApp({ server, tool, uri, html, domains, conversationId, callId, agreed })
      const facts = { server, uri, domains, refused: [...refused], refusedPermissions: [...resource.permissions] }
      if (!approval) return { kind: 'asks', ...facts, fingerprint }
      const id = documents.add(approval)
      open.set(id, openView({ conversationId, callId, server, tool, uri }, clock))
      for (const oldest of open.keys()) if (open.size > mostOpen) close(oldest)
      const entry = entryOf(servers, server, tool)
      return {
        kind: 'ready',
        ...facts,
        id,
        tool: entry ? definitionOf(entry) : { name: tool, inputSchema: { type: 'object' } },
        arguments: isJsonObject(call.arguments) ? call.arguments : {},
        border: resource.border,
      }
    },
    close,
    result(id) {
      const { conversationId, callId } = known(id)
      const call = findCall(store, conversationId, callId)
      return call ? mcpAppResultOf(call.state, store.blobs) : { kind: 'cancelled', reason: t`The call is gone.` }
    },
    call(id, tool, args) {
      const view = asking(id)
      return view.pace.run(async () => {
        const { entry, definition } = callableTool(deps, view, tool)
        const onStop = (): void => {
          view.stopped = true
        }
        return runForMcpApp({ deps, running, toldRoots }, { ...view, onStop }, entry, args, definition)
      })
    },
    read(id, uri) {
      const { server, control, pace } = asking(id)
      return pace.run(() => orAborted(servers.readResource(server, uri, { signal: control.signal }), control.signal))
    },
    openLink(id, url) {
      const { server, conversationId, callId, tool, control, pace } = asking(id)
      return pace.run(async () => {
        const answer = await broker.elicitUrl({ server, conversationId, view: { callId, tool }, message: '', url, signal: control.signal })
        if (answer.action !== 'accept' || !deps.openUrl) return false
        await deps.openUrl(answer.approval)
        return true
      })
    },
    async tell(id, words) {
      const { server, tool, uri, pace } = asking(id)
      const bytes = Buffer.from(words.slice(0, longestMcpAppText).toWellFormed(), 'utf8')
      return pace.run(async () => keepAttachment({ bytes, name: `What ${tool} shows`, from: { server, uri } }, store.orphanBlobs))
    },
    log(id, level, text) {
      const { server, tool, logging } = known(id)
      // More than it may say is left out.
      logging
        .run(async () => servers.note(server, level, t`The view of ${tool}: ${text.slice(0, longestMcpAppLog)}`))
        .catch(() => undefined)
    },
    forget(id) {
      const { server, uri } = known(id)
      broker.forgetMcpApp(server, uri)
    },
    document: (id) => documents.get(id),
    dispose() {
      ended.abort()
      for (const id of [...open.keys()]) close(id)
    },
  }
}

const openView = (
  of: Pick<OpenView, 'conversationId' | 'callId' | 'server' | 'tool' | 'uri'>,
  clock: McpAppsContext['deps']['clock'],
): OpenView => ({
  ...of,
  control: new AbortController(),
  pace: createRateLimit({ clock, burst: 20, perSecond: 1, atOnce: 4 }),
  logging: createRateLimit({ clock, burst: 50, perSecond: 1, atOnce: 50 }),
  stopped: false,
})

function findCall(store: McpAppsContext['deps']['store'], conversationId: string, callId: string): ToolCall | undefined {
  for (const message of store.conversations.messages(conversationId))
    if (message.role === 'assistant')
      for (const part of message.parts) if (part.kind === 'tool-call' && part.call.id === callId) return part.call
  return undefined
}

const entryOf = (servers: McpAppsContext['deps']['servers'], server: string, tool: string) =>
  servers.catalogue(server).tools.find(({ name }) => name === tool)

/** Reads a view's resource. @throws `view.unreadable` also where the server answers with an error */
async function fetchView(
  servers: McpAppsContext['deps']['servers'],
  { server, uri, signal }: { readonly server: string; readonly uri: string; readonly signal: AbortSignal },
) {
  const read = await orAborted(servers.readResource(server, uri, { signal }), signal).catch((error: unknown) => {
    throw isProtocolError(error) ? unreadableUi(server, uri, t`it answered: ${error.message}`) : error
  })
  const listed = servers.catalogue(server).resources.find((one) => one.uri === uri)?._meta
  return readUiResource(read, { server, uri, listed })
}

/** The tool, if a view in that conversation may call it. @throws `tool.unknown` */
function callableTool({ store, servers }: McpAppsContext['deps'], { server, conversationId }: OpenView, tool: string) {
  const definition = servers.view(server)?.definition
  const entry = definition?.enabled ? entryOf(servers, server, tool) : undefined
  const conversation = store.conversations.get(conversationId)
  const isOn =
    conversation !== undefined &&
    isServerOffered(conversation, folderOf(store, conversation), server) &&
    !isToolOff(conversation.tools, server, tool)
  if (!definition || !entry?.enabled || !toolInterface(entry).forApp || !isOn)
    throw new HostError('tool.unknown', t`“${server}” has no tool “${tool.slice(0, 200)}” for its views.`, { data: { server } })
  return { entry, definition }
}
