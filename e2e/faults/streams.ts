// Answers that come as event streams and are cut at a byte drawn at random, many of them side by side. With 2025-06-18 the
// stream is asked for again from the last whole event and the answer arrives; with 2026-07-28 there is nothing to ask for. A
// call of which nothing whole arrived ends as unknown. Each reaches the server once.
import type { ServerResponse } from 'node:http'
import type { JsonObject } from '#app/json.ts'
import { complete, modern, none, older, type Reply } from '../servers/http/eras.ts'
import { called, type Message, rawHttp, stream } from '../servers/http/raw-http.ts'
import { type Fault, type Outcome, since } from './fault.ts'
import type { RunOptions } from './options.ts'
import { codeOf, type Stage } from './stage.ts'

const wordOf = (message: Message): string => String((message.params?.['arguments'] as JsonObject | undefined)?.['word'])

/** Two words of progress between an empty event and the answer, each with an id that names the call. */
function eventsOf(message: Message, answer: object): string[] {
  const { progressToken } = (message.params?.['_meta'] ?? {}) as { readonly progressToken?: number }
  const step = (progress: number): string =>
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress, message: 'café' } })
  return ['', step(1), step(2), JSON.stringify(answer)].map(
    (data, index) => `id: ${wordOf(message)}:${index}\nevent: message\ndata: ${data}\n\n`,
  )
}

type Cut = (response: ServerResponse) => void
const cuts: readonly Cut[] = [
  (response) => void response.end(),
  (response) => void response.destroy(),
  (response) => void response.socket?.resetAndDestroy(),
]

/** What was sent of one call's stream before the cut. */
interface Sent {
  readonly events: readonly string[]
  readonly bytes: Buffer
}

/** How many events are whole. A line end makes the last line of an event whole, and an empty line the event. */
function wholeEvents({ events, bytes }: Sent): number {
  let at = 0
  let count = 0
  for (const event of events) {
    at += Buffer.byteLength(event)
    if (at > bytes.length) break
    count += 1
  }
  return count
}

/** Answers each call up to a byte, then cuts it. */
function cutting(random: () => number, sent: Map<string, Sent>, answerOf: (message: Message) => object): Reply {
  return ({ message }, response) => {
    const events = eventsOf(message, answerOf(message))
    const all = Buffer.from(events.join(''))
    const bytes = all.subarray(0, Math.floor(random() * (all.length + 1)))
    const cut = cuts[Math.floor(random() * cuts.length)] as Cut
    sent.set(wordOf(message), { events, bytes })
    stream(response).write(bytes, () => cut(response))
  }
}

/** The rest of a stream, after the event that is named. */
const resuming =
  (sent: ReadonlyMap<string, Sent>): Reply =>
  (seen, response) => {
    const [word = '', index] = String(seen.headers['last-event-id']).split(':')
    const events = sent.get(word)?.events
    if (seen.headers['last-event-id'] === undefined || !events) none(seen, response)
    else stream(response).end(events.slice(Number(index) + 1).join(''))
  }

const answerOf = (message: Message): object => called(message, `whole ${wordOf(message)}`)
const modernAnswerOf = (message: Message): object => complete(message, { content: [{ type: 'text', text: `whole ${wordOf(message)}` }] })

async function callAll(
  stage: Stage,
  count: number,
  reached: () => readonly Message[],
  expected: (word: string) => string,
): Promise<Outcome> {
  await stage.start()
  const from = performance.now()
  let detected = 0
  const wrong: string[] = []
  let lost = 0
  const call = async (_: unknown, n: number): Promise<void> => {
    const word = `w${n}`
    const end = await stage.call('echo', { word }).catch(codeOf)
    const whole = end === `whole ${word}` ? 'answered' : end
    if (whole !== 'answered') detected = Math.max(detected, since(from))
    if (whole === expected(word)) return
    lost += 1
    wrong.push(`a call ended as ${whole} instead of ${expected(word)}`)
  }
  await Promise.all(Array.from({ length: count }, call))
  const words = reached().map(wordOf)
  if (new Set(words).size < words.length) wrong.push(`${words.length - new Set(words).size} calls reached the server twice`)
  return { detected, lost, wrong }
}

export function cutStreams({ quick }: RunOptions): Fault[] {
  const count = quick ? 8 : 40
  const make = (version: string, isModern: boolean): Fault => ({
    fault: `SSE of ${version}, ${count} cut at any byte`,
    async open(random) {
      const sent = new Map<string, Sent>()
      const answer = isModern
        ? modern(cutting(random, sent, modernAnswerOf))
        : older(version, cutting(random, sent, answerOf), resuming(sent))
      const raw = await rawHttp(answer)
      const reached = (): Message[] => raw.seen.flatMap(({ message }) => (message.method === 'tools/call' ? [message] : []))
      const expected = (word: string): string => {
        const one = sent.get(word)
        const whole = one ? wholeEvents(one) : 0
        return whole === 4 || (!isModern && whole > 0) ? 'answered' : 'tool.outcome-unknown'
      }
      return { entry: { url: raw.url }, close: raw.close, run: (stage) => callAll(stage, count, reached, expected) }
    },
  })
  return [make('2025-06-18', false), make('2026-07-28', true)]
}
