// The host that the suite measures: a whole one, in a profile of its own, whose one server is the suite's. Whoever is asked
// says yes, and fills in nothing, so that defaults are the host's to apply. In their browser they are signed in already:
// it goes where it is sent, and so ends where the host listens.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { newId } from '#main/base/ids.ts'
import { createMemorySecrets } from '#main/base/secret-store.ts'
import { createHost, type Host } from '#main/host.ts'
import type { CallOutcome } from '#main/servers/client/requests/running-calls.ts'
import { createCliPolicy } from '#main/shell/cli/approval-policy.ts'
import { createNodePlatform } from '#main/shell/node/node-platform.ts'

export const server = 'suite'

export interface ConformanceHost {
  readonly host: Host
  call(tool: string, args: JsonObject): Promise<CallOutcome>
  dispose(): Promise<void>
}

async function browse({ url }: { readonly url: string }): Promise<'host'> {
  fetch(url).catch(() => undefined) // Whoever listens for it says whether it came.
  return 'host'
}

/** `entry`: what stands in the servers file beside the URL. */
export function openHost(url: string, entry: JsonObject = {}): ConformanceHost {
  const dataDir = mkdtempSync(join(tmpdir(), 'assent-conformance-'))
  const configFile = join(dataDir, 'suite.json')
  writeFileSync(configFile, JSON.stringify({ mcpServers: { [server]: { url, ...entry } } }))
  const policy = createCliPolicy({ approve: 'all', elicit: {}, launchUnasked: true })
  const host = createHost({
    dataDir,
    configFile,
    version: '0.0.0',
    startServers: false,
    sandbox: 'off',
    platform: createNodePlatform({ kind: 'cli', secrets: createMemorySecrets(), openUrl: browse }),
    policy: (request) => (request.kind === 'sign-in' ? { kind: 'allow', scope: 'once' } : policy.answer(request)),
  })
  const { servers, broker } = host.context
  const { signal } = new AbortController()
  return {
    host,
    async call(name, args) {
      const tool = servers.catalogue(server).tools.find((entry) => entry.name === name)
      if (!tool) throw new Error(`The server offers no tool ${name}`)
      const question = { server, callId: newId(), tool, trusted: false, local: true, arguments: args, signal }
      const verdict = await broker.toolCall(question)
      if (verdict.kind !== 'allowed') throw new Error(`The call of ${name} was not allowed`)
      return servers.call(verdict.approval, { ...verdict.approval, signal })
    },
    async dispose() {
      await host.dispose()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
