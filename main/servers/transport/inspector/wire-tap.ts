// Tap by which transports tell of messages. They look at `on` first: while nobody listens, nothing is made for it. Of a long message
// only the beginning and the last bytes are kept.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import type { WireDirection } from '#app/server/wire-message.ts'

export interface Tap {
  readonly on: boolean
  tell(heard: CapturedMessage): number | undefined
}

export interface CapturedMessage extends CapturedText {
  readonly direction: WireDirection
  readonly bare?: boolean
  readonly http?: { readonly line: string; readonly headers: Iterable<readonly [string, string]> } | undefined
  readonly event?: { readonly id?: string | undefined; readonly name?: string | undefined } | undefined
  readonly of?: number | undefined
}

export interface CapturedText {
  readonly text: string
  readonly tail?: string
  readonly size: number
}

/** UTF-16 units (of bytes that came: bytes) that are kept of one message. */
export const longestText = 16 * 1024
const tailSize = 512

export function captureText(whole: string | Buffer): CapturedText {
  const size = typeof whole === 'string' ? Buffer.byteLength(whole) : whole.length
  if (whole.length <= longestText) return { text: String(whole), size }
  return typeof whole === 'string'
    ? { text: copied(whole.slice(0, longestText)), tail: copied(whole.slice(-tailSize)), size }
    : { text: beginning(whole), tail: whole.toString('utf8', whole.length - tailSize), size }
}

/** A slice would keep the whole message in memory. */
const copied = (slice: string): string => Buffer.from(slice, 'utf16le').toString('utf16le')

/** Decodes the beginning, without a character that the cut left incomplete. */
const beginning = (bytes: Buffer): string => bytes.toString('utf8', 0, longestText).replace(/\uFFFD{1,3}$/, '')

/** Gathers a message that comes in pieces; holds no more of it than is kept. */
export function gather() {
  const head: Uint8Array[] = []
  let held = 0
  let size = 0
  let tail: Buffer = Buffer.alloc(0)
  return {
    add(piece: Uint8Array): void {
      size += piece.length
      if (held <= longestText) {
        // One byte more, by which it is known that there was more.
        const part = Buffer.from(piece.subarray(0, longestText + 1 - held))
        head.push(part)
        held += part.length
      }
      const end = piece.subarray(Math.max(0, piece.length - tailSize))
      tail = end.length === tailSize ? Buffer.from(end) : Buffer.concat([tail, end]).subarray(-tailSize)
    },
    piece(): CapturedText {
      const all = Buffer.concat(head)
      return size <= longestText ? { text: all.toString(), size } : { text: beginning(all), tail: tail.toString(), size }
    },
  }
}

export function tappedTransport(inner: Transport, tap: Tap): Transport {
  const outer: Transport = {
    start: () => inner.start(),
    close: () => inner.close(),
    send(message, options) {
      if (tap.on) tap.tell({ direction: 'sent', ...captureText(JSON.stringify(message)) })
      return inner.send(message, options)
    },
  }
  inner.onmessage = (message: JSONRPCMessage, extra) => {
    if (tap.on) tap.tell({ direction: 'received', ...captureText(JSON.stringify(message)) })
    outer.onmessage?.(message, extra)
  }
  inner.onerror = (error) => outer.onerror?.(error)
  inner.onclose = () => outer.onclose?.()
  return outer
}
