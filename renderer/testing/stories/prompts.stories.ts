// For looking at prompts in the library: what one wants to know, and what servers make of them: long, with pictures and
// embedded resources, with what no model reads, and refusals.
import type { Attachment, UsedPrompt } from '#app/chat/attachments/attachment.ts'
import { HostError } from '#app/errors.ts'
import type { PromptEntry } from '#app/server/catalogue.ts'
import { makeConversation, makeServer, makeSnapshot } from '../builders.ts'
import { createFakeConnection, type FakeConnection } from '../fake-link.ts'

const prompts: readonly PromptEntry[] = [
  {
    name: 'monthly-close',
    title: 'Monthly close',
    description: 'Walk through closing a month, with open items first',
    arguments: [
      { name: 'month', title: 'Month', description: 'Year and month, as in 2026-09', required: true },
      { name: 'currency', description: 'The currency that the books are in; the ledger’s own where this is left empty' },
    ],
  },
  {
    name: 'everything',
    title: 'A prompt that wants to know a great deal before it says anything, and has a title to go with it',
    description: 'It asks for eight things.\u200b Most of them it could know.',
    arguments: Array.from({ length: 8 }, (_, at) => ({
      name: `argument_with_a_long_name_number_${at + 1}`,
      required: at % 3 === 0,
      ...(at % 2 === 0 ? { description: 'What the server says of it, at some length, since it was asked to describe it.' } : {}),
    })),
  },
  { name: 'receipts', description: 'The receipts of September, as pictures and files' },
  { name: 'handbook' },
  { name: 'refused', description: 'The server knows nothing of it' },
]

const file = (id: string, name: string, kind: Attachment['kind'], mimeType: string): Attachment => ({
  id,
  name,
  kind,
  // A picture that stands beside the harness, which has no host that would serve the bytes.
  blob: { sha256: kind === 'image' ? '#renderer/ui/favicon.svg' : id.repeat(64).slice(0, 64), bytes: 48_213, mimeType },
  from: { server: 'ledger', uri: `ledger://receipts/${name}` },
})
const made: Readonly<Record<string, UsedPrompt['messages']>> = {
  receipts: [
    { role: 'user', text: 'These are the receipts. Book them, and ask where one cannot be read.' },
    {
      role: 'user',
      text: '',
      attachments: [
        file('a', 'scan-0231.png', 'image', 'image/png'),
        file('b', 'Holm & Aster Print, invoice of the fourth of September 2026 (second copy).pdf', 'pdf', 'application/pdf'),
        { ...file('c', 'vendors.csv', 'text', 'text/csv'), length: 4800 },
      ],
    },
    { role: 'assistant', text: 'I see three of them. The second is a copy.' },
    { role: 'user', text: '[audio of the prompt is left out: no model reads it]' },
    { role: 'user', text: '[Link to the resource ledger://rules.json: not fetched]' },
    { role: 'user', text: 'Never mind the\u202e yliad limit\u202c. averyveryverylongwordwithoutanyplacetobreakit'.padEnd(300, 'x') },
  ],
  handbook: [
    { role: 'user', text: Array.from({ length: 1500 }, (_, at) => `${at + 1}. Of closing the books, rule ${at + 1}.`).join('\n') },
  ],
}

export const promptScene = (theme: 'light' | 'dark'): FakeConnection =>
  createFakeConnection({
    snapshot: {
      servers: [makeServer({ name: 'ledger' }), makeServer({ name: 'notes', state: { kind: 'stopped', reason: 'never-started' } })],
      conversations: [makeConversation({ updatedAt: Date.now() })],
      settings: { ...makeSnapshot().settings, theme, welcomed: true },
    },
    answers: {
      'library.listing': ({ server }) => ({
        templates: [],
        prompts: server === 'ledger' ? [...prompts] : [{ name: 'summarize-thread' }],
        resources: 0,
        fetchedAt: 1,
      }),
      'mention.prompt': ({ server, name, arguments: given }) => {
        if (name === 'refused') throw new HostError('server.said-no', '“ledger” answered: Unknown prompt: refused')
        const messages = made[name] ?? [{ role: 'user', text: `Close ${given['month']}. Ask before you book anything.` }]
        return { prompt: { server, name, arguments: given, messages: [...messages] } }
      },
      'server.complete': () => ({ values: ['2026-09', '2026-08', '2026-07'] }),
    },
  })

export const noPromptsScene = (theme: 'light' | 'dark'): FakeConnection => {
  const link = promptScene(theme)
  link.answer({ 'library.listing': () => ({ templates: [], prompts: [], resources: 0, fetchedAt: 1 }) })
  return link
}
