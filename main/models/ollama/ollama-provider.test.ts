import { expect, test } from 'vitest'
import { ownContext, REMOTE_CONTEXT, readShape, suggestedContext } from './ollama-provider.ts'

const GB = 1e9
const memory = (total: number, free = total / 2) => ({ total: total * GB, free: free * GB })
const llama8b = { most: 131_072, bytes: 4.9 * GB, bytesPerToken: 131_072 }

test.each([
  ['a large machine: as many as are taken without being asked for', llama8b, memory(64), 32_768],
  ['16 GB, half of it taken', llama8b, memory(16), 8192],
  ['16 GB, nearly all free', llama8b, memory(16, 14), 32_768],
  ['less memory than the model: Ollama’s own least', llama8b, memory(8, 2), 4096],
  ['a model that reads less', { ...llama8b, most: 2048 }, memory(64), 2048],
  ['what the model’s parameters say, whatever the memory', { ...llama8b, own: 65_536 }, memory(8), 65_536],
  ['parameters above what the model reads', { ...llama8b, own: 262_144 }, memory(8), 131_072],
  ['another machine', llama8b, undefined, REMOTE_CONTEXT],
  ['another machine, a model that reads less', { ...llama8b, most: 8192 }, undefined, 8192],
  ['a shape that nobody tells', { bytes: 4.9 * GB }, memory(16), 8192],
] as const)('%s', (_, facts, machine, expected) => {
  expect(suggestedContext(facts, machine)).toBe(expected)
})

test('the cost of a token is keys and values of each layer', () => {
  const shape = {
    'general.architecture': 'qwen3',
    'qwen3.attention.head_count': 40,
    'qwen3.attention.head_count_kv': 8,
    'qwen3.attention.key_length': 128,
    'qwen3.attention.value_length': 128,
    'qwen3.block_count': 40,
    'qwen3.context_length': 40_960,
    'qwen3.embedding_length': 5120,
  }
  expect(readShape(shape)).toEqual({ most: 40_960, bytesPerToken: 40 * 8 * 256 * 2 })
  // Without the lengths the width is shared by the heads; long lists come empty (`verbose`).
  const { 'qwen3.attention.key_length': _key, 'qwen3.attention.value_length': _value, ...older } = shape
  expect(readShape(older)).toEqual({ most: 40_960, bytesPerToken: 40 * 8 * 256 * 2 })
  expect(readShape({ ...shape, 'qwen3.attention.head_count_kv': [], 'qwen3.attention.head_count': [] })).toEqual({ most: 40_960 })
  expect(readShape({})).toEqual({})
})

test('num_ctx is read from the parameters of a model', () => {
  expect(ownContext('num_ctx                        16384\nstop                           "<|im_end|>"')).toBe(16_384)
  expect([ownContext('stop "num_ctx 5"'), ownContext(undefined)]).toEqual([undefined, undefined])
})
