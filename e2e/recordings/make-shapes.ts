// Writes `shapes.jsonl`: streams of our own with the shape of recorded ones (field names and their order, types, chunking of each kind,
// ends), for the suite to play without the recordings. Words, names, ids, addresses and numbers are ours; runs of like chunks are
// shortened to three. Each is expected to read as what was put into it; its end is that of the recording, its counts are three times as high.
// ASSENT_RECORDINGS=FOLDER node e2e/recordings/make-shapes.ts
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'

const folder = process.env['ASSENT_RECORDINGS'] ?? ''
const sha = (text: string): string => createHash('sha256').update(text).digest('hex')
const MOST_BYTES = 14_000

interface Row {
  readonly id: string
  readonly vendor: string
  readonly format: string
  readonly model: string | null
  readonly source: JsonObject
  readonly status: number
  readonly expected: {
    readonly calls: readonly unknown[]
    readonly usage: Record<string, number> | null
    readonly stop: string
    readonly text: string
    readonly thinking: string | null
  }
}

/** Text of one part, cut into as many pieces as the stream has for it. */
interface Channel {
  readonly kind: 'text' | 'thinking' | 'call'
  readonly name?: string
  pieces: number
  taken: number
  whole: string
}

const sentences = {
  text: ['The kettle on the left holds two litres, the one on the right a bit more.', 'Both were filled at nine; neither has boiled yet.'],
  thinking: ['Somebody asks for two kettles; I compare what they hold before I answer.', 'The order of them matters less than their size.'],
} as const
const inputs: readonly JsonObject[] = [
  { shelf: 'north 7', litres: 2.5 },
  { shelf: 'south 12', litres: 3 },
  { shelf: 'east 1', open: true },
]
const toolNames = ['weigh_kettle', 'fill_shelf', 'note_down', 'list_cups'] as const

const kept = new Set([
  'object',
  'type',
  'role',
  'finish_reason',
  'native_finish_reason',
  'status',
  'stop_reason',
  'format',
  'phase',
  'service_tier',
  'reason',
  'model',
  'effort',
])
const texts = new Set([
  'text',
  'content',
  'reasoning',
  'reasoning_content',
  'thinking',
  'arguments',
  'partial_json',
  'delta',
  'summary',
  'refusal',
])
const whole = new Set(['choices', 'tool_calls', 'output', 'content', 'summary', 'reasoning_details'])
const dropped = new Set(['tools', 'logprobs', 'instructions', 'metadata'])

function createVoice() {
  const ids = new Map<string, string>()
  const channels = new Map<string, Channel>()
  const names = new Map<string, string>()
  const counts = { text: 0, thinking: 0, call: 0 }
  const nameOf = (name: string): string => {
    const own = names.get(name) ?? toolNames[names.size % toolNames.length] ?? 'tool'
    names.set(name, own)
    return own
  }
  return {
    channels,
    nameOf,
    channel(key: string, kind: Channel['kind'], name?: string): Channel {
      const known = channels.get(key)
      if (known) return known
      const at = counts[kind]++
      const made = kind === 'call' ? JSON.stringify(inputs[at % inputs.length]) : (sentences[kind][at % 2] ?? '')
      const channel = { kind, pieces: 0, taken: 0, whole: made, ...(name === undefined ? {} : { name }) }
      channels.set(key, channel)
      return channel
    },
    /** Id with the same prefix and the same classes of characters; long secrets become short. */
    id(value: string): string {
      const known = ids.get(value)
      if (known !== undefined) return known
      const [, prefix = '', rest = ''] = /^((?:[a-z]+[_-]|functions\.)*)(.*)$/s.exec(value.slice(0, 48)) ?? []
      const noise = sha(`assent ${ids.size}`) + sha(`${ids.size} assent`)
      const made = [...rest].map((one, at) =>
        /\d/.test(one)
          ? String(Number.parseInt(noise[at] ?? '0', 16) % 10)
          : /[a-z]/i.test(one)
            ? 'abcdefghkmnpqrst'[Number.parseInt(noise[at] ?? '0', 16)]
            : one,
      )
      ids.set(value, prefix + made.join(''))
      return prefix + made.join('')
    },
    address: (value: string): string => `https://kettles.example/${ids.size + value.length}`,
  }
}
type Voice = ReturnType<typeof createVoice>

