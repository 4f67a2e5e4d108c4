// MCP over a message port: one JSON-RPC message a port message. Messages are parsed as if they had come from a stranger.
import { parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server'

/** What Electron's `process.parentPort` has, as far as we need it. */
export interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown
  off(event: 'message', listener: (event: { data: unknown }) => void): unknown
  postMessage(message: unknown): void
}

export function portTransport(port: ParentPort): Transport {
  const onMessage = ({ data }: { data: unknown }): void => {
    try {
      transport.onmessage?.(parseJSONRPCMessage(data))
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const transport: Transport = {
    async start() {
      port.on('message', onMessage)
    },
    async send(message) {
      port.postMessage(message)
    },
    async close() {
      port.off('message', onMessage)
      transport.onclose?.()
    },
  }
  return transport
}
