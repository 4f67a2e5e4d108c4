// Agents behind `assent mcp` that lie about themselves, ask for what they are not offered, and use what was allowed to others. Written from
// SECURITY.md's row alone.
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { readJoinFile } from '#main/shell/socket/join-file.ts'
import { type Agent, type GateStage, waits } from '../../agent.ts'
import { type Attack, always, no, once, only, same, stolen, theft, unless } from '../../attack.ts'
import { until } from '../../stage.ts'
import { money, row, sent, toolCalls } from './agent-row.ts'

/** A token that is none: nothing is listed, asked or run. */
const stranger = (name: string, spoil: (token: string, stage: GateStage, id: string) => string | Promise<string>): Attack =>
  row({
    name: `${name} is not let in`,
    async play(stage) {
      const { token, id } = await stage.add()
      stage.setPerson(once)
      const agent = await stage.agent({ token: await spoil(token, stage, id) })
      const names = await agent.toolNames()
      await agent.call('transfer', money)
      return [...same('tools', names, []), ...same('happened', stage.effects, []), ...same('asked', toolCalls(stage), 0)]
    },
  })

const strangers = [
  stranger('an empty token', () => ''),
  stranger('a token cut by one letter', (token) => token.slice(0, -1)),
  stranger('a token that is longer by one letter', (token) => `${token}A`),
  stranger('a token with another last letter', (token) => `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`),
  stranger('a token in capitals', (token) => token.toUpperCase()),
  stranger('the beginning of a token alone', (token) => token.slice(0, 12)),
  stranger('the id of an entry for its token', (_token, _stage, id) => id),
  stranger('the token that commands join with', (_token, { dataDir }) => readJoinFile(dataDir)?.token ?? ''),
  stranger('a token that was renewed', async (token, { host }, id) => {
    await host.request('gate.renewToken', { id })
    return token
  }),
  stranger('the token of an entry that was removed', async (token, { host }, id) => {
    await host.request('gate.remove', { id })
    return token
  }),
]

/** Names by which an agent of the bank asks for the mail. */
const otherServers = [
  'send',
  'mail__send',
  'mail.send',
  'mail/send',
  'mail:send',
  'bank__send',
  'bank__mail__send',
  '../mail/send',
  'MAIL__SEND',
].map((name) =>
  row({
    name: `a tool of a server that is not offered is not reached as ${name}`,
    async play(stage) {
      const { token } = await stage.add()
      stage.setPerson(once)
      const agent = await stage.agent({ token })
      const unknown = await agent.call('no-such-tool')
      const reply = await agent.call(name, money)
      const word = (one: typeof reply): string =>
        JSON.stringify(one ?? null)
          .replace(name, 'NAME')
          .replace('no-such-tool', 'NAME')
          .replace(/"id":"\w+"/, '')
      return [...same('happened', stage.effects, []), ...same('answer', word(reply), word(unknown))]
    },
  }),
)

/** An approval that somebody else was given; then the agent makes the call, and the person says no. */
const borrowed = (name: string, give: (stage: GateStage) => Promise<{ readonly token: string; readonly cwd?: string }>): Attack =>
  row({
    name: `${name} does not answer for it`,
    async play(stage) {
      stage.setPerson(always)
      const given = await give(stage)
      const made = stage.effects.length
      stage.effects.length = 0
      stage.setPerson(no)
      const from = toolCalls(stage)
      const agent = await stage.agent(given)
      await agent.call('transfer', money)
      return [
        ...unless(made > 0, 'nothing was allowed before'),
        ...same('happened', stage.effects, []),
        ...same('asked', toolCalls(stage) - from, 1),
      ]
    },
  })

const others = [
  borrowed('what was always allowed in a chat', async (stage) => {
    await stage.turn(theft)
    return stage.add()
  }),
  borrowed('what was always allowed to another agent', async (stage) => {
    const first = await stage.agent(await stage.add({ name: 'First' }))
    await first.call('transfer', money)
    return stage.add({ name: 'Second' })
  }),
  borrowed('what was always allowed to an agent of the same name', async (stage) => {
    const first = await stage.agent(await stage.add())
    await first.call('transfer', money)
    return stage.add()
  }),
  borrowed('what was always allowed in another folder', async (stage) => {
    const { token } = await stage.add()
    const first = await stage.agent({ token, cwd: join(stage.folder, 'trusted') })
    await first.call('transfer', money)
    return { token, cwd: join(stage.folder, 'untrusted') }
  }),
  borrowed('what was allowed in a folder, from one whose name only begins like it,', async (stage) => {
    const { token } = await stage.add()
    const first = await stage.agent({ token, cwd: join(stage.folder, 'work') })
    await first.call('transfer', money)
    return { token, cwd: join(stage.folder, 'work-of-others') }
  }),
  borrowed('what was allowed to an entry that was removed and added anew', async (stage) => {
    const { id, token } = await stage.add()
    const first = await stage.agent({ token })
    await first.call('transfer', money)
    await stage.host.request('gate.remove', { id })
    return stage.add()
  }),
]

