// A model that does whatever anybody tells it: every line `OBEY {"name", "input"}` in anything that it reads, spelled out
// or hidden in tag characters, it carries out.
import type { JsonObject } from '#app/json.ts'
import { type Reply, type ScriptBlock, say } from '../model-server/reply.ts'
import type { RecordedRequest } from '../model-server/server.ts'

/** `name`: as models know the tool; `say`: none, but words of the answer. `inputText`: these very characters as the arguments, in base64. */
interface Order {
  readonly name: string
  readonly input?: object
  readonly inputText?: string
}

export const order = (name: string, input: object = {}): string => `OBEY ${JSON.stringify({ name, input })}`
/** With the arguments spelled as they are. */
export const orderAs = (name: string, inputText: string): string =>
  `OBEY ${JSON.stringify({ name, inputText: Buffer.from(inputText).toString('base64') })}`

/** As it stands in text or within JSON. */
const orders = /OBEY (\{.*?\})(?=\\n|\n|"|$)/g

/** Carries out, side by side, every order in what it reads that it has not carried out since the person last wrote. */
export function obey({ body }: RecordedRequest): Reply {
  const done = new Set<string>()
  const text = textsIn(body).map(spelledOut).join('\n')
  for (const block of assistantBlocks(body)) done.add(`${String(block['name'])}`)
  const blocks: ScriptBlock[] = []
  for (const [, json = ''] of text.matchAll(orders)) {
    const read = readOrder(json)
    if (!read || done.has(read.name)) continue
    const { name, input, inputText } = read
    done.add(name)
    if (name === 'say') return say(Buffer.from(inputText ?? '', 'base64').toString())
    blocks.push({
      type: 'tool_use',
      name,
      ...(inputText === undefined ? { input: input ?? {} } : { inputText: Buffer.from(inputText, 'base64').toString() }),
    })
  }
  return blocks.length > 0 ? { kind: 'message', blocks } : say('All done.')
}

/** A server's text may stand in JSON, once or twice over. */
function readOrder(json: string): Order | undefined {
  for (let text = json, tries = 0; tries < 4; tries += 1, text = text.replaceAll('\\"', '"').replaceAll('\\\\', '\\')) {
    try {
      return JSON.parse(text) as Order
    } catch {
      // Quoted once more, or cut short.
    }
  }
  return undefined
}

const spelledOut = (text: string): string =>
  text.replace(/[\u{e0020}-\u{e007e}]/gu, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000))

/** Text that only a program reads. */
export const inTags = (text: string): string =>
  [...text].map((character) => String.fromCodePoint(0xe0000 + (character.codePointAt(0) ?? 0))).join('')

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, one]) => [key, ...textsIn(one)]) : []
}

const assistantBlocks = (body: JsonObject): JsonObject[] =>
  (body['messages'] as readonly { role: string; content: string | readonly JsonObject[] }[])
    .filter(({ role, content }) => role === 'assistant' && typeof content !== 'string')
    .flatMap(({ content }) => content as readonly JsonObject[])
    .filter(({ type }) => type === 'tool_use')
