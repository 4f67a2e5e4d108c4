// A profile of forty servers that work and ten that do not, each for another reason, and what stands behind those: an
// HTTP server that refuses, one with a certificate that nobody vouches for, a port that nobody listens at.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { createMemorySecrets } from '#main/base/secret-store.ts'
import { createHost } from '#main/host.ts'
import { launchTargetOf, launchValues } from '#main/servers/lifecycle/launch-target.ts'
import { createSandbox } from '#main/servers/process/sandbox/sandbox.ts'
import { surroundings } from '#main/shell/node/data-dir.ts'
import { createNodePlatform } from '#main/shell/node/node-platform.ts'
import { openStateKey } from '#main/shell/node/state-key.ts'
import { selfSigned } from '../../e2e/servers/http/self-signed.ts'
import { hostEnv } from '../web-shell.ts'
import { goodServer, goodServers } from './good-servers.ts'

/** How long a server that is silent is waited for: as configured, so that its diagnosis comes within the run. */
const silentMs = 4000

interface Profiles {
  /** How the ten fail, by name. */
  readonly broken: Readonly<Record<string, string>>
  /** A folder of its own with every launch approved and nothing known of any server yet. */
  fresh(kind: 'fifty' | 'forty' | 'none'): Promise<string>
  remove(): Promise<void>
}

const program = (text: string): JsonObject => ({ command: process.execPath, args: ['-e', text] })

export async function makeProfiles(): Promise<Profiles> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assent-bench-many-')))
  const refusing = createServer((_request, response) => void response.writeHead(401).end('no'))
  const untrusted = createTlsServer(selfSigned, (_request, response) => void response.end('{}'))
  const closed = createServer()
  const ports: number[] = []
  for (const server of [refusing, untrusted, closed]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ports.push((server.address() as AddressInfo).port)
  }
  await new Promise((resolve) => closed.close(resolve))
  const [refusingPort, untrustedPort, closedPort] = ports

  const broken: Readonly<Record<string, readonly [what: string, entry: JsonObject]>> = {
    'bad-command': ['a command that is not there', { command: 'no-such-program-here', args: [] }],
    'bad-exit': [
      'exits, and says why on stderr',
      program('console.error("Error: LEDGER_API_KEY environment variable is required"); process.exit(1)'),
    ],
    'bad-garbage': [
      'writes no protocol',
      { ...program('setInterval(() => console.log("Listening on http://localhost:3000"), 200)'), startTimeout: 4000 },
    ],
    'bad-silent': [`says nothing for ${silentMs} ms`, { ...program('setInterval(() => {}, 1000)'), startTimeout: silentMs }],
    'bad-port': ['nobody listens at its port', { url: `http://127.0.0.1:${closedPort}/mcp` }],
    'bad-401': ['answers 401', { url: `http://127.0.0.1:${refusingPort}/mcp` }],
    'bad-tls': ['a certificate that nobody vouches for', { url: `https://127.0.0.1:${untrustedPort}/mcp` }],
    'bad-folder': ['a working folder that is gone', { command: process.execPath, args: [goodServer], cwd: join(folder, 'gone') }],
    'bad-variable': ['wants a folder, and none is open', { command: process.execPath, args: [goodServer, '$' + '{workspaceFolder}'] }],
    'bad-crash': ['is killed by a signal at once', program('process.kill(process.pid, "SIGSEGV")')],
  }

  const atLaunch = (entries: Readonly<Record<string, JsonObject>>): JsonObject =>
    Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, { ...entry, start: 'launch' }]))
  const good = atLaunch(goodServers)
  const bad = atLaunch(Object.fromEntries(Object.entries(broken).map(([name, [, entry]]) => [name, entry])))
  const templates = { none: {}, forty: good, fifty: { ...good, ...bad } }

  let copies = 0
  return {
    broken: Object.fromEntries(Object.entries(broken).map(([name, [what]]) => [name, what])),
    async fresh(kind) {
      copies += 1
      const dataDir = join(folder, `profile-${copies}`)
      await approveAll(dataDir, templates[kind])
      return dataDir
    },
    async remove() {
      for (const server of [refusing, untrusted]) server.closeAllConnections()
      await Promise.all([refusing, untrusted].map((server) => new Promise((resolve) => server.close(resolve))))
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Approves each server as a person would, in the sandbox that is proposed. Nothing is started. */
export async function approveAll(dataDir: string, mcpServers: JsonObject): Promise<void> {
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers }, null, 2))
  const host = createHost({
    dataDir,
    version: 'bench',
    startServers: false,
    platform: createNodePlatform({ kind: 'cli', secrets: createMemorySecrets() }),
    stateKey: await openStateKey({ dataDir, where: { ...surroundings(), env: hostEnv } }),
    policy: () => ({ kind: 'allow', scope: 'always' }),
  })
  const { broker, config } = host.context
  const sandbox = createSandbox({ dataDir })
  const { signal } = new AbortController()
  for (const [server, definition] of config.definitions()) {
    const isProgram = definition.transport === 'stdio'
    const folder = isProgram ? (definition.cwd ?? homedir()) : undefined
    const proposal = isProgram ? await sandbox.propose({ definition, cwd: folder ?? '' }) : {}
    const target = launchTargetOf(definition, folder, proposal.sandbox)
    if (target) await broker.launch({ server, target, sandbox: proposal.question, values: launchValues(definition), signal })
  }
  await host.dispose()
}