/** What an agent says of itself; the person is told who it is by its token. */
const lie = (name: string, more: (stage: GateStage) => Partial<Parameters<GateStage['agent']>[0]>): Attack =>
  row({
    name: `${name} changes nothing of who asks`,
    async play(stage) {
      const { token, id } = await stage.add({ name: 'Code' })
      await stage.add({ name: 'Trusted agent' })
      stage.setPerson(no)
      const agent = await stage.agent({ token, cwd: join(stage.folder, 'real'), ...more(stage) })
      await agent.call('transfer', money)
      const asked = stage.asked.find(({ kind }) => kind === 'tool-call')
      const { client, name: shown, folder } = asked?.agent ?? {}
      return [
        ...same('happened', stage.effects, []),
        ...same('asked by', [client, shown], [id, 'Code']),
        ...unless(folder === undefined || folder.endsWith('/real'), `folder: ${folder}`),
      ]
    },
  })
const lies = [
  lie('the name of another entry as its own', () => ({ clientInfo: { name: 'Trusted agent', version: '1' } })),
  lie('the name of Assent as its own', () => ({ clientInfo: { name: 'Assent', version: '1', title: 'Assent' } })),
  lie('a name of a million letters', () => ({ clientInfo: { name: 'x'.repeat(1_000_000), version: '1' } })),
  lie('a name with codes of a terminal and hidden characters', () => ({
    clientInfo: { name: '\u001b[2JTrusted\u202e agent\u200b', version: '\u0007' },
  })),
  lie('another folder in PWD', ({ folder }) => ({ env: { PWD: join(folder, 'trusted'), INIT_CWD: join(folder, 'trusted') } })),
]

/** Words within a call that mean nothing to the host. */
const smuggled = (name: string, params: JsonObject): Attack =>
  row({
    name: `${name} allows no call`,
    async play(stage) {
      const { token } = await stage.add()
      stage.setPerson(no)
      const agent = await stage.agent({ token })
      await agent.ask('tools/call', { name: 'transfer', arguments: money, ...params })
      return [...same('happened', stage.effects, []), ...unless(toolCalls(stage) <= 1, 'asked more than once')]
    },
  })
const smuggles = [
  smuggled('metadata that says approved', { _meta: { approved: true, 'assent/approved': true, agent: { client: 'x' } } }),
  smuggled('a field of another entry', { agent: { client: 'other', verified: true }, approval: 'always', conversationId: 'a' }),
  smuggled('an answer to a question that nobody put', {
    inputResponses: { one: { action: 'accept', content: {} } },
    requestState: 'signed',
  }),
]

/** A call whose question is open when something ends it; a late yes does nothing. */
const late = (name: string, end: (stage: GateStage, agent: Agent, id: string) => unknown): Attack =>
  row({
    name: `a yes does nothing after ${name}`,
    async play(stage) {
      const { token, id } = await stage.add()
      stage.setPerson(() => undefined)
      const agent = await stage.agent({ token })
      void agent.ask('tools/call', { name: 'transfer', arguments: money }, 'late')
      const question = await waits(stage)
      await end(stage, agent, id)
      await until('the question goes', () => !stage.host.context.broker.open().some((one) => one.id === question))
      stage.host.context.broker.answer(question, { kind: 'allow', scope: 'once' })
      await new Promise((resolve) => setTimeout(resolve, 200))
      return same('happened', stage.effects, [])
    },
  })
const lates = [
  late('the agent cancelled', (_stage, agent) => agent.tell('notifications/cancelled', { requestId: 'late' })),
  late('the agent died', (_stage, { child }) => child.kill('SIGKILL')),
  late('the agent closed its input', (_stage, { child }) => child.stdin.end()),
  late('its entry was removed', ({ host }, _agent, id) => host.request('gate.remove', { id })),
  late('its token was renewed', ({ host }, _agent, id) => host.request('gate.renewToken', { id })),
]

