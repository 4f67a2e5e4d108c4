// Anthropic's streaming format, from `message_start` to `message_stop`, written to a response.
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { ScriptBlock, ScriptUsage, StopReason } from './reply.ts'

type Send = (event: string, data: object) => void

export function openStream(response: ServerResponse): Send {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  return (event, data) => void response.write(`event: ${event}\ndata: ${JSON.stringify({ type: event, ...data })}\n\n`)
}

let made = 0
export const newToolUseId = (): string => {
  made += 1
  return `toolu_${String(made).padStart(8, '0')}`
}

/** In words, each with the space after it, so that a stream looks like a model's. */
export const words = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? []

export function sendStart(send: Send, model: string, usage: ScriptUsage): void {
  send('message_start', {
    message: {
      id: 'msg_scripted',
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: usage.input ?? 10,
        output_tokens: 1,
        cache_read_input_tokens: usage.cacheRead ?? 0,
        cache_creation_input_tokens: usage.cacheWrite ?? 0,
      },
    },
  })
  send('ping', {})
}

/** Resolves when all blocks are out, or at once when the caller has gone. */
export async function sendBlocks(send: Send, blocks: readonly ScriptBlock[], gone: AbortSignal): Promise<void> {
  let index = 0
  for (const block of blocks) {
    if (gone.aborted) return
    if (block.type === 'gate') {
      await Promise.race([block.until, new Promise<void>((resolve) => gone.addEventListener('abort', () => resolve(), { once: true }))])
      continue
    }
    await sendBlock(send, block, index, gone)
    send('content_block_stop', { index })
    index += 1
    if (block.type !== 'tool_search') continue
    send('content_block_start', { index, content_block: searchResult(block) })
    send('content_block_stop', { index })
    index += 1
  }
}

/** The two blocks of a search, as they go back. */
export const searchBlocks = (block: Extract<ScriptBlock, { type: 'tool_search' }>): object[] => [
  { ...searchUse(block), input: { query: block.query } },
  searchResult(block),
]
const searchUse = ({ id }: { readonly id: string }): object => ({
  type: 'server_tool_use',
  id,
  name: 'tool_search_tool_bm25',
  caller: { type: 'direct' },
})
const searchResult = ({ id, found }: Extract<ScriptBlock, { type: 'tool_search' }>): object => ({
  type: 'tool_search_tool_result',
  tool_use_id: id,
  content:
    typeof found === 'string'
      ? { type: 'tool_search_tool_result_error', error_code: found, error_message: null }
      : { type: 'tool_search_tool_search_result', tool_references: found.map((tool_name) => ({ type: 'tool_reference', tool_name })) },
})

async function sendBlock(send: Send, block: Exclude<ScriptBlock, { type: 'gate' }>, index: number, gone: AbortSignal): Promise<void> {
  const start = (content_block: object): void => send('content_block_start', { index, content_block })
  const delta = (delta: object): void => send('content_block_delta', { index, delta })
  switch (block.type) {
    case 'text':
      start({ type: 'text', text: '' })
      for (const word of words(block.text)) {
        if (gone.aborted) return
        delta({ type: 'text_delta', text: word })
        if (block.wordMs !== undefined) await wait(block.wordMs, undefined, { ref: false })
      }
      for (const citation of block.cites ?? []) delta({ type: 'citations_delta', citation })
      return
    case 'thinking':
      start({ type: 'thinking', thinking: '', signature: '' })
      for (const word of words(block.thinking)) delta({ type: 'thinking_delta', thinking: word })
      if (block.signature !== undefined) delta({ type: 'signature_delta', signature: block.signature })
      return
    case 'redacted_thinking':
      return start({ type: 'redacted_thinking', data: block.data })
    case 'tool_search':
      start({ ...searchUse(block), input: {} })
      return delta({ type: 'input_json_delta', partial_json: JSON.stringify({ query: block.query }) })
    case 'tool_use': {
      start({ type: 'tool_use', id: block.id ?? newToolUseId(), name: block.name, input: {} })
      const text = block.inputText ?? JSON.stringify(block.input ?? {})
      for (let at = 0; at < text.length; at += 12) delta({ type: 'input_json_delta', partial_json: text.slice(at, at + 12) })
    }
  }
}

export function sendEnd(send: Send, stopReason: StopReason, usage: ScriptUsage): void {
  send('message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: usage.output ?? 20 } })
  send('message_stop', {})
}
