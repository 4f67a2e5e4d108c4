// Arguments of bubblewrap (bwrap(1)) for one server, and the script that is the first program in it. Pure, but for a look at which
// folders the system has. All is handed over by a descriptor, so that no value stands in an argument list.
import { lstatSync, readlinkSync } from 'node:fs'
import type { Forward } from './forwards.ts'
import type { Mount } from './plan-mounts.ts'

// biome-ignore format: a list reads better in rows
/** Folders of the system, read-only. A link stays a link. */
export const systemFolders = [
  '/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix/store', '/gnu/store',
  '/run/current-system', '/var/cache/fontconfig', '/var/lib/ca-certificates',
]

export const proxyPort = 43_128
/** Address of a server's proxy inside its sandbox, for programs whose settings name another one. */
export const sandboxProxy = `http://127.0.0.1:${proxyPort}`
const proxySocket = '/run/assent/proxy.sock'

export interface BubblewrapOptions {
  readonly mounts: readonly Mount[]
  readonly home: string
  /** Folders of the server's own, outside: its home folder and its folder for temporary files. */
  readonly own: { readonly home: string; readonly tmp: string }
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Socket of its proxy, outside; undefined: it reaches nothing. */
  readonly proxySocket?: string | undefined
  /** Descriptor that the seccomp filter is read from. */
  readonly seccompFd?: number | undefined
  /** Whether this bubblewrap can forbid further user namespaces (0.8 and later). */
  readonly disablesUserns: boolean
}

function systemMounts(folders: readonly string[] = systemFolders): string[] {
  return folders.flatMap((path) => {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat?.isSymbolicLink()) return ['--symlink', readlinkSync(path), path]
    return stat ? ['--ro-bind', path, path] : []
  })
}

/** Arguments before the command. */
export function bubblewrapArgs(options: BubblewrapOptions): string[] {
  const { home, own, cwd, env } = options
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(options.disablesUserns ? ['--disable-userns'] : []),
    ...['--die-with-parent', '--cap-drop', 'ALL', '--hostname', 'assent-sandbox'],
    ...systemMounts(),
    // Root of the computer could write its settings.
    ...[
      '--proc',
      '/proc',
      '--ro-bind',
      '/proc/sys',
      '/proc/sys',
      '--dev',
      '/dev',
      '--bind',
      own.tmp,
      '/tmp',
      '--bind',
      own.tmp,
      '/var/tmp',
      '--bind',
      own.home,
      home,
    ],
    ...options.mounts.flatMap(mountArgs),
    ...(options.proxySocket === undefined ? [] : ['--ro-bind', options.proxySocket, proxySocket]),
    // What lies deeper needs its place made first.
    ...options.mounts.filter(({ kind }) => kind === 'hide-folder').flatMap(({ path }) => ['--remount-ro', path]),
    ...['--remount-ro', '/', '--chdir', cwd, '--clearenv'],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...(options.seccompFd === undefined ? [] : ['--seccomp', String(options.seccompFd)]),
  ]
}

function mountArgs({ kind, path, from = path }: Mount): string[] {
  switch (kind) {
    case 'read':
    case 'keep':
      return ['--ro-bind-try', from, path]
    case 'write':
      return ['--bind', from, path]
    case 'hide-folder':
      return ['--tmpfs', path]
    case 'hide-file':
      return ['--ro-bind', '/dev/null', path]
  }
}

const forwardWords = ({ address, host, port }: Forward): string =>
  `TCP-LISTEN:${port},bind=${address},fork,reuseaddr PROXY:127.0.0.1:${host}:${port},proxyport=${proxyPort}`

/**
 * First program in the sandbox. It brings the proxy's socket to a port of its own loopback, waits until that listens, and becomes the server.
 * `$1`: socat, with the tag taken off, so that it is not signalled before the server has ended.
 */
export const bridgeScript = (tagVariable: string, forwards: readonly Forward[]): string => `
bridge=$1
shift
${forwards.map((one) => `${tagVariable}= "$bridge" ${forwardWords(one)} </dev/null >/dev/null 2>&1 &\n`).join('')}${tagVariable}= "$bridge" TCP-LISTEN:${proxyPort},bind=127.0.0.1,fork,reuseaddr,backlog=128 UNIX-CONNECT:${proxySocket} </dev/null >/dev/null 2>&1 &
tries=0
while [ $tries -lt 100 ]; do
  while read -r _ local _; do
    case $local in *:${proxyPort.toString(16).toUpperCase().padStart(4, '0')}) break 2 ;; esac
  done </proc/net/tcp
  sleep 0.01
  tries=$((tries + 1))
done
exec "$@"
`
