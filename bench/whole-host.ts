// A whole host on a throw-away profile, in which a rule allows every call: the decision, the call and its result are
// written to the record.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { newId } from '#main/base/ids.ts'
import { createMemorySecrets } from '#main/base/secret-store.ts'
import { createHost, type Host } from '#main/host.ts'
import type { CallOptions, CallOutcome } from '#main/servers/client/requests/running-calls.ts'
import { createNodePlatform } from '#main/shell/node/node-platform.ts'

export interface WholeHost {
  readonly host: Host
  call(server: string, name: string, args: JsonObject, options?: Partial<CallOptions>): Promise<CallOutcome>
  remove(): Promise<void>
}

/** The servers are started one after the other. */
export async function openWholeHost(mcpServers: Readonly<Record<string, object>>): Promise<WholeHost> {
  const dataDir = mkdtempSync(join(tmpdir(), 'assent-bench-'))
  const configFile = join(dataDir, 'mcp.json')
  writeFileSync(configFile, JSON.stringify({ mcpServers }))
  const host = createHost({
    dataDir,
    configFile,
    version: 'bench',
    sandbox: 'off',
    startServers: false,
    platform: createNodePlatform({ kind: 'cli', secrets: createMemorySecrets() }),
    // The first answer makes a rule; every later call is allowed by it, unasked.
    policy: () => ({ kind: 'allow', scope: 'always' }),
  })
  const { broker, servers } = host.context
  for (const server of Object.keys(mcpServers)) await servers.start(server)
  return {
    host,
    async call(server, name, args, options = {}) {
      const tool = servers.catalogue(server).tools.find((entry) => entry.name === name)
      if (!tool) throw new Error(`${server} offers no ${name}`)
      const signal = new AbortController().signal
      const verdict = await broker.toolCall({ server, callId: newId(), tool, trusted: false, local: true, arguments: args, signal })
      if (verdict.kind !== 'allowed') throw new Error(`the call was ${verdict.kind}`)
      return servers.call(verdict.approval, { ...verdict.approval, signal, ...options })
    },
    async remove() {
      await host.dispose()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
