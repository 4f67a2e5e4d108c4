// The page's side of one view (MCP Apps), on the official bridge; loaded with the first view. Requests go to the host by the
// view's id, and the host decides about them.
import { AppBridge, type McpUiDisplayMode, type McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { HostConnection } from '#app/contract/host-connection.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { longestMcpAppLog, longestMcpAppText, type McpAppResult, type OpenedMcpApp } from '#app/mcp-apps/app-view.ts'
import { orElse } from '#app/or-else.ts'
import { logLevel } from '#app/server/server-state.ts'
import { stripHidden } from '#app/text/hidden-characters.ts'
import { createFrameGuard } from './frame-guard.ts'

type Transport = Parameters<AppBridge['connect']>[0]

/**
 * Transport between bridge and frame. Only messages of that frame's window with an opaque origin are read; messages to the frame
 * name no target origin, since an opaque one has no name.
 */
function createFrameTransport(frame: HTMLIFrameElement, onFlood: () => void): Transport {
  const guard = createFrameGuard(() => performance.now())
  const onMessage = (event: MessageEvent): void => {
    if (event.source === null || event.source !== frame.contentWindow || event.origin !== 'null') return
    const heard = guard.hear(event.data)
    if (heard.kind === 'flood') onFlood()
    // The guard checked the shape; the SDK checks the parts by schema.
    if (heard.kind === 'message') transport.onmessage?.(wrapArguments(heard.message) as Parameters<NonNullable<Transport['onmessage']>>[0])
  }
  const transport: Transport = {
    async start() {
      addEventListener('message', onMessage)
    },
    async send(message) {
      frame.contentWindow?.postMessage(message, '*')
    },
    async close() {
      removeEventListener('message', onMessage)
      transport.onclose?.()
    },
  }
  return transport
}

/**
 * The arguments of a tool call as one member: the SDK's schema drops a member of theirs that is called `__proto__`. What is no object
 * stays as it is, for the schema to refuse.
 */
function wrapArguments(message: object): object {
  const { method, params } = message as { readonly method?: unknown; readonly params?: Json }
  if (method !== 'tools/call' || !isJsonObject(params) || !isJsonObject(params['arguments'])) return message
  return { ...message, params: { ...params, arguments: { wrapped: params['arguments'] } } }
}

type Block = { readonly type: string } & Readonly<Record<string, unknown>>

const longestMessage = 8000
const other = (type: string): string => `[${type}: left out]`

/** Text of a view's message for the composer; undefined when it is blank. Content that is no text is only named. */
export function messageText(content: readonly Block[]): string | undefined {
  const text = textOf(content).slice(0, longestMessage)
  return text.trim() === '' ? undefined : text
}

/** Text of a view's context for the model, with its structured data; empty: no context any more. */
export function contextText(context: { readonly content?: readonly Block[] | undefined; readonly structuredContent?: unknown }): string {
  const data = context.structuredContent === undefined ? [] : [JSON.stringify(context.structuredContent, null, 2)]
  return [textOf(context.content ?? []), ...data]
    .filter((text) => text.trim() !== '')
    .join('\n\n')
    .slice(0, longestMcpAppText)
}

const textOf = (content: readonly Block[]): string =>
  content.map((block) => (block.type === 'text' && typeof block['text'] === 'string' ? block['text'] : other(block.type))).join('\n')

export interface ViewFile {
  readonly name: string
  readonly text: string
  /** The text is that of bytes. */
  readonly base64?: true
}

const mostFiles = 10

/** Last part of the address, as a plain name. */
function fileName(uri: string): string {
  const last =
    stripHidden(uri.replace(/[?#].*$/s, ''))
      .split(/[\\/]/)
      .at(-1) ?? ''
  const plain = orElse(() => decodeURIComponent(last), last).replace(/[^\p{L}\p{N} ._-]/gu, '')
  return plain.replace(/^[ .]+|[ .]+$/g, '').slice(-80) || 'file'
}

/** Files that a view offers; undefined: none, too many, or a link, which the host would have to fetch. */
export function filesOf(contents: readonly Block[]): ViewFile[] | undefined {
  const files = contents.flatMap(({ type, resource }): ViewFile[] => {
    if (type !== 'resource' || !isJsonObject(resource as Json)) return []
    const { uri, text, blob } = resource as JsonObject
    const name = fileName(typeof uri === 'string' ? uri : '')
    if (typeof text === 'string') return [{ name, text }]
    return typeof blob === 'string' ? [{ name, text: blob, base64: true }] : []
  })
  return files.length === contents.length && files.length > 0 && files.length <= mostFiles ? files : undefined
}

type CallToolResult = Awaited<ReturnType<NonNullable<AppBridge['oncalltool']>>>
type ReadResourceResult = Awaited<ReturnType<NonNullable<AppBridge['onreadresource']>>>
type ReadyView = Extract<OpenedMcpApp, { kind: 'ready' }>

export interface McpAppBridgeOptions {
  readonly frame: HTMLIFrameElement
  readonly view: ReadyView
  readonly hostConnection: HostConnection
  readonly version: string
  readonly context: McpUiHostContext
  /** Wanted height in CSS pixels. */
  readonly onHeight: (height: number) => void
  /** Resolves to whether the person takes the text into their message. */
  readonly onMessage: (text: string) => Promise<boolean>
  /** Resolves to whether the person lets the files be saved, and they are. */
  readonly onFiles: (files: readonly ViewFile[]) => Promise<boolean>
  /** Context for the model, sent with the next message. */
  readonly onContext: (text: string) => Promise<void>
  readonly onMode: (mode: McpUiDisplayMode) => McpUiDisplayMode
  readonly onCall: (tool: string, end: 'asked' | 'done' | 'failed') => void
  readonly onEnd: (why: 'asked' | 'flood') => void
}

export type McpAppBridge = Awaited<ReturnType<typeof openMcpAppBridge>>

/** Time for the teardown of a view in milliseconds. */
const teardownMs = 500

export async function openMcpAppBridge(options: McpAppBridgeOptions) {
  const { frame, view, hostConnection, version } = options
  const { id } = view
  const { connect, resource, baseUri } = view.domains
  const approved = { connectDomains: connect, resourceDomains: resource, baseUriDomains: baseUri }
  const bridge = new AppBridge(
    null,
    { name: 'assent', title: 'Assent', version },
    {
      openLinks: {},
      downloadFile: {},
      serverTools: {},
      serverResources: {},
      logging: {},
      updateModelContext: { text: {}, structuredContent: {} },
      message: { text: {} },
      sandbox: { permissions: {}, csp: approved },
    },
    { hostContext: options.context },
  )
  bridge.oncalltool = async ({ name, arguments: { wrapped = {} } = {} }) => {
    options.onCall(name, 'asked')
    try {
      const { result } = await hostConnection.request('mcpApp.call', { id, tool: name, arguments: wrapped as JsonObject })
      options.onCall(name, 'done')
      return result as unknown as CallToolResult // Goes unchanged to the server's own view.
    } catch (error) {
      options.onCall(name, 'failed')
      throw error
    }
  }
  bridge.onreadresource = async ({ uri }) =>
    (await hostConnection.request('mcpApp.read', { id, uri })).result as unknown as ReadResourceResult
  bridge.onopenlink = async ({ url }) => ((await hostConnection.request('mcpApp.openLink', { id, url })).opened ? {} : { isError: true })
  bridge.onmessage = async ({ content }) => {
    const text = messageText(content)
    return text !== undefined && (await options.onMessage(text)) ? {} : { isError: true }
  }
  bridge.ondownloadfile = async ({ contents }) => {
    const files = filesOf(contents)
    return files && (await options.onFiles(files)) ? {} : { isError: true }
  }
  bridge.onupdatemodelcontext = async (context) => {
    await options.onContext(contextText(context))
    return {}
  }
  bridge.onrequestdisplaymode = async ({ mode }) => {
    const offered = bridge.getAppCapabilities()?.availableDisplayModes
    return { mode: options.onMode(offered === undefined || offered.includes(mode) ? mode : 'inline') }
  }
  bridge.addEventListener('loggingmessage', ({ level, data }) => {
    const text = (typeof data === 'string' ? data : String(JSON.stringify(data))).slice(0, longestMcpAppLog)
    void hostConnection.request('mcpApp.log', { id, level: logLevel.parse(level), text }).catch(() => undefined) // A lost log line is acceptable.
  })
  bridge.addEventListener('sizechange', ({ height }) => {
    if (typeof height === 'number' && Number.isFinite(height)) options.onHeight(height)
  })
  bridge.addEventListener('requestteardown', () => options.onEnd('asked'))
  let initialized = false
  let waiting: McpAppResult | undefined
  const tell = (result: McpAppResult): void => {
    if (result.kind === 'result') void bridge.sendToolResult(result.result as unknown as CallToolResult)
    if (result.kind === 'cancelled') void bridge.sendToolCancelled({ reason: result.reason })
  }
  // Nothing is sent before the view has initialized (MCP Apps, "Sandbox proxy", 6).
  bridge.addEventListener('initialized', () => {
    if (initialized) return
    initialized = true
    void bridge.sendToolInput({ arguments: view.arguments })
    if (waiting) tell(waiting)
  })
  await bridge.connect(createFrameTransport(frame, () => options.onEnd('flood')))
  return {
    result(result: McpAppResult): void {
      if (initialized) tell(result)
      else waiting = result
    },
    changed: (context: McpUiHostContext): void => bridge.setHostContext(context),
    /** Gives the view `teardownMs` to tear down, then closes the bridge. */
    async close(): Promise<void> {
      if (initialized) await bridge.teardownResource({}, { timeout: teardownMs }).catch(() => undefined) // The time is over.
      await bridge.close()
    },
  }
}
