// Errors of JSON-RPC, recognised by their name, which no host error has: the SDK is not loaded before a server is connected.
export interface ProtocolError extends Error {
  readonly code: number
  readonly data?: unknown
}

/** Returns an error that the SDK passes on unchanged when a handler throws it. */
export const protocolError = (code: number, message: string, data?: unknown): ProtocolError =>
  Object.assign(new Error(message), { name: 'ProtocolError', code, data })

export const isProtocolError = (error: unknown): error is ProtocolError =>
  error instanceof Error && error.name === 'ProtocolError' && 'code' in error && typeof error.code === 'number'

/** JSON-RPC 2.0, "Error object", and MCP 2025-11-25, "URL mode elicitation". */
export const protocolErrorCodes = {
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  urlElicitationRequired: -32042,
} as const