const pieceOf = (channel: Channel): string => {
  const at = channel.taken++
  const size = Math.ceil(channel.whole.length / channel.pieces)
  return at === channel.pieces - 1 ? channel.whole.slice(at * size) : channel.whole.slice(at * size, (at + 1) * size)
}

/** Kind of a chunk: its keys, types and protocol words. */
function signature(value: Json, key = ''): Json {
  if (Array.isArray(value)) return value.map((one) => signature(one, key))
  if (isJsonObject(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, signature(one, name)]))
  if (typeof value === 'string') return value === '' || kept.has(key) ? value : 's'
  return typeof value === 'number' ? (/index$/.test(key) ? value : 'n') : value
}

type Chunk = { readonly lines: readonly string[]; readonly json?: Json }

function chunksIn(body: string): Chunk[] {
  return body
    .replaceAll('\r\n', '\n')
    .split('\n\n')
    .filter((one) => one.trim() !== '')
    .map((block) => {
      const lines = block.split('\n').filter((line) => line !== '')
      const data = lines
        .find((line) => line.startsWith('data:'))
        ?.slice(5)
        .trim()
      return data?.startsWith('{') ? { lines, json: JSON.parse(data) as Json } : { lines }
    })
}

/** Keeps two of a run of like chunks, and its last. */
function shortened(chunks: readonly Chunk[]): Chunk[] {
  const kinds = chunks.map(({ json, lines }) => (json === undefined ? lines.join() : JSON.stringify(signature(json))))
  return chunks.filter((_, at) => !(kinds[at] === kinds[at - 1] && kinds[at] === kinds[at - 2] && kinds[at] === kinds[at + 1]))
}

type Slot = (text: string, keys: readonly (string | number)[], root: JsonObject) => string | undefined

/** Copies a chunk in our words. `slot`: our text in place of the model's; undefined: none of it. */
function rewrite(value: Json, keys: readonly (string | number)[], root: JsonObject, voice: Voice, slot: Slot): Json {
  const key = String(keys.findLast((one) => typeof one === 'string') ?? '')
  if (Array.isArray(value))
    return (whole.has(key) ? value : value.slice(0, 2)).map((one, at) => rewrite(one, [...keys, at], root, voice, slot))
  if (isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        dropped.has(name) ? (Array.isArray(one) ? [] : null) : rewrite(one, [...keys, name], root, voice, slot),
      ]),
    )
  const inUsage = keys.some((one) => /usage|metrics/.test(String(one)))
  if (typeof value === 'number') {
    if (/^created/.test(key) || key === 'completed_at') return 1_790_000_000
    if (key === 'end_index') return 10
    return inUsage ? value * 3 : key === 'start_index' ? 4 : value
  }
  if (typeof value !== 'string' || value === '' || kept.has(key)) return value
  const said = slot(value, keys, root)
  if (said !== undefined) return said
  if (key === 'name') return voice.nameOf(value)
  if (/^https?:/.test(value)) return voice.address(value)
  if (/(?:^|_)(?:id|fingerprint|data|content|signature)$|^obfuscation$|^p$/.test(key)) return voice.id(value)
  return texts.has(key) || /title|snippet|cited/.test(key) ? 'On kettles and shelves' : 'x'
}

const at = (keys: readonly (string | number)[], index: number): string => String(keys.at(index))

/** Slots of chat completions. */
function chatSlots(voice: Voice, count: boolean): Slot {
  let calls = 0
  const byIndex = new Map<string, string>()
  const give = (channel: Channel, text: string): string => {
    if (!count) return pieceOf(channel)
    channel.pieces += 1
    return text
  }
  return (text, keys, root) => {
    if (keys[0] !== 'choices' || !['delta', 'message'].includes(String(keys[2]))) return undefined
    const choice = (root['choices'] as JsonObject[])[Number(keys[1])]
    const extra = Number(choice?.['index'] ?? 0) > 0 || (keys[2] === 'message' && choice?.['delta'] !== undefined)
    const key = at(keys, -1)
    if (extra) return texts.has(key) ? 'Another one.' : undefined
    if (keys.includes('tool_calls')) {
      const call = (choice as Record<string, { tool_calls: JsonObject[] }>)[String(keys[2])]?.tool_calls[Number(keys[4])]
      const index = String(call?.['index'] ?? `at ${String(keys[4])}`)
      const called = call?.['function'] as JsonObject
      if (key === 'name' && keys.includes('function')) {
        byIndex.set(index, `call ${calls++}`)
        voice.channel(`call ${calls - 1}`, 'call', voice.nameOf(text))
        return undefined
      }
      if (key !== 'arguments') return undefined
      // The name may stand behind the arguments.
      const isNew =
        typeof called['name'] === 'string' &&
        called['name'] !== '' &&
        Object.keys(called).indexOf('name') > Object.keys(called).indexOf('arguments')
      const channel = voice.channel(
        isNew ? `call ${calls}` : (byIndex.get(index) ?? `call ${calls - 1}`),
        'call',
        isNew ? voice.nameOf(String(called['name'])) : undefined,
      )
      if (text.replaceAll(' ', '') === '{}' || text === 'null') {
        channel.whole = '{}'
        return text
      }
      return give(channel, text)
    }
    if (key === 'reasoning' || key === 'reasoning_content') return give(voice.channel(key, 'thinking'), text)
    if (keys.includes('reasoning_details'))
      return key === 'text' || key === 'summary' ? give(voice.channel('details', 'thinking'), text) : undefined
    if (keys.includes('thinking') && key === 'text') return give(voice.channel('parts', 'thinking'), text)
    if (key === 'content' || (key === 'text' && keys.includes('content'))) return give(voice.channel('content', 'text'), text)
    return undefined
  }
}

