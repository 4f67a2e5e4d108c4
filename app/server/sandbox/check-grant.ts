// Checks a grant as the person types it: its form, and whether it leads into a place that is secret. The host checks it again, with links
// resolved. Pure.
import { parseHostPattern } from './host-pattern.ts'
import { neverReadable, type SecretKind, secretGroups } from './protected-paths.ts'
import type { SandboxGrants } from './sandbox-settings.ts'

/** Lists that a person edits. */
export type GrantList = 'read' | 'write' | 'hosts'

/** `never`: no server may. `secret-write`: a secret place may be read after a review, and never be written. */
export type GrantFault = 'empty' | 'relative' | 'pattern' | 'control' | 'never' | 'secret-write' | 'not-a-host' | 'present'

export type GrantCheck =
  | { readonly kind: 'ok'; readonly value: string }
  | { readonly kind: 'secret'; readonly value: string; readonly secret: SecretKind }
  | { readonly kind: 'fault'; readonly fault: GrantFault }

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.')

/** Whether a path is at one that is relative to a home folder, or below it. Dot files count in any folder: where the home folder is, is not known. */
function isAt(path: string, relative: string): boolean {
  const parts = partsOf(path.toLowerCase())
  const wanted = partsOf(relative.toLowerCase())
  const isHere = (from: number): boolean => wanted.every((part, at) => parts[from + at] === part)
  const inHome = parts[0] === '~' || parts[0] === 'root' ? 1 : parts[0] === 'home' || parts[0] === 'users' ? 2 : undefined
  if (inHome !== undefined && isHere(inHome)) return true
  return relative.startsWith('.') && parts.some((_, from) => isHere(from))
}

/** Kind of secret that a path leads into; undefined: none that is known. */
export const secretKindOf = (path: string): SecretKind | undefined =>
  (Object.keys(secretGroups) as SecretKind[]).find((kind) => secretGroups[kind].some((secret) => isAt(path, secret)))

/** @param typed text of the field; blanks around it do not count */
export function checkGrant(list: GrantList, typed: string, { [list]: present }: Pick<SandboxGrants, GrantList>): GrantCheck {
  const text = typed.trim()
  const value = list === 'hosts' ? text : text.replace(/(?<=[^/])\/+$/, '')
  const fault = value === '' ? 'empty' : present.includes(value) ? 'present' : list === 'hosts' ? faultOfHost(value) : faultOfPath(value)
  if (fault) return { kind: 'fault', fault }
  const secret = list === 'hosts' ? undefined : secretKindOf(value)
  if (secret === undefined) return { kind: 'ok', value }
  return list === 'write' ? { kind: 'fault', fault: 'secret-write' } : { kind: 'secret', value, secret }
}

const faultOfHost = (value: string): GrantFault | undefined => (parseHostPattern(value) ? undefined : 'not-a-host')

function faultOfPath(value: string): GrantFault | undefined {
  if (!(value.startsWith('/') || value === '~' || value.startsWith('~/'))) return 'relative'
  if (value.includes('*')) return 'pattern'
  if (/\p{Cc}/u.test(value)) return 'control'
  return neverReadable.some((never) => isAt(value, never)) ? 'never' : undefined
}
