import type { OpenedView, ViewResult } from '#app/apps/view.ts'
import type { Attachment } from '#app/chat/attachment.ts'
import type { JsonObject } from '#app/json.ts'
import type { LogLevel } from '#app/server/state.ts'
import type { ViewDocument } from './documents.ts'

/**
 * The views of calls (MCP Apps). Each is bound to one call when it is opened, and so to that call's server: whatever it asks
 * for later names neither. All but `open` and `close` throw `view.gone` for one that is not open.
 */
export interface Views {
  /**
   * Reads the interface of the call's tool; `agreed`: the fingerprint that the person said yes to. Throws `view.*`, and what
   * a server throws that does not run or does not answer.
   */
  open(of: { readonly conversationId: string; readonly callId: string; readonly agreed?: string | undefined }): Promise<OpenedView>
  /** Ends what it still asks for. */
  close(id: string): void
  /** How its call ended. */
  result(id: string): ViewResult
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
  document(id: string): ViewDocument | undefined
  dispose(): void
}
