// The model of the kills in mid-turn, over HTTP in Anthropic's format: it talks, calls a tool once or twice at a time with a
// number that it never uses again, and talks on.
import type { Reply, ScriptBlock } from '../model-server/reply.ts'
import { type ModelServer, type RecordedRequest, startModelServer } from '../model-server/server.ts'

/** Milliseconds between words. */
const wordMs = 3

export function startStoryteller(random: () => number): Promise<ModelServer> {
  let number = 0
  const next = (): number => {
    number += 1
    return number
  }
  const text = (): ScriptBlock => ({ type: 'text', text: `Part ${next()} of a story that is told word by word. `, wordMs })
  const call = (): ScriptBlock => ({ type: 'tool_use', name: 'keeper__append', input: { n: next() } })
  const script = (request: RecordedRequest): Reply => {
    const isAnswered = JSON.stringify((request.body['messages'] as readonly unknown[]).at(-1)).includes('"tool_result"')
    if (isAnswered && random() < 0.7) return { kind: 'message', blocks: [text()] }
    return { kind: 'message', blocks: [text(), call(), ...(random() < 0.3 ? [call()] : [])] }
  }
  return startModelServer({ script })
}
