// Reads a server's stdout. One message is handed over per turn of the loop: a progress notification in the same chunk as
// the answer is dealt with before the answer ends the call, and a server that floods holds up nobody else. What is read
// ahead is bounded; beyond it stdout is paused, and the server waits.
import type { Readable } from 'node:stream'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client'
import type { HostError } from '#app/errors.ts'
import { pieceOf, type Tap } from '../inspector/tap.ts'
import { answeredId, brokenAnswer, classifyEnvelope, failedAnswer, oversizedAnswer } from './envelope.ts'
import { type LargeAnswer, lookOver } from './large-answer.ts'
import type { StdioLimits } from './limits.ts'
import { createLineSplitter, type Line } from './line-splitter.ts'

export interface PacedReader {
  start(): void
  /** Reads on, so that the server is not held up, but hands nothing over any more. */
  discard(): void
  /** Stops reading. What was read is still handed over, then the reader ends. */
  cut(): void
  /** Whether stdout is paused because this reader has not caught up. */
  readonly backedUp: boolean
  readonly backlog: number
}

export interface ReaderEvents {
  onMessage(message: JSONRPCMessage): void
  /** A line that is not protocol. */
  onOutput(line: Buffer): void
  onError(error: HostError): void
  /** Once, after everything else. */
  onEnd(): void
}

const openBrace = 0x7b
const openBracket = 0x5b
const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
const headSize = 512
/** Bytes of a large answer that are looked over in one turn. */
const stepSize = 256 * 1024

export function createPacedReader(
  stream: Readable,
  limits: Pick<StdioLimits, 'maxLine' | 'maxBacklog'>,
  events: ReaderEvents,
  tap?: Tap,
): PacedReader {
  const splitter = createLineSplitter({ maxLine: limits.maxLine, keepHead: headSize })
  let batch: { readonly items: readonly unknown[]; readonly line: Buffer; next: number; reported: boolean } | undefined
  let large: { readonly answer: LargeAnswer; readonly line: Buffer } | undefined
  let scheduled = false
  let paused = false
  let sourceEnded = false
  let discarding = false
  let done = false

  const schedule = (): void => {
    if (scheduled || done) return
    scheduled = true
    setImmediate(turn)
  }

  const turn = (): void => {
    scheduled = false
    if (done) return
    const item = nextItem()
    if (paused && splitter.backlog <= limits.maxBacklog / 4) {
      paused = false
      stream.resume()
    }
    if (item) {
      // Before the hand-over, so that a chunk that arrives in its course waits for its turn.
      schedule()
      item()
    } else if (sourceEnded) {
      done = true
      events.onEnd()
    }
  }

  /** The next thing there is to say, or undefined when nothing complete has been read. */
  const nextItem = (): (() => void) | undefined => {
    if (discarding) return undefined
    if (large) return lookOn
    if (batch) return takeFromBatch
    const line = splitter.next()
    return line && (() => take(line))
  }

  const take = (line: Line): void => {
    switch (line.kind) {
      case 'line':
        if (tap?.on) tap.tell({ direction: 'received', ...pieceOf(line.bytes) })
        takeLine(line.bytes)
        break
      case 'oversized':
        events.onError(oversizedAnswer(limits.maxLine))
        failOversized(answeredId(line.head))
        break
      case 'oversized-end':
        if (tap?.on) tap.tell({ direction: 'received', text: line.head.toString(), tail: line.tail.toString(), size: line.length })
        // When the head alone told the id, that call has already been told.
        if (answeredId(line.head) === undefined) failOversized(answeredId(line.head, line.tail), line.length)
    }
  }

  const failOversized = (id: RequestId | undefined, length?: number): void => {
    if (id !== undefined) events.onMessage(failedAnswer(id, oversizedAnswer(limits.maxLine, length)))
  }

  const takeLine = (line: Buffer): void => {
    const answer = lookOver(line)
    if (answer) large = { answer, line }
    else takeValue(parse(line), line)
  }

  /** One turn's worth; what comes after it waits for it. */
  const lookOn = (): void => {
    if (!large?.answer.step(stepSize)) return
    const { answer, line } = large
    large = undefined
    takeValue(answer.message() ?? parse(line), line)
  }

  const takeValue = (value: unknown, line: Buffer): void => {
    if (Array.isArray(value) && value.length > 0) {
      batch = { items: value, line, next: 0, reported: false }
      takeFromBatch()
    } else if (!handOver(value)) events.onOutput(line)
  }

  const takeFromBatch = (): void => {
    if (!batch) return
    const current = batch
    const handed = handOver(current.items[current.next++])
    if (current.next === current.items.length) batch = undefined
    // Once a line, or a long array of nonsense would be reported whole for each of its items.
    if (!handed && !current.reported) events.onOutput(current.line)
    if (!handed) current.reported = true
  }

  /** False when it is no message. */
  const handOver = (value: unknown): boolean => {
    const envelope = classifyEnvelope(value)
    if (envelope.kind === 'message') events.onMessage(envelope.message)
    else if (envelope.kind === 'broken-answer') events.onMessage(failedAnswer(envelope.id, brokenAnswer()))
    return envelope.kind !== 'other'
  }

  const end = (): void => {
    if (sourceEnded) return
    sourceEnded = true
    splitter.end()
    schedule()
  }

  const onData = (chunk: Buffer): void => {
    if (discarding) return
    splitter.push(chunk)
    if (splitter.backlog > limits.maxBacklog && !paused) {
      paused = true
      stream.pause()
    }
    if (!scheduled) turn()
  }

  return {
    start() {
      stream.on('data', onData)
      stream.on('end', end)
      stream.on('close', end)
      // A broken pipe ends the reading; the process's end tells why.
      stream.on('error', end)
      if (stream.readableEnded || stream.destroyed) end()
    },
    discard() {
      discarding = true
      batch = undefined
      large = undefined
      if (paused) stream.resume()
      paused = false
    },
    cut() {
      stream.destroy()
      end()
    },
    get backedUp() {
      return paused
    },
    get backlog() {
      return splitter.backlog
    },
  }
}

/** Undefined when it is not JSON. A line that starts with neither { nor [ is not looked into. */
function parse(line: Buffer): unknown {
  const start = line.subarray(0, 3).equals(byteOrderMark) ? 3 : 0
  let at = start
  while (isSpace(line[at]) && at < headSize) at += 1
  if (line[at] !== openBrace && line[at] !== openBracket) return undefined
  try {
    return JSON.parse(line.toString('utf8', start)) as unknown
  } catch {
    return undefined // Not JSON after all: it is reported as output.
  }
}
