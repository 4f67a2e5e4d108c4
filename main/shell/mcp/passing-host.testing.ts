// For tests: a host that agents join, and that allows all they ask; also as a process of its own, with its folder as argument.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '#main/base/clock.ts'
import { silentLog } from '#main/base/host-log.ts'
import { makeTestHost } from '#main/host/host.testing.ts'
import { surroundings } from '#main/shell/node/data-dir.ts'
import { openStateKey } from '#main/shell/node/state-key.ts'
import { listenForCommands } from '#main/shell/socket/listen-for-commands.ts'

const passing = new URL('passing-server.testing.ts', import.meta.url).pathname
const version = '0.1.0'

/** Opens it on `profile` in the folder. Its servers write to `marks` there. */
export async function openPassingHost(folder: string) {
  const dataDir = join(folder, 'profile')
  mkdirSync(dataDir, { recursive: true })
  const server = (era: string) => ({ command: process.execPath, args: [passing, era, join(folder, 'marks')], sandboxEnabled: false })
  writeFileSync(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: { legacy: server('legacy'), modern: server('modern') } }))
  const env = { ...process.env, ASSENT_NO_KEYRING: '1', XDG_STATE_HOME: join(folder, 'state') }
  const stateKey = await openStateKey({ dataDir, where: { ...surroundings(), env } })
  const one = makeTestHost({ dataDir, stateKey, startServers: false, version })
  const { host } = one
  host.onEvent((event) => {
    if (event.name !== 'consent.opened') return
    const { id, kind } = event.payload.request
    queueMicrotask(() => host.context.broker.answer(id, { kind: 'allow', scope: kind === 'launch' ? 'always' : 'once' }))
  })
  return { one, listening: await listenForCommands({ host: async () => host, dataDir, version, log: silentLog, clock: systemClock }) }
}

const [, program, folder] = process.argv
if (program === import.meta.filename && folder !== undefined) await openPassingHost(folder)
