// Sandbox of local servers: one seam over the engines. It says what there is on this computer, proposes a sandbox for the approval, and
// confines a prepared launch.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isInside } from '#app/consent/rules/path-text.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined, orElse } from '#app/or-else.ts'
import { secretPaths } from '#app/server/sandbox/protected-paths.ts'
import type { AttemptAllowance, SandboxAttempt } from '#app/server/sandbox/sandbox-report.ts'
import { noGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { MASK } from '#app/text/secret-names.ts'
import { reachOfHost } from '#main/base/network/address-policy.ts'
import { tagVariable } from '#main/servers/process/server-process.ts'
import { bridgeScript, bubblewrapArgs, proxyPort } from './bubblewrap.ts'
import { type ConfinedLaunch, type ConfineRequest, type ConfineSurroundings, sandboxEnvironment } from './confined-launch.ts'
import { findEngine, type SandboxEngine } from './find-engine.ts'
import { forwardsOf, hostsFile } from './forwards.ts'
import { makePlaces, makeSocketFolder, openOwnFolder, ownFolderOf, removeLeftovers } from './own-folder.ts'
import { type Mount, planMounts } from './plan-mounts.ts'
import { type ProposalRequest, proposeSandbox, type SandboxProposal } from './propose-sandbox.ts'
import type { Resolve } from './proxy/decide-host.ts'
import { type FindParent, type HostProxy, openHostProxy } from './proxy/host-proxy.ts'
import { below, realPath, resolveGrants, type SandboxPlace, workingFolder } from './resolve-grants.ts'
import { runtimeFolders } from './runtime-folders.ts'
import { confineBySeatbelt } from './seatbelt/confine-by-seatbelt.ts'

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
  if (!orElse(() => resolveGrants({ ...noGrants, [kind]: [target] }, place), undefined)) return 'never'
  const isSecret = below(place.home, secretPaths).some((path) => isInside(target, path) || isInside(path, target))
  return isSecret || isInside(place.home, target) ? 'review' : 'click'
}

// Program of seccomp's filter (classic BPF, seccomp(2)) for bubblewrap: refuses calls that reach the kernel's keyrings, other
// processes, or parts of the kernel that no server needs. Pure.

