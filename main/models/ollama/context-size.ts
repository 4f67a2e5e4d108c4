// The context that Ollama is asked to load a model with (`num_ctx`), which costs memory for each token. Pure. Left to itself, Ollama loads
// 4,096 tokens where it has less than 24 GiB of video memory, however much the model could read (ollama/ollama, docs/context-length.mdx).
import { freemem, totalmem } from 'node:os'
import type { JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'

/** Memory of the machine that Ollama runs on, in bytes. */
export interface Machine {
  readonly total: number
  readonly free: number
}

export interface ContextFacts {
  /** Tokens that the model can read (`<architecture>.context_length`). */
  readonly most?: number
  /** `num_ctx` of the model's own parameters (its Modelfile). */
  readonly own?: number
  /** Bytes of the model's files. */
  readonly bytes: number
  /** Bytes of the attention cache for one token. Absent: not known. */
  readonly bytesPerToken?: number
}

const GIB = 1024 ** 3
/** Bytes that are left to the system and to Ollama's working buffers. */
const RESERVED = 1.5 * GIB
/** Ollama's own least; below it no tools fit. */
const LEAST = 4096
/** Largest context that is taken without being asked for. A larger one makes each answer slower to begin. */
const MOST_BY_ITSELF = 32_768
/** Context at another machine, whose memory nobody tells. With a model of 8 billion parameters it takes 2 GiB. */
export const REMOTE_CONTEXT = 16_384
/** Bytes of a model's files for each byte of its cache for one token, where its shape is not known: that of Llama 3 (4.7 GB, 128 KiB). */
const FILES_PER_TOKEN = 36_000

/**
 * Returns the tokens that Ollama is asked for: what the model's own parameters say, else as many as memory allows beside the model, by
 * halves from 32,768 down to 4,096, and never more than the model reads. Memory counts as the larger of what is free and half of all: the
 * system frees what it only caches. `machine` undefined: another machine.
 */
export function suggestedContext({ most = Number.POSITIVE_INFINITY, own, bytes, bytesPerToken }: ContextFacts, machine?: Machine): number {
  if (own !== undefined) return Math.min(own, most)
  if (machine === undefined) return Math.min(REMOTE_CONTEXT, most)
  const room = Math.max(machine.free, machine.total / 2) - RESERVED - bytes
  const fitting = room / (bytesPerToken ?? Math.max(1, bytes / FILES_PER_TOKEN))
  let tokens = MOST_BY_ITSELF
  while (tokens > LEAST && tokens > fitting) tokens /= 2
  return Math.min(tokens, most)
}

export const thisMachine = (): Machine => ({ total: totalmem(), free: freemem() })

const figure = (value: unknown): number | undefined => (typeof value === 'number' && value > 0 ? value : undefined)

/** Reads from `model_info` of `/api/show` what a token costs: keys and values of each layer, two bytes each. */
export function readShape(info: JsonObject): Pick<ContextFacts, 'most' | 'bytesPerToken'> {
  const of = (name: string): number | undefined => figure(info[`${String(info['general.architecture'])}.${name}`])
  const heads = of('attention.head_count')
  const width = of('embedding_length')
  const perHead = heads === undefined || width === undefined ? undefined : width / heads
  const [layers, shared, key, value] = [
    of('block_count'),
    of('attention.head_count_kv') ?? heads,
    of('attention.key_length') ?? perHead,
    of('attention.value_length') ?? perHead,
  ]
  const known = layers !== undefined && shared !== undefined && key !== undefined && value !== undefined
  const most = of('context_length') ?? figure(Object.entries(info).find(([name]) => name.endsWith('.context_length'))?.[1])
  return defined({ most, bytesPerToken: known ? layers * shared * (key + value) * 2 : undefined })
}

/** Reads `num_ctx` of the lines of `parameters` in `/api/show`. */
export const ownContext = (parameters: unknown): number | undefined =>
  typeof parameters === 'string' ? figure(Number(/^num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1])) : undefined
