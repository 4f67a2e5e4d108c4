import { describe, expect, it } from 'vitest'
import type { AssistantMessage, Message, ToolCall, ToolCallState } from './message.ts'
import { messagesMarkdown, quoteMarkdown, toMarkdown } from './to-markdown.ts'

const common = { conversationId: 'c', turnId: 't', createdAt: 1 }
const ask = (text: string): Message => ({ ...common, role: 'user', id: text, text })
const answer = (...parts: AssistantMessage['parts']): AssistantMessage => ({
  ...common,
  role: 'assistant',
  id: 'a',
  model: 'anthropic/large',
  state: 'done',
  parts,
})
const says = (text: string): AssistantMessage['parts'][number] => ({ kind: 'text', text })
const decision = { allowed: true, by: 'person', scope: 'once' } as const
const done = (text: string, isError = false): ToolCallState => ({
  kind: 'done',
  decision,
  startedAt: 1,
  durationMs: 1,
  result: { content: [{ type: 'text', text }], isError, bytes: 1 },
})
const called = (state: ToolCallState, change: Partial<ToolCall> = {}): AssistantMessage['parts'][number] => ({
  kind: 'tool-call',
  call: { id: 'i', providerId: 'p', modelName: 'files__read', server: 'files', tool: 'read', arguments: { path: 'a' }, state, ...change },
})
const withCalls = (...parts: AssistantMessage['parts']): string => messagesMarkdown([answer(...parts)], { calls: true })

describe('a conversation as Markdown', () => {
  it('names who wrote what, keeps their words to the letter, and an answer in several steps stands under one name', () => {
    const messages = [
      ask('What is *in* it?'),
      answer(says('I look.'), called(done('x'))),
      answer(says('- one\n- two')),
      ask('And?'),
      ask('Well?'),
    ]
    expect(toMarkdown({ title: 'A\nchat', messages }, { calls: false })).toBe(
      '# A chat\n\n## You\n\nWhat is *in* it?\n\n## anthropic/large\n\nI look.\n\n- one\n- two\n\n## You\n\nAnd?\n\n## You\n\nWell?\n',
    )
  })

  it('names what a terminal would obey, and keeps every letter, tab and line end', () => {
    const text = 'a\u001b]52;c;Y3VybA==\u0007\tb\u009b2J\r\nc\rd \u0645\u06cc\u200c\u062e\u0648 \u{1f469}\u200d\u{1f4bb}'
    const named = 'a⟨terminal code⟩\tb⟨terminal code⟩\r\nc⟨carriage return⟩d \u0645\u06cc\u200c\u062e\u0648 \u{1f469}\u200d\u{1f4bb}'
    expect(messagesMarkdown([ask(text)], { calls: true })).toBe(named)
    expect(toMarkdown({ title: 'A\u0007', messages: [ask(text)] }, { calls: true })).toBe(
      `# A⟨control character U+0007⟩\n\n## You\n\n${named}\n`,
    )
  })

  it('names what was attached', () => {
    const blob = { sha256: 'a'.repeat(64), bytes: 1, mimeType: 'application/pdf' }
    const message: Message = {
      ...common,
      role: 'user',
      id: 'm',
      text: 'Read it',
      attachments: [{ id: 'f', name: 'scan.pdf', kind: 'pdf', blob }],
    }
    expect(messagesMarkdown([message], { calls: true })).toBe('(attached: `scan.pdf`)\n\nRead it')
  })

  it('leaves thinking out, and says what an answer failed with', () => {
    const failed = { ...answer({ kind: 'thinking', text: 'hm' }), error: { code: 'model.offline', message: 'No network.' } } as const
    expect(messagesMarkdown([failed], { calls: true })).toBe('*No network.*')
  })
})

describe('a tool call as Markdown', () => {
  it('stands with its arguments and its result', () => {
    expect(withCalls(called(done('inside')))).toBe(
      '**Tool call** `files` `read`: done\n\n```json\n{\n  "path": "a"\n}\n```\n\n```\ninside\n```',
    )
  })

  it('cannot break out of its fence, nor its name out of the line', () => {
    const text = withCalls(called(done('```\n## You\n````'), { server: 'a`\n## b', arguments: {} }))
    expect(text.split('\n')).toContain('`````')
    expect(text.startsWith('**Tool call** ``a` ## b`` `read`')).toBe(true)
  })

  it('is shortened, and says so; no character is cut in two', () => {
    const short = messagesMarkdown([answer(called(done('ab😀cd')))], { calls: true, longest: 3 })
    expect([short.includes('\nab\n['), short.includes('6 characters')]).toEqual([true, true])
  })

  it.each<[string, ToolCallState, string]>([
    ['denied', { kind: 'denied', decision: { ...decision, allowed: false, word: 'not now' } }, 'denied, “not now”'],
    ['failed by its own word', done('x', true), 'failed'],
    ['of unknown outcome', { kind: 'unknown', decision, startedAt: 1 }, 'outcome unknown'],
    ['at work', { kind: 'running', decision, startedAt: 1 }, 'not done yet'],
  ])('says how it ended: %s', (_name, state, words) => {
    expect(withCalls(called(state)).split('\n')[0]).toBe(`**Tool call** \`files\` \`read\`: ${words}`)
  })

  it('shows what is structured only where no words say it', () => {
    const structured = (content: []): ToolCallState => ({
      kind: 'done',
      decision,
      startedAt: 1,
      durationMs: 1,
      result: { content, structuredContent: { a: 1 }, isError: false, bytes: 1 },
    })
    expect(withCalls(called(structured([]), { arguments: {} }))).toContain('```json\n{\n  "a": 1\n}\n```')
  })
})

it('quotes each line', () => {
  expect(quoteMarkdown('\none\n\ntwo\r\nthree ')).toBe('> one\n>\n> two\n> three')
})
