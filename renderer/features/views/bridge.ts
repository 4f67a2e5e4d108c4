// The host's side of one view (MCP Apps), on the official bridge: who asks for what is decided by the host in `main`, to
// which everything of weight goes by the view's id. Loaded with the first view.
import { AppBridge, type McpUiDisplayMode, type McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { OpenedView, ViewResult } from '#app/apps/view.ts'
import { longestViewLog } from '#app/apps/view.ts'
import type { HostLink } from '#app/contract/link.ts'
import { jsonObject } from '#app/json.ts'
import { logLevel } from '#app/server/state.ts'
import { t } from '#app/words/translate.ts'
import { createFrameTransport } from './frame-transport.ts'
import { contextWords, messageWords } from './view-words.ts'

type CallToolResult = Awaited<ReturnType<NonNullable<AppBridge['oncalltool']>>>
type ReadResourceResult = Awaited<ReturnType<NonNullable<AppBridge['onreadresource']>>>
type ReadyView = Extract<OpenedView, { kind: 'ready' }>

export interface BridgeOptions {
  readonly frame: HTMLIFrameElement
  readonly view: ReadyView
  readonly link: HostLink
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

export interface Bridge {
  result(result: ViewResult): void
  changed(context: McpUiHostContext): void
  /** Lets it put away what it has, for a moment, and hears no more of it. */
  close(): Promise<void>
}

/** Milliseconds that a view has to put away what it has. */
const teardownMs = 500

export async function openBridge(options: BridgeOptions): Promise<Bridge> {
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
    const words = messageWords(content)
    return words !== undefined && (await options.onMessage(words)) ? {} : { isError: true }
  }
  // Not among what is offered; a view that asks all the same is told no, as for a link.
  bridge.ondownloadfile = async () => ({ isError: true })
  bridge.onupdatemodelcontext = async (context) => {
    await options.onContext(contextWords(context))
    return {}
  }
  bridge.onrequestdisplaymode = async ({ mode }) => {
    const offered = bridge.getAppCapabilities()?.availableDisplayModes
    return { mode: options.onMode(offered === undefined || offered.includes(mode) ? mode : 'inline') }
  }
  bridge.addEventListener('loggingmessage', ({ level, data }) => {
    const text = (typeof data === 'string' ? data : String(JSON.stringify(data))).slice(0, longestViewLog)
    void link.request('view.log', { id, level: logLevel.parse(level), text }).catch(() => undefined) // A word for a log is not worth more.
  })
  bridge.addEventListener('sizechange', ({ height }) => {
    if (typeof height === 'number' && Number.isFinite(height)) options.onHeight(height)
  })
  bridge.addEventListener('requestteardown', () => options.onEnd('asked'))
  let said = false
  let waiting: ViewResult | undefined
  const tell = (result: ViewResult): void => {
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
