// Errors of JSON-RPC: what a server answered a request with, or what it is answered with. The SDK makes them too, and it is
// not loaded before a server is spoken to: they are known by their name, which no host error has.

export interface ProtocolError extends Error {
  readonly code: number
  readonly data?: unknown
}

/** What the SDK passes on as it is when a handler throws it. */
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
