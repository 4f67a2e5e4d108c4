// For looking at the quick entry and the settings of the desktop app.
import type { Snapshot } from '#app/contract/snapshot.ts'
import { makeAnswer, makeConversation, makeSnapshot, makeToolRequest, makeUserMessage } from '../builders.ts'
import { createFakeConnection, type FakeAnswers, type FakeConnection } from '../fake-link.ts'

const claude = { id: 'anthropic/claude', provider: 'anthropic' as const, name: 'Claude Sonnet 4.5', ai: true, contextTokens: 200_000 }
const practice = { id: 'practice/practice', provider: 'practice' as const, name: 'Practice model', ai: false }
const tidy = makeConversation({ id: 'c1', title: 'Tidy September invoices', model: claude.id, updatedAt: Date.now() })
const room = makeConversation({ id: 'c2', title: 'Room for Thursday', model: claude.id, updatedAt: Date.now() - 60_000 })

const scene =
  (part: Partial<Snapshot> = {}, answers: FakeAnswers = {}) =>
  (theme: 'light' | 'dark'): FakeConnection =>
    createFakeConnection({
      snapshot: {
        models: [claude, practice],
        conversations: [tidy, room],
        ...part,
        settings: { ...makeSnapshot().settings, defaultModel: claude.id, welcomed: true, ...part.settings, theme },
      },
      answers: { 'conversation.seen': () => ({}), 'models.look': () => ({}), ...answers },
    })

const question = makeUserMessage({ id: 'm1', conversationId: 'c1', text: 'What is still open in this invoice?' })
const answer = makeAnswer({
  id: 'm2',
  conversationId: 'c1',
  model: claude.id,
  parts: [
    {
      kind: 'text',
      text: 'Two positions are open:\n\n- **12 hours of advice**, 1,440.00 €, due on 30 September\n- **Court fees**, 212.50 €, which the office paid in advance\n\nThe first instalment of 600 € was paid on 2 September.',
    },
  ],
})
const pdf = {
  id: 'a1',
  kind: 'pdf' as const,
  name: 'ibsen-legal-9.pdf',
  blob: { sha256: 'a'.repeat(64), bytes: 184_220, mimeType: 'application/pdf' },
}
const waiting = [
  makeToolRequest({ id: 'r1', conversationId: 'c1' }),
  makeToolRequest({ id: 'r2', conversationId: 'c1' }),
  makeToolRequest({ id: 'r3', conversationId: 'c2' }),
]

export const desktopScenes = {
  'quick-empty': scene(),
  'quick-file': scene({
    drafts: { '': 'What is still open in this invoice?' },
    draftExtras: { '': { attachments: [pdf] } },
    consentRequests: waiting,
  }),
  'quick-answer': scene(
    { conversations: [{ ...tidy, activity: { kind: 'working', turnId: 't1', since: Date.now() } }, room] },
    {
      'conversation.get': () => ({ revision: 10, conversation: tidy, messages: [question, answer] }),
      'chat.send': () => ({ conversationId: 'c1' }),
    },
  ),
  'quick-none': scene({
    models: [practice],
    conversations: [],
    settings: { ...makeSnapshot().settings, defaultModel: practice.id, welcomed: false },
  }),
  'quick-waits': scene({ consentRequests: waiting }),
  desktop: scene(
    {},
    {
      'app.desktop': () => ({
        tray: true,
        keys: 'taken',
        folder: '/Users/maya/Library/Application Support/assent/crashes',
        failures: [
          { kind: 'hang', detail: '', version: '0.1.0', at: Date.now() - 86_400_000 },
          { kind: 'page', detail: 'page: oom (9)', version: '0.1.0', at: Date.now() - 3_600_000 },
          {
            kind: 'host',
            detail: 'TypeError: Cannot read properties of undefined\n    at writeRow (electron.js:1:2)',
            version: '0.1.0',
            at: Date.now() - 60_000,
          },
        ],
      }),
    },
  ),
  'desktop-wayland': scene(
    { shell: { ...makeSnapshot().shell, os: 'linux' }, notices: [{ kind: 'safe-start' }] },
    { 'app.desktop': () => ({ tray: false, keys: 'asked', folder: '/home/maya/.config/assent/crashes', failures: [] }) },
  ),
}
