// Reads a server's stdout. One message is handed over per turn of the loop: progress in the same chunk as the response is handled
// before the response ends the call, and a flood holds up nobody else. Reading ahead is bounded: beyond it stdout is paused.
import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client'
import type { HostError } from '#app/errors.ts'
import { isJsonObject, type Json } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'
import { deepest, keepAsText } from '#main/base/json-size.ts'
import type { StdioLimits } from '#main/servers/process/stdio-limits.ts'
import { captureText, type Tap } from '../inspector/wire-tap.ts'
import { createJsonWalk } from './json-scanner.ts'
import { createLineSplitter, type Line } from './line-splitter.ts'
import { answeredId, brokenResponse, classifyEnvelope, failedResponse, oversizedResponse, tooManyParts } from './message-envelope.ts'

/** Bytes. Below it parsing costs a few milliseconds at most, and the result may stand in a message as it is. */
export const leastKept = 512 * 1024

const name = 'structuredContent'
const needle = Buffer.from(`"${name}"`)

/** Bytes of a message that is looked over before it is parsed. */
export const leastLookedOver = 256 * 1024

/**
 * Cost of what is parsed of a large message at once, its structured result aside where that is kept as text: 40,000 names that differ, 150,000
 * short texts or 300,000 lists and objects. To parse an object of 800,000 members, and to look through it once more, would hold the loop for 1.5 s.
 */
export const mostCost = 600_000

/**
 * Looks over a large message in steps, and a large structured result with it, since to parse 10 MB of small objects would hold the loop for 150 ms:
 * that is kept as text where that may be, and only the rest of the message is parsed. Undefined: this line is parsed as it is.
 */
export function lookOver(whole: Buffer, mayKeepText = true) {
  if (whole.length < leastLookedOver) return undefined
  const line = whole.subarray(startOf(whole))
  // Within a string the quotes would be escaped.
  const at = line.indexOf(needle)
  const mayKeep = mayKeepText && at !== -1 && line.length - at >= leastKept && isUtf8(line)
  const walk = createJsonWalk(line, { path: ['result', name], deepest: deepest + 1, mostCost })
  const found = (): ReturnType<typeof walk.found> => {
    const place = mayKeep ? walk.found() : undefined
    return place && place.end - place.start >= leastKept ? place : undefined
  }
  return {
    step: walk.step,
    /** Whether the message is refused: to parse it would take too long. */
    isRefused: (): boolean => walk.isTooCostly(found() !== undefined),
    /** The message, its structured part kept as text; undefined: it has to be parsed whole. */
    message(): unknown {
      const place = found()
      if (!place) return undefined
      const value = JSON.parse(`${line.toString('utf8', 0, place.start)}null${line.toString('utf8', place.end)}`) as Json
      if (!isJsonObject(value) || !isJsonObject(value['result'])) return undefined
      keepAsText(value['result'], name, line.subarray(place.start, place.end))
      return value
    },
  }
}

interface ReaderEvents {
  onMessage(message: JSONRPCMessage): void
  onOutput(line: Buffer): void
  onError(error: HostError): void
  /** Once, after everything else. */
  onEnd(): void
}

const openBrace = 0x7b
const openBracket = 0x5b
const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
/** Bytes of each end of a message in which its id is looked for. */
export const headSize = 512
/** Bytes of a large answer that are looked over in one turn. */
export const stepSize = 256 * 1024
/** Bytes that are still looked through for output after `discard`. */
const lastWords = 64 * 1024

export function createPacedReader(stream: Readable, limits: Pick<StdioLimits, 'maxLine' | 'maxBacklog'>, events: ReaderEvents, tap?: Tap) {
  const splitter = createLineSplitter({ maxLine: limits.maxLine, keepHead: headSize })
  const output = countBytes(events.onOutput)
  const decoder = createLineDecoder(limits.maxLine, { ...events, onOutput: output.take }, tap)
  let scheduled = false
  let paused = false
  let sourceEnded = false
  let discarding = false
  let wordsLeft = lastWords
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

  const nextItem = (): (() => void) | undefined => {
    if (decoder.unfinished) return decoder.resume
    const line = splitter.next()
    return line && (() => (discarding ? takeLastWords(line) : decoder.take(line)))
  }

  const takeLastWords = (line: Line): void => {
    if (line.kind === 'line' && !mayBeProtocol(line.bytes)) events.onOutput(line.bytes)
  }

  const end = (): void => {
    if (sourceEnded) return
    sourceEnded = true
    splitter.end()
    schedule()
  }

  const onData = (chunk: Buffer): void => {
    if (discarding) wordsLeft -= chunk.length
    if (wordsLeft < 0) return
    splitter.push(chunk)
    if (splitter.backlog > limits.maxBacklog && !paused && !discarding) {
      paused = true
      stream.pause()
    }
    if (!scheduled) turn()
  }

  return {
    start(): void {
      stream.on('data', onData)
      stream.on('end', end)
      stream.on('close', end)
      // A broken pipe ends the reading; the process's end tells why.
      stream.on('error', end)
      if (stream.readableEnded || stream.destroyed) end()
    },
    /**
     * Reads on, so that the server is not held up, but hands over no message any more. The first output after it is: a client
     * hangs up on a process that has ended before what that wrote is read, and the doctor is to know it.
     */
    discard(): void {
      discarding = true
      decoder.drop()
      if (paused) stream.resume()
      paused = false
    },
    /** Stops reading. What was read is still handed over, then the reader ends. */
    cut(): void {
      stream.destroy()
      end()
    },
    /** Whether stdout is paused because this reader has not caught up. */
    get backedUp(): boolean {
      return paused
    },
    get backlog() {
      return splitter.backlog
    },
    /** Bytes so far that are no protocol, with those of a line without an end. */
    get stray() {
      return output.bytes() + strayLength(splitter.pending())
    },
  }
}

