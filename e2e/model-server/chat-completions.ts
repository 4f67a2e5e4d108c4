// OpenAI's streaming format (chat completions), from the first chunk to `[DONE]`, written to a response.
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Reply, ScriptBlock, StopReason } from './reply.ts'
import type { RecordedRequest } from './server.ts'
import { newToolUseId, words } from './stream.ts'

const finishes: Record<StopReason, string> = {
  end_turn: 'stop',
  pause_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
}

type Streamed = Extract<Reply, { readonly blocks: readonly ScriptBlock[] }>

export async function sendCompletion(response: ServerResponse, request: RecordedRequest, reply: Streamed): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  const send = (data: object): void => void response.write(`data: ${JSON.stringify(data)}\n\n`)
  const chunk = (delta: object, finish_reason: string | null = null, more: object = {}): void =>
    send({
      id: 'chatcmpl-scripted',
      object: 'chat.completion.chunk',
      created: 1,
      model: request.body['model'],
      choices: [{ index: 0, delta, finish_reason, ...more }],
    })
  chunk({ role: 'assistant', content: '' })
  let index = 0
  for (const block of reply.blocks) {
    if (request.gone.aborted) return
    await sendBlock(chunk, block, index, request.gone)
    if (block.type === 'tool_use') index += 1
  }
  if (request.gone.aborted) return
  if (reply.kind === 'error-event') send({ error: { type: reply.type, message: 'scripted' } })
  else if (reply.kind === 'message') {
    const reason = reply.stopReason ?? (index > 0 ? 'tool_use' : 'end_turn')
    chunk({}, finishes[reason], reason === 'stop_sequence' ? { stop_reason: 'END' } : {})
    const { input = 10, output = 20, cacheRead = 0 } = reply.usage ?? {}
    const options = request.body['stream_options'] as { include_usage?: boolean } | undefined
    if (options?.include_usage)
      send({
        choices: [],
        usage: { prompt_tokens: input + cacheRead, completion_tokens: output, prompt_tokens_details: { cached_tokens: cacheRead } },
      })
    response.write('data: [DONE]\n\n')
  } else if (reply.how === 'reset') return void response.socket?.destroySoon()
  response.end()
}

async function sendBlock(chunk: (delta: object) => void, block: ScriptBlock, index: number, gone: AbortSignal): Promise<void> {
  switch (block.type) {
    case 'gate':
      await Promise.race([block.until, new Promise<void>((resolve) => gone.addEventListener('abort', () => resolve(), { once: true }))])
      return
    case 'text':
      for (const word of words(block.text)) {
        if (gone.aborted) return
        chunk({ content: word })
        if (block.wordMs !== undefined) await wait(block.wordMs, undefined, { ref: false })
      }
      return
    case 'thinking':
      for (const word of words(block.thinking)) chunk({ reasoning_content: word })
      return
    case 'redacted_thinking':
    case 'tool_search':
      return // The format has none.
    case 'tool_use': {
      const text = block.inputText ?? JSON.stringify(block.input ?? {})
      const piece = (fields: object, called: object): void => chunk({ tool_calls: [{ index, ...fields, function: called }] })
      piece({ id: block.id ?? newToolUseId(), type: 'function' }, { name: block.name, arguments: '' })
      for (let at = 0; at < text.length; at += 12) piece({}, { arguments: text.slice(at, at + 12) })
    }
  }
}
