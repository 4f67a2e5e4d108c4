// A whole host that says yes to all, and asks no login shell.
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'
import type { HostOptions } from '#main/host/host-options.ts'
import { createEnvironment } from '#main/servers/process/environment/environment.ts'

export const openHost = (options: Partial<HostOptions> & { readonly servers?: string; readonly sandboxed?: boolean }): TestHost =>
  makeTestHost({
    startServers: false,
    checkContract: false,
    environment: createEnvironment({ isTerminal: true }),
    policy: () => ({ kind: 'allow', scope: 'always' }),
    ...options,
  })
