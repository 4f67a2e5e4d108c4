// Errors of the host: a code, data and a message for a person. Protocol errors and tool errors (`isError`) are separate
// (docs/decisions/0003). No error is recognised by its text.
import { z } from 'zod'
import { isJsonObject, type JsonObject, jsonObject } from './json.ts'

export const hostErrorCodes = [
  // config and profile
  'config.unreadable',
  'config.syntax',
  'config.invalid',
  'profile.newer',
  'profile.locked',
  'profile.corrupt',
  'profile.unwritable',
  'disk.full',
  'folder.not-found',
  'environment.no-answer',
  // servers
  'server.unknown',
  'server.disabled',
  'server.refused',
  'server.command-not-found',
  'server.cwd-not-found',
  'server.spawn-failed',
  'server.exited',
  'server.crash-loop',
  'server.not-mcp',
  'server.list-failed',
  'server.start-timeout',
  'server.unreachable',
  'server.http-status',
  'server.sign-in-needed',
  'server.sign-in-refused',
  'server.sign-in-failed',
  'server.sign-in-timeout',
  'server.version-mismatch',
  'server.protocol',
  'server.too-large',
  'server.stopped',
  'server.secret-missing',
  'server.not-offered',
  'server.said-no',
  'server.connection-lost',
  'server.page-first',
  // the registry of servers
  'registry.unreachable',
  'registry.refused',
  'registry.bad-answer',
  // bundles and links
  'bundle.unreadable',
  'bundle.manifest',
  'bundle.too-large',
  'bundle.gone',
  'bundle.values',
  'bundle.not-downloaded',
  'bundle.wrong-hash',
  // calls
  'tool.unknown',
  'call.not-recorded',
  'tool.changed',
  'tool.too-many',
  'tool.arguments-invalid',
  'tool.timeout',
  'tool.outcome-unknown',
  'tool.result-invalid',
  'tool.task-cancelled',
  'consent.denied',
  'consent.withdrawn',
  'consent.gone',
  'rule.unknown',
  'cancelled',
  // models
  'model.unknown',
  'model.key-missing',
  'model.key-refused',
  'model.rate-limited',
  'model.overloaded',
  'model.offline',
  'model.endpoint-wrong',
  'model.too-long',
  'model.request-refused',
  'model.bad-answer',
  'model.refused',
  'model.server-error',
  // chat
  'chat.busy',
  'chat.unknown-conversation',
  'chat.unknown-message',
  'chat.nothing-to-resume',
  'chat.nothing-to-undo',
  'chat.unknown-folder',
  'chat.nothing-to-compact',
  'blob.unknown',
  // views of tools (MCP Apps)
  'view.gone',
  'view.unreadable',
  'view.too-large',
  'view.refused',
  // attachments
  'attachment.unsupported',
  'attachment.too-large',
  'attachment.too-many',
  'attachment.unknown',
  'import.unreadable',
  'import.too-large',
  'backup.unreadable',
  'backup.foreign',
  'backup.too-large',
  'backup.gone',
  // shell and contract
  'contract.invalid',
  'contract.unknown-request',
  'link.closed',
  'port.in-use',
  'platform.unavailable',
  'secrets.unavailable',
  'internal',
] as const

export type HostErrorCode = (typeof hostErrorCodes)[number]

/** An error as it crosses a process boundary or reaches the disk. */
export const errorValue = z.object({
  code: z.enum(hostErrorCodes),
  message: z.string(),
  data: jsonObject.optional(),
})
export type ErrorValue = Readonly<z.infer<typeof errorValue>>

/** Error of the host. `message` is a whole sentence that names the subject; `describeError` adds the fix. */
export class HostError extends Error {
  readonly code: HostErrorCode
  readonly data: JsonObject

  constructor(code: HostErrorCode, message: string, options: { data?: JsonObject; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'HostError'
    this.code = code
    this.data = options.data ?? {}
  }

  toValue(): ErrorValue {
    return { code: this.code, message: this.message, data: this.data }
  }
}

/** Any thrown thing as a value: a HostError keeps its code, everything else is `internal` with its message. */
export function toErrorValue(error: unknown): ErrorValue {
  if (error instanceof HostError) return error.toValue()
  if (error instanceof Error) return { code: 'internal', message: error.message || error.name }
  return { code: 'internal', message: isJsonObject(error) ? JSON.stringify(error) : String(error) }
}

export const fromErrorValue = (value: ErrorValue): HostError =>
  new HostError(value.code, value.message, value.data ? { data: value.data } : {})