/** Slots of Anthropic's messages: a channel a block. */
function anthropicSlots(voice: Voice, count: boolean): Slot {
  let message = 0
  const kinds = { text: 'text', thinking: 'thinking', partial_json: 'call' } as const
  return (text, keys, root) => {
    if (root['type'] === 'message_start' && at(keys, -1) === 'id') message += 1
    const key = `${message} ${String(root['index'])}`
    if (root['type'] === 'content_block_start' && at(keys, -1) === 'name') {
      voice.channel(key, 'call', voice.nameOf(text))
      return undefined
    }
    const kind = kinds[at(keys, -1) as keyof typeof kinds]
    if (keys[0] !== 'delta' || keys.length !== 2 || kind === undefined) return undefined
    const channel = voice.channel(key, kind)
    if (!count) return pieceOf(channel)
    channel.pieces += 1
    return text
  }
}

/** Slots of the Responses API: a channel a part of an item; what is told again whole is the whole channel. */
function responsesSlots(voice: Voice, count: boolean): Slot {
  const places = new Map<string, string>()
  return (text, keys, root) => {
    const type = String(root['type'])
    const key = at(keys, -1)
    const place = String(root['output_index'])
    const item = (
      keys[0] === 'item'
        ? root['item']
        : keys[0] === 'response' && keys[1] === 'output'
          ? ((root['response'] as JsonObject)['output'] as JsonObject[])[Number(keys[2])]
          : undefined
    ) as JsonObject | undefined
    if (item && keys[0] === 'item') places.set(`${String(item['type'])} ${String(item['id'])}`, place)
    const itemPlace =
      item && keys[0] === 'response' ? (places.get(`${String(item['type'])} ${String(item['id'])}`) ?? String(keys[2])) : place
    if (item?.['type'] === 'function_call' && key === 'name') {
      voice.channel(`call ${itemPlace}`, 'call', voice.nameOf(text))
      return undefined
    }
    const give = (channel: Channel): string => {
      if (!count) return pieceOf(channel)
      channel.pieces += 1
      return text
    }
    const summary = `${itemPlace} ${String(root['summary_index'] ?? (keys.includes('summary') ? keys[keys.indexOf('summary') + 1] : 0))}`
    if (key === 'delta') {
      if (type === 'response.output_text.delta') return give(voice.channel(`text ${place}`, 'text'))
      if (type === 'response.reasoning_summary_text.delta') return give(voice.channel(`summary ${summary}`, 'thinking'))
      if (type === 'response.reasoning_text.delta') return give(voice.channel(`thought ${place}`, 'thinking'))
      if (type === 'response.function_call_arguments.delta') return give(voice.channel(`call ${place}`, 'call'))
      return undefined
    }
    if (key === 'arguments') {
      const channel = voice.channel(`call ${itemPlace}`, 'call')
      if (text.replaceAll(' ', '') === '{}') channel.whole = '{}'
      return channel.whole
    }
    if (key !== 'text') return undefined
    if (keys.includes('summary') || type.startsWith('response.reasoning_summary'))
      return voice.channel(`summary ${summary}`, 'thinking').whole
    if (
      item?.['type'] === 'reasoning' ||
      type.startsWith('response.reasoning_text') ||
      (root['part'] as JsonObject | undefined)?.['type'] === 'reasoning_text'
    )
      return voice.channel(`thought ${itemPlace}`, 'thinking').whole
    if (item?.['type'] === 'message' || type === 'response.output_text.done' || type.startsWith('response.content_part'))
      return voice.channel(`text ${itemPlace}`, 'text').whole
    return undefined
  }
}

