// Sandbox of local servers: one seam over the engines. It says what there is on this computer, proposes a sandbox for the approval, and
// confines a prepared launch.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isInside } from '#app/consent/rules/path-text.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import type { AttemptAllowance, SandboxAttempt } from '#app/server/sandbox/sandbox-report.ts'
import type { SandboxGrants } from '#app/server/sandbox/sandbox-settings.ts'
import type { PreparedLaunch } from '../environment/environment.ts'
import { tagVariable } from '../server-process.ts'
import { allowanceOf } from './attempts/allowance.ts'
import type { StartView } from './attempts/check-path.ts'
import { bridgeScript, bubblewrapArgs, proxyPort } from './bubblewrap.ts'
import { findEngine, type SandboxEngine } from './find-engine.ts'
import { forwardsOf, hostsFile } from './forwards.ts'
import { makePlaces, makeSocketFolder, openOwnFolder, ownFolderOf, removeLeftovers } from './own-folder.ts'
import { type Mount, planMounts } from './plan-mounts.ts'
import { type ProposalRequest, proposeSandbox, type SandboxProposal } from './propose-sandbox.ts'
import type { Resolve } from './proxy/decide-host.ts'
import { type HostAttempt, type HostProxy, openHostProxy } from './proxy/host-proxy.ts'
import { realPath, type SandboxPlace, workingFolder } from './resolve-grants.ts'
import { runtimeFolders } from './runtime-folders.ts'
import { sandboxEnvironment } from './sandbox-environment.ts'
import { seccompFilter } from './seccomp.ts'

/** A launch in its sandbox: what is started in place of the server, and what is written to its descriptors from 3 on. */
export interface ConfinedLaunch {
  readonly command: string
  readonly args: readonly string[]
  /** Environment of the engine; the server's own goes by a descriptor, with the tag. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly input: (tag: string) => readonly Buffer[]
  /** Changes what the running server may reach. */
  readonly proxy: Pick<HostProxy, 'allow' | 'deny' | 'watchOpen'>
  /** File system as the server sees it, and the paths that are denied whatever is granted. */
  readonly view: StartView & Pick<SandboxGrants, 'denyRead' | 'denyWrite'>
  /** Closes the proxy and removes what was made for this start. May be called twice. */
  readonly dispose: () => void
}

interface ConfineRequest {
  readonly server: string
  /** Approved grants, with links resolved. */
  readonly grants: SandboxGrants
  readonly launch: PreparedLaunch
  readonly onAttempt: (attempt: HostAttempt) => void
}

interface SandboxOptions {
  readonly dataDir: string
  readonly home?: string
  /** Sets the folders of one config file's servers apart from those of another's. */
  readonly scope?: string
  readonly engine?: () => Promise<SandboxEngine>
  /** Resolves names for the proxy; default: the system. */
  readonly resolve?: Resolve
}

export type Sandbox = ReturnType<typeof createSandbox>

export function createSandbox({ dataDir, home = homedir(), scope = '', engine: find = findEngine, resolve }: SandboxOptions) {
  const place = (): SandboxPlace => ({ home: realPath(home), dataDir: realPath(dataDir) })
  let found: Promise<SandboxEngine> | undefined
  let known: SandboxEngine | undefined
  let isSwept = false
  const look = async (): Promise<SandboxEngine> => (known = await find())
  const engine = (): Promise<SandboxEngine> => (found ??= look())

  return {
    engine,
    /** Engine that was found; undefined: nobody has looked yet. */
    get known(): SandboxEngine | undefined {
      return known
    },
    /** Whether an answer of the person can allow what was refused. */
    allowance: (attempt: Pick<SandboxAttempt, 'kind' | 'target' | 'refused'>): AttemptAllowance => allowanceOf(attempt, place()),
    /** Proposes the sandbox of a launch. @throws {HostError} `server.sandbox-grant` when its entry asks for what no sandbox can give */
    propose: (request: ProposalRequest): Promise<SandboxProposal> => proposeSandbox(request, { place: place(), engine }),
    /** @throws {HostError} `server.sandbox-grant`, `server.sandbox-missing` */
    async confine(request: ConfineRequest): Promise<ConfinedLaunch> {
      const there = await engine()
      if (there.kind !== 'bubblewrap') {
        const remedy = there.kind === 'none' ? there.remedy : ''
        throw new HostError('server.sandbox-missing', t`There is no sandbox on this computer for “${request.server}”.`, {
          data: { remedy },
        })
      }
      if (!isSwept) removeLeftovers(dataDir)
      isSwept = true
      return confineByBubblewrap(there, request, place(), ownFolderOf(dataDir, request.server, scope), resolve)
    },
  }
}

const systemHosts = '/etc/hosts'

async function confineByBubblewrap(
  engine: Extract<SandboxEngine, { kind: 'bubblewrap' }>,
  { grants, launch, onAttempt }: ConfineRequest,
  place: SandboxPlace,
  folder: string,
  resolve: Resolve | undefined,
): Promise<ConfinedLaunch> {
  const { home } = place
  const working = workingFolder(launch.cwd, place)
  const runtime = [...runtimeFolders(launch, place), ...(working === undefined ? [] : [working])]
  const { mounts, undo } = planMounts({ grants, place, runtime })
  const own = openOwnFolder(folder)
  const disposeFiles = (): void => {
    own.dispose()
    undo()
  }
  const forwards = forwardsOf(grants.hosts)
  const named = hostsFile(
    forwards,
    orElse(() => readFileSync(systemHosts, 'utf8'), ''),
  )
  const all: Mount[] = [...mounts]
  let proxy: HostProxy
  try {
    makePlaces(own, home, mounts)
    const socketPath = join(makeSocketFolder(), 'socket')
    if (named !== undefined) {
      const from = join(dirname(socketPath), 'hosts')
      writeFileSync(from, named)
      all.push({ kind: 'read', path: realPath(systemHosts), from })
    }
    proxy = await openHostProxy({ socketPath, grants, onAttempt, ...(resolve ? { resolve } : {}) })
  } catch (error) {
    disposeFiles()
    throw error
  }
  const filter = seccompFilter()
  const env = sandboxEnvironment(launch.env, { home, port: proxyPort, hosts: grants.hosts })
  const visible = working ?? (mounts.some(({ path }) => isInside(launch.cwd, path)) ? launch.cwd : home)
  const script = bridgeScript(tagVariable, forwards)
  return {
    command: engine.bwrap,
    args: ['--args', '3', '--', '/bin/sh', '-c', script, 'sandbox', engine.socat, launch.command, ...launch.args],
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
    input(tag) {
      const args = bubblewrapArgs({
        mounts: all,
        home,
        own,
        cwd: visible,
        env: { ...env, [tagVariable]: tag },
        proxySocket: proxy.socketPath,
        seccompFd: filter && 4,
        disablesUserns: engine.disablesUserns,
      })
      return [Buffer.from(args.map((arg) => `${arg}\0`).join('')), ...(filter ? [filter] : [])]
    },
    proxy,
    view: { mounts, home, own, cwd: visible, denyRead: grants.denyRead, denyWrite: grants.denyWrite },
    dispose() {
      proxy.close()
      rmSync(dirname(proxy.socketPath), { recursive: true, force: true })
      disposeFiles()
    },
  }
}