/** Numbers of the calls by architecture, as the kernel's tables have them. */
const calls = {
  x64: {
    audit: 0xc000003e,
    /** Numbers from here on are those of the x32 interface. */
    x32: 0x40000000,
    ioctl: 16,
    socket: 41,
    /** Calls that give a file its mode: which argument that is, and for those that open, which one says whether a file is made. */
    modes: { chmod: [90, 1], fchmod: [91, 1], fchmodat: [268, 2], fchmodat2: [452, 2], creat: [85, 1], mknod: [133, 1], mknodat: [259, 2], open: [2, 2, 1], openat: [257, 3, 2] },
    refused: {
      ptrace: 101, add_key: 248, request_key: 249, keyctl: 250, process_vm_readv: 310, process_vm_writev: 311, kcmp: 312, pidfd_getfd: 438,
      mount: 165, umount2: 166, pivot_root: 155, chroot: 161, move_mount: 429, open_tree: 428, fsopen: 430, fsconfig: 431, fsmount: 432, fspick: 433, mount_setattr: 442,
      setns: 308, bpf: 321, perf_event_open: 298, userfaultfd: 323, kexec_load: 246, kexec_file_load: 320, init_module: 175, finit_module: 313,
      delete_module: 176, swapon: 167, swapoff: 168, reboot: 169, acct: 163, quotactl: 179, open_by_handle_at: 304, name_to_handle_at: 303,
      io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, openat2: 437, syslog: 103, vhangup: 153, personality: 135, modify_ldt: 154, uselib: 134,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    x32: undefined,
    ioctl: 29,
    socket: 198,
    modes: { fchmod: [52, 1], fchmodat: [53, 2], fchmodat2: [452, 2], mknodat: [33, 2], openat: [56, 3, 2] },
    refused: {
      ptrace: 117, add_key: 217, request_key: 218, keyctl: 219, process_vm_readv: 270, process_vm_writev: 271, kcmp: 272, pidfd_getfd: 438,
      mount: 40, umount2: 39, pivot_root: 41, chroot: 51, move_mount: 429, open_tree: 428, fsopen: 430, fsconfig: 431, fsmount: 432, fspick: 433, mount_setattr: 442,
      setns: 268, bpf: 280, perf_event_open: 241, userfaultfd: 282, kexec_load: 104, kexec_file_load: 294, init_module: 105, finit_module: 273,
      delete_module: 106, swapon: 224, swapoff: 225, reboot: 142, acct: 89, quotactl: 60, open_by_handle_at: 265, name_to_handle_at: 264,
      io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, openat2: 437, syslog: 116, vhangup: 58, personality: 92,
    },
  },
} as const // biome-ignore format: a list reads better in rows

// Opcodes of linux/bpf_common.h, and what a filter returns (linux/seccomp.h).
const load = 0x20
const jumpEqual = 0x15
const jumpAtLeast = 0x35
const jumpBits = 0x45
const answer = 0x06
const allow = 0x7fff0000
const killProcess = 0x80000000
const errno = (number: number): number => 0x00050000 | number
const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97
/** Offsets in `struct seccomp_data`: the number, the architecture, the low half of an argument. */
const at = { number: 0, architecture: 4, argument: (index: number): number => 16 + 8 * index }
/** AF_UNIX, AF_INET, AF_INET6. Others, such as AF_VSOCK, know no namespace. AF_NETLINK is for NETLINK_ROUTE alone. */
const socketFamilies = [1, 2, 10]
const AF_NETLINK = 16
/** O_CREAT and __O_TMPFILE: a file that is made without a name can get one later. */
const makesFile = 0o100 | 0o20000000
/** S_ISUID and S_ISGID: such a program would run as the person for other accounts. */
const setIds = 0o6000
/** Requests of ioctl(2) that write into a terminal's input: TIOCSTI, TIOCLINUX. */
const terminalRequests = [0x5412, 0x541c]

type Step = readonly [code: number, value: number, yes?: number, no?: number]

/** Steps for one call, which all end in an answer. */
const whenCalled = (number: number, steps: readonly Step[]): readonly Step[] => [[jumpEqual, number, 0, steps.length], ...steps]

const allowed: Step = [answer, allow]
const refuseSetIds = (mode: number, flags?: number): readonly Step[] => [
  ...(flags === undefined ? [] : ([[load, at.argument(flags)], [jumpBits, makesFile, 1, 0], allowed] as const)),
  [load, at.argument(mode)],
  [jumpBits, setIds, 0, 1],
  [answer, errno(EPERM)],
  allowed,
]
const refuseFamilies: readonly Step[] = [
  [load, at.argument(0)],
  ...socketFamilies.flatMap((family): Step[] => [[jumpEqual, family, 0, 1], allowed]),
  [jumpEqual, AF_NETLINK, 1, 0],
  [answer, errno(EAFNOSUPPORT)],
  [load, at.argument(2)],
  [jumpEqual, 0, 0, 1],
  allowed,
  [answer, errno(EAFNOSUPPORT)],
]

/** Returns the filter's bytes; undefined: the numbers of this architecture are not known. */
export function seccompFilter(arch: string = process.arch): Buffer | undefined {
  if (arch !== 'x64' && arch !== 'arm64') return undefined
  const { audit, x32, ioctl, socket, modes, refused } = calls[arch]
  // Programs that may use these fall back where they are not there. The mode of openat2 cannot be looked at.
  const absent = new Set<number>([refused.io_uring_setup, refused.io_uring_enter, refused.io_uring_register, refused.openat2])
  // biome-ignore format: an instruction a row
  const steps: readonly Step[] = [
    [load, at.architecture],
    [jumpEqual, audit, 1, 0],
    [answer, killProcess],
    [load, at.number],
    ...(x32 === undefined ? [] : ([[jumpAtLeast, x32, 0, 1], [answer, killProcess]] as const)),
    ...Object.values(refused).flatMap((number) => whenCalled(number, [[answer, errno(absent.has(number) ? ENOSYS : EPERM)]])),
    ...Object.values(modes as Record<string, readonly [number, number, number?]>).flatMap(([number, mode, flags]) => whenCalled(number, refuseSetIds(mode, flags))),
    ...whenCalled(socket, refuseFamilies),
    ...whenCalled(ioctl, [
      [load, at.argument(1)],
      ...terminalRequests.flatMap((request): Step[] => [[jumpEqual, request, 0, 1], [answer, errno(EPERM)]]),
      allowed,
    ]),
    allowed,
  ]
  const bytes = Buffer.alloc(steps.length * 8)
  steps.forEach(([code, value, yes = 0, no = 0], index) => {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(yes, index * 8 + 2)
    bytes.writeUInt8(no, index * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4)
  })
  return bytes
}
