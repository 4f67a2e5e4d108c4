// Profile of Seatbelt (sandbox-exec(1), macOS) for the same grants. Pure, and tested as text: it was never run.
import type { Mount } from './plan-mounts.ts'

interface SeatbeltOptions {
  readonly mounts: readonly Mount[]
  /** Folder of the server's own. */
  readonly own: string
  /** Port of its proxy on this computer. */
  readonly proxyPort: number
}

// biome-ignore format: a list reads better in rows
const systemReads = [
  '/System', '/usr', '/bin', '/sbin', '/Library/Apple', '/Library/Developer', '/opt/homebrew', '/private/etc',
  '/private/var/db/dyld', '/private/var/db/timezone', '/dev',
]

/** Quotes a path for the profile's language, in which a backslash escapes. */
export const quoted = (path: string): string => `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

const rule = (verb: 'allow' | 'deny', what: string, paths: readonly string[]): string[] =>
  paths.length === 0 ? [] : [`(${verb} ${what}`, ...paths.map((path) => `  (subpath ${quoted(path)})`), ')']

/** A later rule overrules an earlier one. */
export function seatbeltProfile({ mounts, own, proxyPort }: SeatbeltOptions): string {
  const of = (...kinds: readonly Mount['kind'][]): string[] => mounts.filter(({ kind }) => kinds.includes(kind)).map(({ path }) => path)
  return [
    '(version 1)',
    '(deny default)',
    '(import "system.sb")',
    '(allow process-exec process-fork)',
    '(allow signal (target same-sandbox))',
    '(allow file-read-metadata)',
    ...rule('allow', 'file-read*', [...systemReads, own, ...of('read', 'write', 'keep')]),
    ...rule('allow', 'file-write*', [own, ...of('write')]),
    ...rule('deny', 'file-write*', of('keep')),
    ...rule('deny', 'file-read* file-write*', of('hide-folder', 'hide-file')),
    `(allow network-outbound (remote ip "localhost:${proxyPort}"))`,
    '(deny network-outbound (remote unix-socket))',
    '(deny mach-lookup (global-name "com.apple.SecurityServer") (global-name "com.apple.securityd.xpc"))',
    '',
  ].join('\n')
}
