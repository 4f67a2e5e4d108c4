// For tests: a chat of several turns with one provider. Each turn is asked until no call is left; every call gets the same result.
import type { JsonObject } from '#app/json.ts'
import type { ModelAssistantBlock, ModelContent, ModelEvent, ModelMessage, ModelProvider, ModelRequest } from '../provider.ts'

export const words = (text: string): ModelContent => ({ type: 'text', text })
export const user = (...content: readonly ModelContent[]): ModelMessage => ({ role: 'user', content })

const tools: ModelRequest['tools'] = [{ name: 'read', description: 'Reads', inputSchema: { type: 'object' } }]

export function chatWith(
  provider: ModelProvider,
  model: string,
  change: Partial<ModelRequest> = {},
  result: readonly ModelContent[] = [words('42')],
) {
  const messages: ModelMessage[] = []
  const events: ModelEvent[] = []
  const ask = async (): Promise<readonly ModelAssistantBlock[]> => {
    const request = { model, system: '', messages: [...messages], tools, ...change }
    const blocks = new Map<number, ModelAssistantBlock>()
    for await (const event of provider.stream(request, new AbortController().signal)) {
      events.push(event)
      take(blocks, event)
    }
    const content = [...blocks.values()]
    messages.push({ role: 'assistant', model: `${provider.id}/${model}`, content })
    return content
  }
  return {
    messages,
    /** Events of all answers. */
    events,
    /** The words of the answer. */
    async turn(text: string): Promise<string> {
      messages.push(user(words(text)))
      for (;;) {
        const content = await ask()
        const calls = content.filter((block) => block.type === 'tool-call')
        if (calls.length === 0) return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
        const answered = calls.map(({ providerId }) => ({ type: 'tool-result', providerId, content: result, isError: false }) as const)
        messages.push({ role: 'user', content: answered })
      }
    },
  }
}

function take(blocks: Map<number, ModelAssistantBlock>, event: ModelEvent): void {
  if (event.type === 'text' || event.type === 'thinking') {
    const before = blocks.get(event.index)
    const text = before?.type === event.type ? before.text : ''
    blocks.set(event.index, { type: event.type, text: text + event.text })
  }
  if (event.type === 'recast') blocks.set(event.index, { type: event.as, text: event.text })
  if (event.type === 'thinking-end') {
    const { type: _, index, ...proof } = event
    const before = blocks.get(index)
    const text = before?.type === 'thinking' ? before.text : ''
    blocks.set(index, { type: 'thinking', text, ...proof })
  }
  if (event.type === 'tool-call') {
    const { type, providerId, name, inputText, providerData } = event
    const input = inputText === '' ? {} : (JSON.parse(inputText) as JsonObject)
    blocks.set(event.index, { type, providerId, name, input, ...(providerData ? { providerData } : {}) })
  }
}
