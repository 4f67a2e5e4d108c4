// Figures of the catalogue beside published ones, which others collected from the vendors' price pages by themselves:
// pydantic/genai-prices, prices/data.json at 47df840 of 2026-08-21. Rows on which both agree;
// a new snapshot that differs is to be looked up at the vendor's page.
import { expect, test } from 'vitest'
import { readCatalogue } from './catalogue.ts'
import { findEntry } from './find-entry.ts'

/** Dollars for a million tokens of input and output, and tokens of context. */
const published: readonly (readonly [vendor: string, model: string, input: number, output: number, context: number])[] = [
  // https://www.anthropic.com/pricing#api
  ['anthropic', 'claude-3-haiku-20240307', 0.25, 1.25, 200000],
  ['anthropic', 'claude-haiku-4-5', 1, 5, 200000],
  ['anthropic', 'claude-opus-4-1', 15, 75, 200000],
  ['anthropic', 'claude-opus-4-5', 5, 25, 200000],
  ['anthropic', 'claude-opus-4-7', 5, 25, 1000000],
  ['anthropic', 'claude-opus-4-8', 5, 25, 1000000],
  ['anthropic', 'claude-sonnet-4-6', 3, 15, 1000000],
  // https://developers.openai.com/api/docs/pricing
  ['openai', 'gpt-4.1', 2, 8, 1000000],
  ['openai', 'gpt-4.1-mini', 0.4, 1.6, 1000000],
  ['openai', 'gpt-4o', 2.5, 10, 128000],
  ['openai', 'gpt-4o-mini', 0.15, 0.6, 128000],
  ['openai', 'gpt-5', 1.25, 10, 400000],
  ['openai', 'gpt-5-mini', 0.25, 2, 400000],
  ['openai', 'gpt-5-nano', 0.05, 0.4, 400000],
  ['openai', 'gpt-5.4', 2.5, 15, 1050000],
  ['openai', 'gpt-5.5', 5, 30, 1000000],
  // https://ai.google.dev/gemini-api/docs/pricing
  ['google', 'gemini-2.5-flash-lite', 0.1, 0.4, 1000000],
  ['google', 'gemini-3-flash-preview', 0.5, 3, 1000000],
  // https://api-docs.deepseek.com/quick_start/pricing
  ['deepseek', 'deepseek-v4-flash', 0.14, 0.28, 1000000],
  ['deepseek', 'deepseek-v4-pro', 0.435, 0.87, 1000000],
  // https://docs.x.ai/docs/models
  ['xai', 'grok-4.3', 1.25, 2.5, 1000000],
  // https://groq.com/pricing/
  ['groq', 'openai/gpt-oss-120b', 0.15, 0.6, 131072],
  ['groq', 'openai/gpt-oss-20b', 0.075, 0.3, 131072],
  // https://fireworks.ai/pricing
  ['fireworks-ai', 'accounts/fireworks/models/glm-5p2', 1.4, 4.4, 1040000],
  ['fireworks-ai', 'accounts/fireworks/models/gpt-oss-120b', 0.15, 0.6, 131072],
  ['fireworks-ai', 'accounts/fireworks/models/gpt-oss-20b', 0.07, 0.3, 131072],
  ['fireworks-ai', 'accounts/fireworks/models/kimi-k2p7-code', 0.95, 4, 262144],
  ['fireworks-ai', 'accounts/fireworks/models/minimax-m3', 0.3, 1.2, 524288],
  // https://www.cerebras.ai/pricing#pricing
  ['cerebras', 'gpt-oss-120b', 0.35, 0.75, 131072],
  // https://platform.moonshot.ai/docs/pricing/chat#product-pricing
  ['moonshotai', 'kimi-k2-0711-preview', 0.6, 2.5, 131072],
  ['moonshotai', 'kimi-k2-0905-preview', 0.6, 2.5, 262144],
  ['moonshotai', 'kimi-k2-thinking', 0.6, 2.5, 262144],
  ['moonshotai', 'kimi-k2-thinking-turbo', 1.15, 8, 262144],
  ['moonshotai', 'kimi-k2.5', 0.6, 3, 262144],
  // https://platform.minimax.io/docs/guides/pricing-paygo
  ['minimax', 'MiniMax-M2', 0.3, 1.2, 204800],
  ['minimax', 'MiniMax-M2.1', 0.3, 1.2, 204800],
  ['minimax', 'MiniMax-M2.5', 0.3, 1.2, 204800],
  ['minimax', 'MiniMax-M2.5-highspeed', 0.6, 2.4, 204800],
  ['minimax', 'MiniMax-M2.7', 0.3, 1.2, 204800],
]

test.each(published)('%s: %s has its published figures', async (vendor, model, input, output, context) => {
  const entry = findEntry((await readCatalogue()).vendors, vendor, model)
  expect(entry?.price?.slice(0, 2)).toEqual([input, output])
  // Some publish thousands, some powers of two.
  expect(Math.abs((entry?.context ?? 0) / context - 1)).toBeLessThan(0.06)
})
