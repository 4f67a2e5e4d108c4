// Tells of messages where there are no bytes to tell of: the server that ships with Assent may speak through a port.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { pieceOf, type Tap } from './tap.ts'

export function tappedTransport(inner: Transport, tap: Tap): Transport {
  const outer: Transport = {
    start: () => inner.start(),
    close: () => inner.close(),
    send(message, options) {
      if (tap.on) tap.tell({ direction: 'sent', ...pieceOf(JSON.stringify(message)) })
      return inner.send(message, options)
    },
  }
  inner.onmessage = (message: JSONRPCMessage, extra) => {
    if (tap.on) tap.tell({ direction: 'received', ...pieceOf(JSON.stringify(message)) })
    outer.onmessage?.(message, extra)
  }
  inner.onerror = (error) => outer.onerror?.(error)
  inner.onclose = () => outer.onclose?.()
  return outer
}
