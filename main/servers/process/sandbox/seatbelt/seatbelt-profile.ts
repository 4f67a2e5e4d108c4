// Profile of Seatbelt (sandbox-exec(1), macOS): nothing is allowed but what a program needs to run, the granted files, and its proxy. Pure.
// Without a service of keychains, Apple Events, Launch Services, pasteboard, preferences or trust (it fetches), without IOKit, terminals, the
// list of processes and any port to listen on. After the profiles that Chromium and OpenAI's Codex run programs with.
import { isInside } from '#app/consent/rules/path-text.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Mount } from '../plan-mounts.ts'

interface SeatbeltOptions {
  /** Paths with all links resolved: Seatbelt compares them with the file that is opened. */
  readonly mounts: readonly Mount[]
  /** Folders of the server's own. They may lie in what is hidden. */
  readonly own: readonly Mount[]
  readonly proxyPort: number
}

// biome-ignore format: a list reads better in rows
/** Folders of the system. `/System/Volumes/Data` is not among them: the person's files lie there a second time. */
const systemReads = [
  '/System/Library', '/System/Cryptexes', '/System/iOSSupport', '/System/Volumes/Preboot/Cryptexes', '/private/preboot/Cryptexes', '/usr', '/bin',
  '/sbin', '/Library/Apple', '/Library/Developer', '/Library/Frameworks', '/Library/Java', '/Applications/Xcode.app/Contents/Developer',
  '/opt/homebrew', '/opt/local', '/nix/store', '/private/etc', '/private/var/db/dyld', '/private/var/db/timezone', '/private/var/db/xcode_select_link',
  '/private/var/select',
]

/** The system as mounts. Databases of Homebrew's services are not part of it. */
export const systemMounts: readonly Mount[] = [
  ...systemReads.map((path): Mount => ({ kind: 'read', path })),
  ...['/opt/homebrew/var', '/usr/local/var', '/opt/local/var'].map((path): Mount => ({ kind: 'hide-folder', path })),
]

// biome-ignore format: a list reads better in rows
const sysctls = [
  'argmax', 'bootargs', 'boottime', 'hostname', 'maxfiles', 'maxfilesperproc', 'maxproc', 'ngroups', 'osproductversion', 'osrelease', 'ostype',
  'osvariant_status', 'osversion', 'secure_kernel', 'tcsm_available', 'tcsm_enable', 'usrstack64', 'version', 'willshutdown',
]

/** Logs, notices of the time zone, names of accounts, and the folder for temporary files. */
const services = ['logd', 'system.logger', 'system.notification_center', 'system.opendirectoryd.libinfo', 'bsd.dirhelper']

const base = `(version 1)
(deny default)
(allow process-exec process-fork)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow mach-host*)
(allow mach-lookup ${services.map((name) => `(global-name "com.apple.${name}")`).join(' ')})
(allow sysctl-read
  (sysctl-name-prefix "hw.") (sysctl-name-prefix "machdep.") (sysctl-name-prefix "net.routetable.")
  (sysctl-name "sysctl.proc_cputype") (sysctl-name "vm.loadavg") (sysctl-name "security.mac.lockdown_mode_state")
  ${sysctls.map((name) => `(sysctl-name "kern.${name}")`).join(' ')})
(allow sysctl-write (sysctl-name "kern.tcsm_enable"))
(allow ipc-posix-sem)
(allow ipc-posix-shm-read-data (ipc-posix-name "apple.shm.notification_center"))
(allow file-read-metadata)
(allow file-read* (literal "/") (literal "/dev/random") (literal "/dev/urandom"))
(allow file-read* file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper"))
(allow file-read* file-write-data (subpath "/dev/fd"))`

/** Longest string of a profile, in bytes. */
const maxString = 1000

/**
 * Quotes a path for the profile's language, in which a backslash escapes.
 * @throws {HostError} `server.sandbox-grant` for one that cannot stand in a profile
 */
export function quoted(path: string): string {
  const text = `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u001f\u007f]/.test(path) || !path.isWellFormed() || Buffer.byteLength(text) > maxString)
    throw new HostError('server.sandbox-grant', t`No server may use ${path}.`, { data: { path } })
  return text
}

/** A later rule overrules an earlier one of the same operation. */
export function seatbeltProfile({ mounts, own, proxyPort }: SeatbeltOptions): string {
  const writable = mounts.filter(({ kind }) => kind === 'write')
  const isStrict = ({ kind }: Mount): boolean => kind !== 'read' && kind !== 'write'
  const allow = ({ kind, path }: Mount): string[] => {
    const what = `(subpath ${quoted(path)})`
    if (kind === 'write') return [`(allow file-read* file-map-executable file-write* ${what})`]
    const isInWritable = writable.some((other) => isInside(path, other.path))
    return [`(allow file-read* file-map-executable ${what})`, ...(isInWritable ? [`(deny file-write* ${what})`] : [])]
  }
  const deny = ({ kind, path }: Mount): string =>
    `(deny ${kind === 'keep' ? 'file-write*' : 'file-read* file-map-executable file-write*'} (subpath ${quoted(path)}))`
  return [
    base,
    ...mounts.filter((mount) => !isStrict(mount)).flatMap(allow),
    ...mounts.filter(isStrict).map(deny),
    ...own.flatMap(allow),
    // A folder that is moved away would take along what is kept or hidden in it; a second name of a file would not be known.
    ...[...writable, ...own].map(({ path }) => `(deny file-write-unlink (literal ${quoted(path)}))`),
    '(deny file-link)',
    `(allow network-outbound (remote ip "localhost:${proxyPort}"))`,
    '',
  ].join('\n')
}
