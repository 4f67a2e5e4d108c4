import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Attachment } from '#app/chat/attachments/attachment.ts'
import type { Message, ToolCallState } from '#app/chat/message.ts'
import { type ContentRead, resultMarks, serverSource } from '#app/consent/taint/private-flow.ts'
import type { JsonObject } from '#app/json.ts'
import { createBranches } from '#main/chat/branches.ts'
import type { ChatContext } from '#main/chat/chat-context.ts'
import { type AttackFlow, attackFlows, type Entry } from './attack-flows.ts'
import { createPlayer, doneWith, endedCall, textResult } from './play-conversation.ts'
import { playedServers } from './servers.ts'

let player: ReturnType<typeof createPlayer>
// A profile for each: a rule that is written signs all of them.
beforeEach(() => {
  player = createPlayer()
})
afterEach(() => player.dispose())

/** Everything is allowed: each tool by a rule for always and by one for the conversation; the web is public. */
function allowAll(conversationId: string): void {
  player.store().transaction(() => {
    player.rule({ server: 'web', public: true })
    for (const [server, { tools }] of Object.entries(playedServers))
      for (const tool of Object.keys(tools)) {
        player.rule({ server, tool })
        player.rule({ server, tool, scope: { kind: 'conversation', conversationId } })
      }
  })
}

/** Marks as the chat stores them: with each call, and with what the person attached. */
function enter(conversationId: string, servers: readonly string[], entry: Entry): string {
  if (entry === 'imported') return player.begin({ importedFrom: { source: 'chatgpt', id: 'x', at: 1 } })
  if (typeof entry === 'string') return change(conversationId, entry)
  if ('attached' in entry || 'resource' in entry) {
    const server = 'resource' in entry ? entry.resource : undefined
    const text = 'attached' in entry ? entry.attached : (entry.says ?? '')
    const blob = player.store().blobs.put(Buffer.from(text), 'text/plain')
    const from = server === undefined ? {} : { from: { server, uri: 'x:y' } }
    const attachments: Attachment[] = [{ id: player.nextId(), name: 'x', kind: 'text', blob, ...from }]
    player.say(conversationId, { role: 'user', text: 'Look', attachments, ...(server === undefined ? {} : { sources: [quoted(server)] }) })
  } else if ('prompt' in entry)
    player.say(conversationId, {
      role: 'user',
      text: entry.says ?? '',
      prompt: { server: entry.prompt, name: 'p', arguments: {} },
      sources: [quoted(entry.prompt)],
    })
  else if ('citedFromWeb' in entry)
    player.answer(conversationId, servers, [
      { kind: 'text', text: 'As found.', citations: [{ start: 0, end: 0, url: entry.citedFromWeb, quote: '', source: {} }] },
    ])
  else {
    const name = 'failed' in entry ? entry.failed : entry.result
    const [server = '', tool = ''] = name.split('.')
    const played = playedServers[server]
    const marks = resultMarks({ trusted: played?.trusted === true, annotations: played?.tools[tool] }, false)
    player.answer(conversationId, servers, [{ kind: 'tool-call', call: endedCall(player.nextId(), [name, {}], stateOf(entry), marks) }])
  }
  return conversationId
}

const quoted = (server: string): ContentRead => ({ from: serverSource(server), private: true, untrusted: true })

function stateOf(entry: Extract<Entry, { readonly result: string } | { readonly failed: string }>): ToolCallState {
  if ('failed' in entry) return { kind: 'failed', error: { code: 'server.protocol', message: entry.says } }
  const { says = 'x' } = entry
  if (!entry.late) return doneWith(says)
  return { kind: 'failed', error: { code: 'tool.timeout', message: 'Too slow.' }, late: { at: 2, result: textResult(says) } }
}

function change(conversationId: string, what: Extract<Entry, string>): string {
  const { conversations } = player.store()
  const path = conversations.messages(conversationId)
  const last = path.at(-1) as Message
  if (what === 'restarted') player.restart()
  if (what === 'compacted')
    player.say(conversationId, {
      role: 'summary',
      model: 'practice/practice',
      by: 'length',
      covers: { until: last.id, messages: path.length },
      text: 'The account and where it goes.',
      state: 'done',
    })
  if (what === 'edited' || what === 'answered anew') {
    // A question after all of it, put anew beside itself: the branch keeps what stands above.
    player.say(conversationId, { role: 'user', text: 'Go on' })
    const asked = conversations.messages(conversationId).at(-1) as Message
    if (what === 'answered anew') player.answer(conversationId, [], [{ kind: 'text', text: 'No.' }])
    const chat = { store: player.store(), emit: () => undefined, clock: { now: () => 9 } } as unknown as ChatContext
    const known = (id: string) => conversations.get(id) ?? expect.fail()
    const branches = createBranches({ chat, refuseBusy: () => undefined, known, start: () => undefined, startBeside: () => undefined })
    if (what === 'edited') branches.edit({ conversationId, messageId: asked.id, text: 'Go on, please' })
    else branches.regenerate({ conversationId, messageId: conversations.messages(conversationId).at(-1)?.id ?? '' })
  }
  return conversationId
}

async function fork(conversationId: string): Promise<string> {
  const { conversations } = player.store()
  const chat = {
    store: player.store(),
    emit: () => undefined,
    clock: { now: () => 9 },
    settings: () => ({ consentMode: 'rules' }),
  } as unknown as ChatContext
  const branches = createBranches({
    chat,
    refuseBusy: () => undefined,
    known: (id) => conversations.get(id) ?? expect.fail(),
    start: () => undefined,
    startBeside: () => undefined,
  })
  return (await branches.fork({ conversationId, messageId: conversations.messages(conversationId).at(-1)?.id ?? '' })).conversationId
}

async function play({ entries, offered = [], out, mode, byApp }: AttackFlow) {
  let conversationId = player.begin()
  for (const entry of entries) conversationId = entry === 'forked' ? await fork(conversationId) : enter(conversationId, offered, entry)
  allowAll(conversationId)
  if (mode) player.mode(conversationId, mode)
  const seen: unknown[] = []
  for (const [name, args] of out) {
    const deny = () => ({ kind: 'deny' }) as const
    const { asked, verdict } = await player.call(conversationId, offered, [name, args as JsonObject], deny, byApp)
    seen.push([name, asked?.why.kind ?? 'not asked', verdict.kind, (asked?.privateFlow?.from.length ?? 0) > 0])
  }
  return { seen, expected: out.map(([name]) => [name, 'flow', 'denied', true]) }
}

describe('is asked, whatever is allowed', () => {
  test.each(attackFlows.map((flow) => [flow.title, flow] as const))('%s', async (_title, flow) => {
    const { seen, expected } = await play(flow)
    expect(seen).toEqual(expected)
  })
})

test('there are at least thirty flows', () => {
  expect(attackFlows.length).toBeGreaterThanOrEqual(30)
})

// Without one of the three nothing is asked: the table above does not pass because everything is.
const page: Entry = { result: 'web.fetch', says: 'orders' }
const file: Entry = { result: 'files.read_text_file', says: 'secret' }
test.each<[string, AttackFlow['entries'], string]>([
  ['no private data', [page], 'web.fetch'],
  ['no text of others', [file], 'web.fetch'],
  ['nothing that can send', [file, page], 'files.write_file'],
  ['its own data by what only reads', [{ result: 'mail.get_message' }], 'mail.search_messages'],
])('is not asked: %s', async (title, entries, out) => {
  const { seen } = await play({ title, entries, out: [[out, {}]] })
  expect(seen).toEqual([[out, 'not asked', 'allowed', false]])
})