const slotsOf = { openai: chatSlots, anthropic: anthropicSlots, 'openai-responses': responsesSlots }

function thinkingIn(channels: ReadonlyMap<string, Channel>, format: string): string {
  const all = [...channels].filter(([, { kind }]) => kind === 'thinking')
  if (format === 'openai') return all[0]?.[1].whole ?? ''
  let item = ''
  return all
    .map(([key, { whole }], index) => {
      const joint = key.startsWith('summary') && index > 0 && key.split(' ')[1] === item ? '\n\n' : ''
      item = key.split(' ')[1] ?? ''
      return joint + whole
    })
    .join('')
}

function shapeOf(row: Row): JsonObject | undefined {
  const body = readFileSync(join(folder, `${row.id}.sse`), 'utf8')
  if (row.expected.stop === 'error' || /<\/?(?:think|thinking|reasoning)>/.test(body)) return undefined
  const chunks = shortened(chunksIn(body))
  const voice = createVoice()
  const make = slotsOf[row.format as keyof typeof slotsOf]
  const counting = make(voice, true)
  for (const { json } of chunks) if (isJsonObject(json)) rewrite(json, [], json, voice, counting)
  // Fields that give the same thinking twice, in pieces of their own, hold the same words.
  const thinking = [...voice.channels.values()].filter(({ kind }) => kind === 'thinking')
  if (row.format === 'openai') for (const one of thinking) one.whole = sentences.thinking[0]
  const saying = make(voice, false)
  const written = chunks.map(({ lines, json }) => {
    if (!isJsonObject(json)) return lines.map((line) => (line.startsWith(': ping') ? ': ping' : line)).join('\n')
    return lines
      .map((line) =>
        line.startsWith('data:') ? `${/^data: ?/.exec(line)?.[0] ?? ''}${JSON.stringify(rewrite(json, [], json, voice, saying))}` : line,
      )
      .join('\n')
  })
  const calls = [...voice.channels.values()].filter(({ kind, name }) => kind === 'call' && name !== undefined)
  if (calls.length !== row.expected.calls.length) return undefined
  const sorted = (text: string): string => {
    const value = JSON.parse(text) as JsonObject
    return JSON.stringify(Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))))
  }
  const text = [...voice.channels.values()]
    .filter(({ kind }) => kind === 'text')
    .map((one) => one.whole)
    .join('')
  const thought = thinkingIn(voice.channels, row.format)
  const usage = row.expected.usage && Object.fromEntries(Object.entries(row.expected.usage).map(([name, n]) => [name, n * 3]))
  const { repository, commit, path, interaction } = row.source
  return {
    id: row.id,
    vendor: row.vendor,
    format: row.format,
    model: row.model,
    of: { repository, commit, path, interaction },
    status: row.status,
    expected: {
      text: sha(text.trim()),
      thinking: thought === '' ? null : sha(thought.trim()),
      calls: calls.map(({ name, pieces, whole }) => [name, sha(sorted(pieces === 0 && row.format !== 'openai-responses' ? '{}' : whole))]),
      usage,
      stop: row.expected.stop,
    },
    body: `${written.join('\n\n')}\n\n`,
  } as unknown as JsonObject
}

const rows = readFileSync(new URL('recordings.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row)
const shapes = new Map<string, string>()
for (const row of rows) {
  // Shapes of the other formats stand in the tests of main/models/ai-sdk and main/models/ollama.
  if (!Object.hasOwn(slotsOf, row.format)) continue
  // One of each kind of answer of a vendor: what differs more is another vendor's.
  const kind = [row.vendor, row.format, Math.min(2, row.expected.calls.length), row.expected.thinking !== null, row.expected.stop].join()
  const line = JSON.stringify(shapeOf(row) ?? null)
  if (line === 'null' || line.length > MOST_BYTES || (shapes.get(kind)?.length ?? Number.POSITIVE_INFINITY) <= line.length) continue
  shapes.set(kind, line)
}
writeFileSync(new URL('shapes.jsonl', import.meta.url), `${[...shapes.values()].join('\n')}\n`)
