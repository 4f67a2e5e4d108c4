// A real host on a throw-away profile, for tests: everything but the operating system's window is there, and what it
// answers and tells is held against the contract.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Platform } from '#main/platform.ts'
import { makeSceneFolder } from '#main/servers/process/sandbox/scene-folder.testing.ts'
import type { BuiltinLauncher } from '#main/servers/process/server-process.ts'
import { createMemoryKey, type StateKey } from '#main/store/signed-state.ts'
import { createHost, type Host } from '../host.ts'
import type { HostOptions } from './host-options.ts'

export function createTestPlatform(launchBuiltin?: BuiltinLauncher): Platform & { readonly opened: string[]; readonly notified: string[] } {
  const secrets = new Map<string, string>()
  const opened: string[] = []
  const notified: string[] = []
  return {
    shell: { kind: 'web', os: 'linux', canChooseFolder: false, secrets: 'keyring' },
    secrets: {
      kind: 'keyring',
      get: async (name) => secrets.get(name),
      set: async (name, value) => void secrets.set(name, value),
      delete: async (name) => void secrets.delete(name),
    },
    commandLine: (command) => ['/opt/assent', command],
    async openUrl({ url }) {
      opened.push(url)
      return 'host'
    },
    chooseFolder: async () => '/chosen',
    chooseFile: async () => '/chosen/file',
    notify: ({ title }) => void notified.push(title),
    ...(launchBuiltin ? { launchBuiltin } : {}),
    opened,
    notified,
  }
}

export interface TestHost {
  readonly host: Host
  readonly dataDir: string
  readonly platform: ReturnType<typeof createTestPlatform>
  /** Disposes of the host, and of its profile. */
  remove(): Promise<void>
}

export interface TestHostOptions extends Partial<HostOptions> {
  /** The text of servers.json; default: an empty one. */
  readonly servers?: string
  readonly launchBuiltin?: BuiltinLauncher
  /** Sandboxes as a person's host has them; default: none. */
  readonly sandboxed?: boolean
}

/** Keys of the profiles of this process, as one keyring holds them. */
const keys = new Map<string, StateKey>()

export function makeTestHost(options: TestHostOptions = {}): TestHost {
  const { servers = '{ "mcpServers": {} }', launchBuiltin, sandboxed = false, ...rest } = options
  const dataDir = rest.dataDir ?? (sandboxed ? makeSceneFolder() : mkdtempSync(join(tmpdir(), 'assent-host-')))
  if (rest.dataDir === undefined) writeFileSync(join(dataDir, 'servers.json'), servers)
  const platform = createTestPlatform(launchBuiltin)
  const stateKey = keys.get(dataDir) ?? createMemoryKey()
  keys.set(dataDir, stateKey)
  const without = sandboxed ? {} : ({ sandbox: 'off' } as const)
  const host = createHost({ version: '0.0.0', env: {}, platform, stateKey, checkContract: true, ...without, ...rest, dataDir })
  return {
    host,
    dataDir,
    platform,
    async remove() {
      await host.dispose()
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
