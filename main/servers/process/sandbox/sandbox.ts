// Sandbox of local servers: one seam over the engines. It says what there is on this computer, proposes a sandbox for the approval, and
// confines a prepared launch.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isInside } from '#app/consent/rules/path-text.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined, orElse } from '#app/or-else.ts'
import { guardedInFolders, secretPaths } from '#app/server/sandbox/protected-paths.ts'
import type { AttemptAllowance, SandboxAttempt } from '#app/server/sandbox/sandbox-report.ts'
import { noGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { MASK } from '#app/text/secret-names.ts'
import { reachOfHost } from '#main/base/network/address-policy.ts'
import { tagVariable } from '../server-process.ts'
import { bridgeScript, bubblewrapArgs, proxyPort } from './bubblewrap.ts'
import type { ConfinedLaunch, ConfineRequest, ConfineSurroundings } from './confined-launch.ts'
import { findEngine, type SandboxEngine } from './find-engine.ts'
import { forwardsOf, hostsFile } from './forwards.ts'
import { makePlaces, makeSocketFolder, openOwnFolder, ownFolderOf, removeLeftovers } from './own-folder.ts'
import { type Mount, planMounts } from './plan-mounts.ts'
import { type ProposalRequest, proposeSandbox, type SandboxProposal } from './propose-sandbox.ts'
import type { Resolve } from './proxy/decide-host.ts'
import { type FindParent, type HostProxy, openHostProxy } from './proxy/host-proxy.ts'
import { below, realPath, resolveGrants, type SandboxPlace, workingFolder } from './resolve-grants.ts'
import { runtimeFolders } from './runtime-folders.ts'
import { sandboxEnvironment } from './sandbox-environment.ts'
import { confineBySeatbelt } from './seatbelt/confine-by-seatbelt.ts'
import { seccompFilter } from './seccomp.ts'

interface SandboxOptions {
  readonly dataDir: string
  readonly home?: string
  /** Sets the folders of one config file's servers apart from those of another's. */
  readonly scope?: string
  readonly engine?: () => Promise<SandboxEngine>
  /** Resolves names for the proxy; default: the system. */
  readonly resolve?: Resolve
  /** Finds the person's own proxy of an address; default: none. */
  readonly findParent?: FindParent
}

export type Sandbox = ReturnType<typeof createSandbox>

export function createSandbox({ dataDir, home = homedir(), scope = '', engine: find = findEngine, resolve, findParent }: SandboxOptions) {
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
      if (there.kind === 'none') {
        throw new HostError('server.sandbox-missing', t`There is no sandbox on this computer.`, {
          data: { remedy: there.remedy },
        })
      }
      if (!isSwept) removeLeftovers(dataDir)
      isSwept = true
      const surroundings: ConfineSurroundings = { place: place(), folder: ownFolderOf(dataDir, request.server, scope), resolve, findParent }
      return there.kind === 'seatbelt' ? confineBySeatbelt(there, request, surroundings) : confineByBubblewrap(there, request, surroundings)
    },
  }
}

const systemHosts = '/etc/hosts'

async function confineByBubblewrap(
  engine: Extract<SandboxEngine, { kind: 'bubblewrap' }>,
  { grants, launch, onAttempt }: ConfineRequest,
  { place, folder, ...out }: ConfineSurroundings,
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
  let proxySocket: string
  try {
    makePlaces(own, home, mounts)
    proxySocket = join(makeSocketFolder(), 'socket')
    if (named !== undefined) {
      const from = join(dirname(proxySocket), 'hosts')
      writeFileSync(from, named)
      all.push({ kind: 'read', path: realPath(systemHosts), from })
    }
    proxy = await openHostProxy({ listen: { socketPath: proxySocket }, grants, onAttempt, ...defined(out) })
  } catch (error) {
    disposeFiles()
    throw error
  }
  const filter = seccompFilter()
  const env = sandboxEnvironment(launch.env, { home, tmp: '/tmp', proxy: `http://127.0.0.1:${proxyPort}`, hosts: grants.hosts })
  const visible = working ?? (mounts.some(({ path }) => isInside(launch.cwd, path)) ? launch.cwd : home)
  const script = bridgeScript(tagVariable, forwards)
  return {
    command: engine.bwrap,
    args: ['--args', '3', '--', '/bin/sh', '-c', script, 'sandbox', engine.socat, launch.command, ...launch.args],
    cwd: '/',
    wraps: true,
    tagged(tag) {
      const args = bubblewrapArgs({
        mounts: all,
        home,
        own,
        cwd: visible,
        env: { ...env, [tagVariable]: tag },
        proxySocket,
        seccompFd: filter && 4,
        disablesUserns: engine.disablesUserns,
      })
      // The environment is the engine's alone: the server's goes by a descriptor.
      return { env: { PATH: '/usr/bin:/bin' }, input: [Buffer.from(args.map((arg) => `${arg}\0`).join('')), ...(filter ? [filter] : [])] }
    },
    proxy,
    view: { mounts, home, own, cwd: visible, denyRead: grants.denyRead, denyWrite: grants.denyWrite },
    dispose() {
      proxy.close()
      rmSync(dirname(proxySocket), { recursive: true, force: true })
      disposeFiles()
    },
  }
}

/** Answers that an attempt can have. A grant that a person writes by hand may do more than one press on a button. */
export function allowanceOf(
  { kind, target, refused }: Pick<SandboxAttempt, 'kind' | 'target' | 'refused'>,
  place: SandboxPlace,
): AttemptAllowance {
  if (refused === undefined) return 'never'
  if (kind === 'host') {
    // What is masked or cut is no host.
    const isNamed = (refused === 'not-granted' || refused === 'denied') && !target.includes(MASK) && !target.includes('…')
    // An address of this computer or its network is granted by name alone, on the page.
    return isNamed && (reachOfHost(target) ?? 'public') === 'public' ? 'click' : 'never'
  }
  // What other programs run or obey stays as it is, also in a folder that may be written.
  if (kind === 'write' && guardedInFolders.some((name) => `${target}/`.includes(`/${name}/`))) return 'never'
  if (!orElse(() => resolveGrants({ ...noGrants, [kind]: [target] }, place), undefined)) return 'never'
  const isSecret = below(place.home, secretPaths).some((path) => isInside(target, path) || isInside(path, target))
  return isSecret || isInside(place.home, target) ? 'review' : 'click'
}
