// The host's side of one view (MCP Apps), on the official bridge: who asks for what is decided by the host in `main`, to which
// everything of weight goes by the view's id. Loaded with the first view. What a view says for the chat, as text. Of other
// content it is named that it was there: no picture of a view is sent. The wire between the bridge of a view and its frame.
// Only that frame's own window is heard, and only while it is of an origin of its own; it is told by its window alone, since
// such an origin cannot be named.
import { AppBridge, type McpUiDisplayMode, type McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { HostConnection } from '#app/contract/host-connection.ts'
import { t } from '#app/i18n/translate.ts'
import { jsonObject } from '#app/json.ts'
import { longestMcpAppLog, longestMcpAppText, type McpAppResult, type OpenedMcpApp } from '#app/mcp-apps/app-view.ts'
import { logLevel } from '#app/server/server-state.ts'
import { createFrameGuard } from './frame-guard.ts'

type Transport = Parameters<AppBridge['connect']>[0]

function createFrameTransport(frame: HTMLIFrameElement, onFlood: () => void): Transport {
  const guard = createFrameGuard(() => performance.now())
  const onMessage = (event: MessageEvent): void => {
    if (event.source === null || event.source !== frame.contentWindow || event.origin !== 'null') return
    const heard = guard.hear(event.data)
    if (heard.kind === 'flood') onFlood()
    // Its shape was looked at; what the SDK makes of its parts it checks by schema.
    if (heard.kind === 'message') transport.onmessage?.(heard.message as Parameters<NonNullable<Transport['onmessage']>>[0])
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

type Block = { readonly type: string } & Readonly<Record<string, unknown>>

const longestMessage = 8000
const other = (type: string): string => `[${type}: left out]`

/** For the composer; undefined: it says nothing. */
export function messageText(content: readonly Block[]): string | undefined {
  const words = textOf(content).slice(0, longestMessage)
  return words.trim() === '' ? undefined : words
}

/** For the model, with what the view has as data. Empty: nothing more is to be known. */
export function contextText(context: { readonly content?: readonly Block[] | undefined; readonly structuredContent?: unknown }): string {
  const data = context.structuredContent === undefined ? [] : [JSON.stringify(context.structuredContent, null, 2)]
  return [textOf(context.content ?? []), ...data]
    .filter((text) => text.trim() !== '')
    .join('\n\n')
    .slice(0, longestMcpAppText)
}

const textOf = (content: readonly Block[]): string =>
  content.map((block) => (block.type === 'text' && typeof block['text'] === 'string' ? block['text'] : other(block.type))).join('\n')

type CallToolResult = Awaited<ReturnType<NonNullable<AppBridge['oncalltool']>>>
type ReadResourceResult = Awaited<ReturnType<NonNullable<AppBridge['onreadresource']>>>
type ReadyView = Extract<OpenedMcpApp, { kind: 'ready' }>

export interface McpAppBridgeOptions {
  readonly frame: HTMLIFrameElement
  readonly view: ReadyView
  readonly link: HostConnection
  readonly version: string
  readonly context: McpUiHostContext
  /** CSS pixels that it would like to be high. */
  readonly onHeight: (height: number) => void
  /** It speaks the protocol. */
  readonly onReady: () => void
  /** Whether the person takes the words into their message. */
  readonly onMessage: (words: string) => Promise<boolean>
  /** What it wants the model to know with the next message. */
  readonly onContext: (words: string) => Promise<void>
  /** Returns the mode that it then is in. */
  readonly onMode: (mode: McpUiDisplayMode) => McpUiDisplayMode
  /** A tool was asked for, and how that ended. */
  readonly onCall: (tool: string, end: 'asked' | 'done' | 'failed') => void
  readonly onEnd: (why: 'asked' | 'flood') => void
}

export interface McpAppBridge {
  result(result: McpAppResult): void
  changed(context: McpUiHostContext): void
  /** Lets it put away what it has, for a moment, and hears no more of it. */
  close(): Promise<void>
}

/** Milliseconds that a view has to put away what it has. */
const teardownMs = 500

export async function openMcpAppBridge(options: McpAppBridgeOptions): Promise<McpAppBridge> {
  const { frame, view, link, version } = options
  const { id } = view
  const { connect, resource, baseUri } = view.domains
  const approved = { connectDomains: connect, resourceDomains: resource, baseUriDomains: baseUri }
  const bridge = new AppBridge(
    null,
    { name: 'assent', title: t`Assent`, version },
    {
      openLinks: {},
      serverTools: {},
      serverResources: {},
      logging: {},
      updateModelContext: { text: {}, structuredContent: {} },
      message: { text: {} },
      sandbox: { permissions: {}, csp: approved },
    },
    { hostContext: options.context },
  )
  bridge.oncalltool = async ({ name, arguments: args = {} }) => {
    options.onCall(name, 'asked')
    try {
      const { result } = await link.request('view.call', { id, tool: name, arguments: jsonObject.parse(args) })
      options.onCall(name, 'done')
      return result as unknown as CallToolResult // It goes to the server's own view as it came.
    } catch (error) {
      options.onCall(name, 'failed')
      throw error
    }
  }
  bridge.onreadresource = async ({ uri }) => (await link.request('view.read', { id, uri })).result as unknown as ReadResourceResult
  bridge.onopenlink = async ({ url }) => ((await link.request('view.openLink', { id, url })).opened ? {} : { isError: true })
  bridge.onmessage = async ({ content }) => {
    const words = messageText(content)
    return words !== undefined && (await options.onMessage(words)) ? {} : { isError: true }
  }
  // Not among what is offered; a view that asks all the same is told no, as for a link.
  bridge.ondownloadfile = async () => ({ isError: true })
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
    void link.request('view.log', { id, level: logLevel.parse(level), text }).catch(() => undefined) // A word for a log is not worth more.
  })
  bridge.addEventListener('sizechange', ({ height }) => {
    if (typeof height === 'number' && Number.isFinite(height)) options.onHeight(height)
  })
  bridge.addEventListener('requestteardown', () => options.onEnd('asked'))
  let said = false
  let waiting: McpAppResult | undefined
  const tell = (result: McpAppResult): void => {
    if (result.kind === 'result') void bridge.sendToolResult(result.result as unknown as CallToolResult)
    if (result.kind === 'cancelled') void bridge.sendToolCancelled({ reason: result.reason })
  }
  // Nothing is said to it before it says that it is ready (MCP Apps, "Sandbox proxy", 6).
  bridge.addEventListener('initialized', () => {
    if (said) return
    said = true
    options.onReady()
    void bridge.sendToolInput({ arguments: view.arguments })
    if (waiting) tell(waiting)
  })
  await bridge.connect(createFrameTransport(frame, () => options.onEnd('flood')))
  return {
    result(result) {
      if (said) tell(result)
      else waiting = result
    },
    changed: (context) => bridge.setHostContext(context),
    async close() {
      if (said) await bridge.teardownResource({}, { timeout: teardownMs }).catch(() => undefined) // It had its time.
      await bridge.close()
    },
  }
}