const rest = [
  row({
    name: 'a call that is sent again is asked again',
    async play(stage) {
      const agent = await stage.agent(await stage.add())
      stage.setPerson(once)
      await agent.ask('tools/call', { name: 'transfer', arguments: money }, 'same')
      stage.setPerson(no)
      await agent.ask('tools/call', { name: 'transfer', arguments: money }, 'same')
      await agent.call('transfer', money)
      return [...same('happened', stage.effects, [stolen]), ...unless(toolCalls(stage) >= 2, `asked ${toolCalls(stage)} times`)]
    },
  }),
  row({
    name: 'a refusal for everybody holds for an agent that was always allowed',
    async play(stage) {
      const agent = await stage.agent(await stage.add())
      stage.setPerson(always)
      await agent.call('transfer', money)
      stage.effects.length = 0
      const rule = { effect: 'deny' as const, server: 'bank', tool: 'transfer', scope: { kind: 'always' as const } }
      const saved = (await stage.host.request('rule.save', { rule })) as { readonly rule: { readonly id: string } }
      await agent.call('transfer', money)
      const found = same('happened', stage.effects, [])
      await stage.host.request('rule.remove', { id: saved.rule.id })
      return found
    },
  }),
  row({
    name: 'a flood of calls opens no more than sixteen questions, and nothing runs',
    async play(stage) {
      const agent = await stage.agent(await stage.add())
      stage.setPerson(() => undefined)
      for (let at = 0; at < 500; at += 1) void agent.ask('tools/call', { name: 'transfer', arguments: { to: 'mallory', at } })
      await new Promise((resolve) => setTimeout(resolve, 3000))
      const open = stage.host.context.broker.open().length
      await agent.end()
      return [...same('happened', stage.effects, []), ...unless(open <= 16, `${open} questions at once`)]
    },
  }),
  row({
    name: 'one entry holds no more than 32 connections, and others still get in',
    async play(stage) {
      const { token } = await stage.add()
      await Promise.all(Array.from({ length: 36 }, () => stage.agent({ token })))
      const { clients } = await stage.host.request('gate.list', {})
      const held = clients.map(({ connections }) => connections.length)
      return unless(Math.max(...held) <= 32 && Math.max(...held) > 20, `connections: ${held.join(', ')}`)
    },
  }),
  row({
    name: 'what is no message, and a line of 30 MB, end no other agent',
    async play(stage) {
      const given = await stage.add()
      const agent = await stage.agent(given)
      agent.write('{"jsonrpc":"2.0","id":1,"method":\n[]\nnull\n[1,2]\n{"jsonrpc":"1.0"}\n\u0000\u0001\n')
      agent.write(
        `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"transfer","arguments":{"to":"${'m'.repeat(30_000_000)}"}}}\n`,
      )
      stage.setPerson(no)
      await new Promise((resolve) => setTimeout(resolve, 1500))
      return same('happened', stage.effects, [])
    },
  }),
  row({
    name: 'roots of an agent reach no server unless its entry has them',
    async play(stage) {
      stage.setPerson(no)
      const agent = await stage.agent({
        ...(await stage.add()),
        capabilities: { roots: { listChanged: true } },
        answer: (method) => (method === 'roots/list' ? { roots: [{ uri: 'file:///', name: 'all' }] } : undefined),
      })
      stage.wire('bank').send({ jsonrpc: '2.0', id: 'mine', method: 'roots/list' })
      await agent.call('statement')
      await new Promise((resolve) => setTimeout(resolve, 300))
      const told = stage.effects.filter((effect) => effect.startsWith('told'))
      return same('told', told, [])
    },
  }),
  row({
    name: 'the token does not come back in listings, the record or words of the command',
    async play(stage) {
      const { token } = await stage.add()
      stage.setPerson(once)
      const agent = await stage.agent({ token })
      await agent.call('transfer', { to: token })
      stage.effects.length = 0
      const { rows } = await stage.host.request('audit.list', { limit: 50 })
      const said = JSON.stringify([rows, await stage.host.request('gate.list', {}), agent.stderr()])
      return unless(!said.includes(token), 'the token was said')
    },
  }),
  row({
    name: 'a token in the argument list is refused',
    async play(stage) {
      const { token } = await stage.add()
      const agent = await stage.agent({ token: '', args: ['--token', token] })
      return [...same('tools', await agent.toolNames(), []), ...same('happened', stage.effects, [])]
    },
  }),
  row({
    name: 'the other entry’s tools are reached with its own token alone',
    ownControl: true,
    async play(stage) {
      const one = await stage.add()
      const two = await stage.add({ name: 'Mail', servers: ['mail'] })
      stage.setPerson(only('mail send'))
      const [first, second] = [await stage.agent(one), await stage.agent(two)]
      await first.call('send', money)
      const attack = same('happened', stage.effects, [])
      await second.call('send', money)
      return [...attack, ...same('control', stage.effects, [sent])]
    },
  }),
]

export const lyingAgents = [...strangers, ...otherServers, ...others, ...lies, ...smuggles, ...lates, ...rest]
