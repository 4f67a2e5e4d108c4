import { expect, test } from 'vitest'
import { findEntry, vendorOf } from './find-entry.ts'
import type { CatalogueVendors } from './models-dev.ts'

const all: CatalogueVendors = {
  anthropic: {
    'claude-sonnet-4-5': { context: 200_000, price: [3, 15] },
    'claude-sonnet-4-5-20250929': { context: 200_001, price: [3, 15] },
    'claude-3-5-sonnet-20240620': { context: 1 },
    'claude-3-5-sonnet-20241022': { context: 2 },
  },
  openai: { 'gpt-5': { context: 400_000, price: [1.25, 10] }, 'gpt-5-pro': { context: 5 }, 'gpt-oss': { context: 9, does: 'tools open' } },
  google: { 'gemini-2.5-pro': { context: 1_048_576 } },
  mistral: { 'mistral-large-2411': { context: 131_072 }, 'mistral-large-latest': { context: 262_144 } },
  openrouter: { 'openai/gpt-5': { context: 400_000, price: [1.25, 10] } },
  'amazon-bedrock': {
    'anthropic.claude-opus-4-6-v1': { context: 6, price: [5, 25] },
    'us.anthropic.claude-opus-4-6-v1': { context: 6, price: [5.5, 27.5] },
    'amazon.nova-lite-v1:0': { context: 7 },
  },
  'google-vertex': { 'claude-opus-4-6@default': { context: 8 }, 'claude-opus-4-5@20251101': { context: 10 } },
  azure: { 'gpt-5': { context: 272_000 } },
  zai: { 'glm-5': { price: [1, 3] } },
  'zai-coding-plan': { 'glm-5': {} },
}
const context = (endpoint: string, name: string) => findEntry(all, endpoint, name)?.context

test.each([
  ['https://api.openai.com/v1', 'gpt-5', 400_000],
  ['openai', 'gpt-5-2025-08-07', 400_000],
  ['https://api.anthropic.com', 'claude-sonnet-4-5-20250929', 200_001],
  ['https://api.anthropic.com', 'claude-3-5-sonnet-latest', 2],
  ['https://generativelanguage.googleapis.com/v1beta/openai', 'models/gemini-2.5-pro', 1_048_576],
  ['https://api.mistral.ai/v1', 'mistral-large-latest', 262_144],
  ['https://acme.openai.azure.com/openai/v1', 'gpt-5', 272_000],
  ['https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1', 'amazon.nova-lite', 7],
  ['https://bedrock-mantle.eu-west-1.api.aws/v1', 'arn:aws:bedrock:us-east-1::foundation-model/amazon.nova-lite-v1:0', 7],
  ['https://us-east5-aiplatform.googleapis.com/v1', 'anthropic/claude-opus-4-6', 8],
  ['https://aiplatform.googleapis.com/v1', 'claude-opus-4-5-20251101', 10],
  ['https://llm.example.com/v1', 'anthropic/claude-sonnet-4.5', 200_000],
  ['https://llm.example.com/v1', 'litellm/openai/gpt-5', 400_000],
])('%s has %s', (endpoint, name, expected) => {
  expect(context(endpoint, name)).toBe(expected)
})

test.each([
  ['another model of the same beginning', 'openai', 'gpt-5-turbo'],
  ['a version that is not listed', 'openai', 'gpt-5.1'],
  ['a shorter name', 'openai', 'gpt'],
  ['a distillation', 'https://llm.example.com/v1', 'someone/gpt-5'],
  ['a model of another maker', 'https://llm.example.com/v1', 'anthropic/gpt-5'],
  ['a deployment with a name of its own', 'https://acme.openai.azure.com/openai/v1', 'sales'],
  ['an older version by number', 'mistral', 'mistral-large-2407'],
  ['a member of every object', 'openai', 'constructor'],
  ['a program on this computer', 'http://127.0.0.1:11434/v1', 'gpt-5'],
  ['a computer at home', 'http://nas.local:8000/v1', 'gpt-5'],
])('%s is not found', (_, endpoint, name) => {
  expect(findEntry(all, endpoint, name)).toBeUndefined()
})

test.each([
  ['a free route', 'openrouter', 'openai/gpt-5:free', { context: 400_000 }],
  ['another region', 'amazon-bedrock', 'eu.anthropic.claude-opus-4-6-v1', { context: 6 }],
  ['an unknown gateway', 'https://llm.example.com/v1', 'gpt-5', { context: 400_000 }],
  ['open weights elsewhere, nor limits', 'https://llm.example.com/v1', 'gpt-oss', { does: 'tools open' }],
  ['a subscription', 'https://api.z.ai/api/coding/paas/v4', 'glm-5', {}],
])('%s has no price', (_, endpoint, name, entry) => {
  expect(findEntry(all, endpoint, name)).toEqual(entry)
})

test('a region with a price of its own has that', () => {
  expect(findEntry(all, 'amazon-bedrock', 'us.anthropic.claude-opus-4-6-v1')?.price).toEqual([5.5, 27.5])
})

test('a host that only looks like a vendor is none', () => {
  expect(['https://api.openai.com.example.org/v1', 'https://xapi.openai.com/v1', 'http://10.0.0.2/v1', 'nobody'].map(vendorOf)).toEqual([
    'elsewhere',
    'elsewhere',
    undefined,
    undefined,
  ])
})
