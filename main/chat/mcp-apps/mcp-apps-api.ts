import { randomBytes } from 'node:crypto'
import type { Attachment } from '#app/chat/attachments/attachment.ts'
import type { JsonObject } from '#app/json.ts'
import type { McpAppResult, OpenedMcpApp } from '#app/mcp-apps/app-view.ts'
import type { LogLevel } from '#app/server/server-state.ts'
import { type ApprovedMcpApp, spend } from '#main/consent/approved.ts'
import type { RunningCalls } from '#main/servers/client/requests/running-calls.ts'
import type { ChatContext } from '../chat-context.ts'
import type { RootsProvider } from '../roots/roots-provider.ts'
import { unconnected } from './block-webrtc.ts'

// The documents of views that are open now, each at an address that nobody can guess. A shell serves them to frames.

interface McpAppDocument {
  readonly bytes: Buffer
  /** The Content-Security-Policy that it must be served with. */
  readonly policy: string
  /** The Connection-Allowlist beside it. */
  readonly connections: string
}

interface McpAppDocuments {
  /** Returns its id. */
  add(approval: ApprovedMcpApp): string
  get(id: string): McpAppDocument | undefined
  remove(id: string): void
}

export function createMcpAppDocuments(): McpAppDocuments {
  const documents = new Map<string, McpAppDocument>()
  return {
    add(approval) {
      const { html, policy, connections } = spend(approval)
      const id = randomBytes(24).toString('base64url')
      documents.set(id, { bytes: Buffer.from(unconnected(html), 'utf8'), policy, connections })
      return id
    },
    get: (id) => documents.get(id),
    remove: (id) => void documents.delete(id),
  }
}

/**
 * The views of calls (MCP Apps). Each is bound to one call when it is opened, and so to that call's server: whatever it asks
 * for later names neither. All but `open` and `close` throw `view.gone` for one that is not open.
 */
export interface McpApps {
  /**
   * Reads the interface of the call's tool; `agreed`: the fingerprint that the person said yes to. Throws `view.*`, and what
   * a server throws that does not run or does not answer.
   */
  open(of: { readonly conversationId: string; readonly callId: string; readonly agreed?: string | undefined }): Promise<OpenedMcpApp>
  /** Ends what it still asks for. */
  close(id: string): void
  /** How its call ended. */
  result(id: string): McpAppResult
  /** A tool of its own server that is for views too, asked for as any other call. Returns a `CallToolResult`. */
  call(id: string, tool: string, args: JsonObject): Promise<JsonObject>
  /** A resource of its own server. */
  read(id: string, uri: string): Promise<JsonObject>
  /** True: the person allowed the page, and it was opened. */
  openLink(id: string, url: string): Promise<boolean>
  /** What it wants the model to know, as something to attach. */
  tell(id: string, words: string): Promise<Attachment>
  /** A line for the log of its server. */
  log(id: string, level: LogLevel, text: string): void
  /** The person is to be shown again where it reaches, the next time. */
  forget(id: string): void
  /** For a shell. */
  document(id: string): McpAppDocument | undefined
  dispose(): void
}

export interface McpAppsContext {
  readonly deps: ChatContext
  readonly running: RunningCalls
  readonly toldRoots: Pick<RootsProvider, 'beforeCall'>
}
