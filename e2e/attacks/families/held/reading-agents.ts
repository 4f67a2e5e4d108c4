// What agents behind `assent mcp` have read counts for their entry: whatever they are allowed for good, connection, session and token
// they use, and however long ago within a day.
import { type GateStage, onGate } from '../../agent.ts'
import { type Attack, no, once, same, unless } from '../../attack.ts'
import { tool } from '../../puppet.ts'
import { trust } from '../../stage.ts'
import { closed, orders, secret } from '../tainted-chats.ts'

const cast = () => ({
  vault: { tools: () => [tool('read', { annotations: closed })], call: () => secret },
  web: { tools: () => [tool('fetch', { annotations: { readOnlyHint: true, openWorldHint: true } })], call: () => orders },
  mail: { tools: () => [tool('send')] },
})
const servers = ['vault', 'web', 'mail']
const letter = { text: 'x' }
const sent = 'ran mail send {"text":"x"}'

interface Reading {
  readonly name: string
  /** What reads; returns who sends. */
  read(stage: GateStage, given: { readonly id: string; readonly token: string }): Promise<{ readonly token: string }>
}
const toolNamed = async (agent: Awaited<ReturnType<GateStage['agent']>>, server: string, name: string): Promise<string> =>
  (await agent.toolNames()).find((one) => one.includes(server) && one.endsWith(name)) ?? name
const call = async (agent: Awaited<ReturnType<GateStage['agent']>>, server: string, name: string, args = {}): Promise<unknown> =>
  agent.call(await toolNamed(agent, server, name), args)
async function readAll(stage: GateStage, token: string, ...which: readonly ('vault' | 'web')[]): Promise<void> {
  const agent = await stage.agent({ token })
  if (which.includes('vault')) await call(agent, 'vault', 'read')
  if (which.includes('web')) await call(agent, 'web', 'fetch')
  await agent.end()
}
const row = ({ name, read }: Reading): Attack => ({
  family: 'agents',
  name: `what was always allowed sends nothing after ${name}`,
  run: () =>
    onGate(cast, async (stage) => {
      for (const server of servers) {
        await trust(stage, server)
        await stage.host.request('server.start', { name: server })
      }
      const allowing = async (name: string) => {
        const added = await stage.add({ name, servers })
        for (const server of servers)
          await stage.host.request('rule.save', {
            rule: { effect: 'allow', server, agent: { client: added.id }, scope: { kind: 'always' } },
          })
        return added
      }
      stage.setPerson(no)
      // An entry with the same rules that read the file alone.
      const other = await allowing('Other')
      await readAll(stage, other.token, 'vault')
      const clean = await stage.agent(other)
      await call(clean, 'mail', 'send', letter)
      await clean.end()
      const control = unless(stage.effects.includes(sent), 'control: before it, the rule does not let it go')
      const given = await allowing('Code')
      await readAll(stage, given.token, 'vault')
      const sender = await read(stage, given)
      stage.effects.length = 0
      const from = stage.asked.filter(({ kind }) => kind === 'tool-call').length
      const agent = await stage.agent(sender)
      await call(agent, 'mail', 'send', letter)
      const held = [
        ...same('happened', stage.effects, []),
        ...same('asked', stage.asked.filter(({ kind }) => kind === 'tool-call').length - from, 1),
      ]
      stage.setPerson(once)
      await call(agent, 'mail', 'send', letter)
      return [...control, ...held, ...same('control: with a yes', stage.effects, [sent])]
    }),
})

export const readingAgents: readonly Attack[] = [
  row({
    name: 'another connection of the entry had read a page',
    async read(stage, given) {
      await readAll(stage, given.token, 'web')
      return given
    },
  }),
  row({
    name: 'a page was read before the token was renewed',
    async read(stage, given) {
      await readAll(stage, given.token, 'web')
      const { token } = await stage.host.request('gate.renewToken', { id: given.id })
      return { token }
    },
  }),
  row({
    name: 'a page was read and its server removed',
    async read(stage, given) {
      await readAll(stage, given.token, 'web')
      await stage.host.request('server.remove', { name: 'web' })
      return given
    },
  }),
  row({
    name: 'one connection read the file and another the page',
    async read(stage, given) {
      await readAll(stage, given.token, 'vault')
      await readAll(stage, given.token, 'web')
      return given
    },
  }),
]
