// A server asks the model: what it asks, and what came of it.
import type { ConsentRequestOf, SamplingResultRequest } from '#app/consent/request.ts'

type SamplingRequest = ConsentRequestOf<'sampling'>
type Base = Pick<SamplingRequest, 'createdAt' | 'server' | 'conversationId' | 'callId' | 'why'>

export const makeSamplingRequest = (base: Base): SamplingRequest => ({
  ...base,
  id: 'r1',
  kind: 'sampling',
  systemPrompt: 'You summarise meeting notes for an accountant. Answer in five bullet points or fewer.',
  messages: [
    {
      role: 'user',
      parts: [
        {
          type: 'text',
          text: 'Summarise these notes and list open questions.\n\n## 2 Sept, call with Anna (books)\nLindgren below VAT threshold.',
        },
      ],
    },
  ],
  tools: [
    {
      name: 'read_note',
      description: 'Reads one of the notes by its title.',
      inputSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
    },
  ],
  toolChoice: 'auto',
  maxTokens: 400,
  hints: ['haiku'],
  model: 'anthropic/haiku',
  wishes: { priorities: { speed: 0.8, intelligence: 0.3 }, chosenBy: 'hint', temperature: 0.4, stopSequences: ['END'] },
  day: { used: 3100, budget: { tokensPerDay: 20_000, over: 'ask' } },
  trusted: false,
})

export const makeSamplingResult = (base: Base): SamplingResultRequest => ({
  ...base,
  id: 'r1',
  kind: 'sampling-result',
  model: 'anthropic/haiku',
  text: '- Lindgren stays below the VAT threshold.\n- Open: who books the Lisbon expenses?',
  calls: [{ id: 'c1', name: 'read_note', input: { title: 'Lisbon' } }],
  sent: ['You summarise meeting notes.', 'Summarise these notes.'],
  took: { tokens: 212, durationMs: 2100 },
  day: { used: 3300, budget: { tokensPerDay: 20_000, over: 'ask' } },
  trusted: false,
})
