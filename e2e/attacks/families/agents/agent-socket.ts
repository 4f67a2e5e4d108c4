// An agent that speaks to the socket of the host by itself, with its own token, past `assent mcp`. Written from SECURITY.md's row alone.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { readJoinFile } from '#main/shell/socket/join-file.ts'
import { joinHost } from '#main/shell/socket/join-host.ts'
import { type GateStage, version, waits } from '../../agent.ts'
import { same, theft, unless } from '../../attack.ts'
import { money, row } from './agent-row.ts'

/** What an agent asks the host for over the socket, with its own token, past `assent mcp`. */
const requests: Readonly<Record<string, (stage: GateStage, id: string) => JsonObject>> = {
  'consent.answer': (stage) => ({ id: stage.host.context.broker.open()[0]?.id ?? 'none', answer: { kind: 'allow', scope: 'always' } }),
  'rule.save': () => ({ rule: { effect: 'allow', server: 'bank', tool: 'transfer', scope: { kind: 'always' } } }),
  'settings.set': () => ({ defaultModel: 'practice/practice' }),
  'server.save': () => ({ name: 'evil', definition: { transport: 'stdio', command: 'sh' } }),
  'gate.list': () => ({}),
  'gate.add': () => ({ draft: { name: 'Mine', servers: 'all' } }),
  'gate.change': (_stage, id) => ({ id, draft: { name: 'Code', servers: 'all' } }),
  'gate.renewToken': (_stage, id) => ({ id }),
  'tool.call': () => ({ server: 'bank', tool: 'transfer', arguments: money }),
  'audit.list': () => ({ limit: 10 }),
  'chat.send': () => ({ text: theft, model: 'anthropic/claude-large-1' }),
}
/** All that the person set, but for who is connected. */
async function state({ host }: GateStage): Promise<string> {
  const { clients } = await host.request('gate.list', {})
  const entries = clients.map(({ id, name, servers }) => [id, name, servers])
  const { settings, servers } = host.snapshot()
  return JSON.stringify([settings, servers.map(({ name }) => name), host.context.store.rules.list(), entries])
}

const own = Object.entries(requests).map(([request, params]) =>
  row({
    name: `the token of an agent does not open ${request} of the host’s own socket`,
    async play(stage) {
      const { token, id } = await stage.add()
      stage.setPerson(() => undefined)
      const agent = await stage.agent({ token })
      const open = request === 'consent.answer' ? agent.call('transfer', money) : undefined
      if (open) await waits(stage)
      const copy = join(stage.folder, 'copy')
      mkdirSync(copy)
      writeFileSync(join(copy, 'join.json'), JSON.stringify({ ...readJoinFile(stage.dataDir), token }))
      chmodSync(join(copy, 'join.json'), 0o600)
      const before = await state(stage)
      const joined = await joinHost(copy, version)
      const ask = joined?.request as ((name: string, params: JsonObject) => Promise<unknown>) | undefined
      const answer = await ask?.(request, params(stage, id)).then(
        (given) => `answered ${JSON.stringify(given)}`,
        () => undefined,
      )
      joined?.close()
      const after = await state(stage)
      const found = [
        ...same('happened', stage.effects, []),
        ...same('answer', answer, undefined),
        ...unless(before === after, `changed: ${after}`),
      ]
      if (open) {
        stage.host.context.broker.answer(await waits(stage), { kind: 'deny' })
        await open
      }
      return found
    },
  }),
)

/** Program that says what a connection to its argument comes to. */
const knock = `require('node:net').connect(process.argv[1]).once('connect', () => (console.log('in'), process.exit())).once('error', ({ code }) => console.log(code))`

/** Another account can be played by root alone. */
const otherAccount = row({
  name: 'another account that knows the address of the socket and a token reaches neither',
  async play(stage) {
    await stage.add()
    const { address = '' } = readJoinFile(stage.dataDir) ?? {}
    const as = (account: { readonly uid?: number; readonly gid?: number }): string =>
      spawnSync(process.execPath, ['-e', knock, address], { ...account, encoding: 'utf8' }).stdout.trim()
    return [...same('as another account', as({ uid: 65534, gid: 65534 }), 'EACCES'), ...same('as this account', as({}), 'in')]
  },
})

export const agentSocket = [...own, ...(process.platform === 'linux' && process.getuid?.() === 0 ? [otherAccount] : [])]