const strayLength = ({ length, head }: { readonly length: number; readonly head: Buffer }): number => (mayBeProtocol(head) ? 0 : length)

function countBytes(take: (line: Buffer) => void) {
  let bytes = 0
  return {
    take(line: Buffer): void {
      bytes += line.length
      take(line)
    },
    bytes: () => bytes,
  }
}

/** Lines as messages: one that holds several, or a very long one, is handed over in several turns. */
function createLineDecoder(maxLine: number, events: Pick<ReaderEvents, 'onMessage' | 'onOutput' | 'onError'>, tap?: Tap) {
  let batch: { readonly items: readonly unknown[]; readonly line: Buffer; next: number; reported: boolean } | undefined
  let large: { readonly answer: NonNullable<ReturnType<typeof lookOver>>; readonly line: Buffer } | undefined

  const failOversized = (id: RequestId | undefined, length?: number): void => {
    if (id !== undefined) events.onMessage(failedResponse(id, oversizedResponse(maxLine, length)))
  }

  const refuse = (line: Buffer): void => {
    const error = tooManyParts()
    const id = answeredId(line.subarray(0, headSize), line.subarray(-headSize))
    events.onError(error)
    if (id !== undefined) events.onMessage(failedResponse(id, error))
  }

  const takeLine = (line: Buffer): void => {
    const answer = mayBeProtocol(line) ? lookOver(line) : undefined
    if (answer) large = { answer, line }
    else takeValue(parse(line), line)
  }

  const lookOn = (): void => {
    if (!large?.answer.step(stepSize)) return
    const { answer, line } = large
    large = undefined
    if (answer.isRefused()) refuse(line)
    else takeValue(answer.message() ?? parse(line), line)
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

  const handOver = (value: unknown): boolean => {
    const envelope = classifyEnvelope(value)
    if (envelope.kind === 'message') events.onMessage(envelope.message)
    else if (envelope.kind === 'broken-answer') events.onMessage(failedResponse(envelope.id, brokenResponse()))
    return envelope.kind !== 'other'
  }

  return {
    get unfinished(): boolean {
      return large !== undefined || batch !== undefined
    },
    take(line: Line): void {
      switch (line.kind) {
        case 'line':
          if (tap?.on) tap.tell({ direction: 'received', ...captureText(line.bytes) })
          takeLine(line.bytes)
          break
        case 'oversized':
          events.onError(oversizedResponse(maxLine))
          failOversized(answeredId(line.head))
          break
        case 'oversized-end':
          if (tap?.on) tap.tell({ direction: 'received', text: line.head.toString(), tail: line.tail.toString(), size: line.length })
          // When the head alone told the id, that call has already been told.
          if (answeredId(line.head) === undefined) failOversized(answeredId(line.head, line.tail), line.length)
      }
    },
    /** One turn's worth of what is unfinished. */
    resume: (): void => (large ? lookOn() : takeFromBatch()),
    drop(): void {
      batch = undefined
      large = undefined
    },
  }
}

const startOf = (line: Buffer): number => (line.subarray(0, 3).equals(byteOrderMark) ? 3 : 0)

function mayBeProtocol(line: Buffer): boolean {
  let at = startOf(line)
  while (isSpace(line[at]) && at < headSize) at += 1
  return line[at] === openBrace || line[at] === openBracket
}

/** Undefined when it is not JSON. A line that starts with neither { nor [ is not looked into. */
const parse = (line: Buffer): unknown => (mayBeProtocol(line) ? parseJson(line.toString('utf8', startOf(line))) : undefined)
