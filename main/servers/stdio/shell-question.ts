// The question that a login shell is asked, and its answer read: all that it exports. Pure. The list is made by `awk`,
// which is everywhere, tells names from values whatever line breaks they hold, and needs no quoting that shells differ in.
import { basename } from 'node:path'

/** Longer than any honest one; two of our own that mark such a start; what a shell sets for itself. */
const longestValue = 128 * 1024
const guards = { ASSENT_RESOLVING_ENVIRONMENT: '1', DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTARTED: 'true' }
const ofTheShell: ReadonlySet<string> = new Set(['_', 'OLDPWD', 'PWD', 'SHLVL', ...Object.keys(guards)])

/** Two start-up scripts that would take the shell over or go to the network are told not to; and a name to tell this start by. */
export const askedWith = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...env, ...guards })

/** How a shell is told to read all its start-up files: nvm and the like are set up in either kind. */
export const interactiveFlags = (shell: string): string => (/^t?csh$/.test(basename(shell)) ? '-ic' : '-ilc')

export interface Markers {
  readonly start: string
  readonly between: string
  readonly end: string
}

/** Without a quote, a `$` or a backslash beyond those that every shell leaves alone within `'…'`. */
export const question = ({ start, between, end }: Markers): string =>
  `/bin/sh -c 'printf "%s%s%s" ${start} "$PATH" ${between}; awk -v s=${between} "BEGIN { for (k in ENVIRON) print k s ENVIRON[k] s }" </dev/null; printf "%s" ${end}'`

/** Undefined: it is not all there, or makes no sense. A shell that repeats the question puts a space behind the first marker. */
export function readAnswer(output: string, { start, between, end }: Markers): Record<string, string> | undefined {
  const body = new RegExp(`${start}(?! )(.*?)${end}`, 's').exec(output)?.[1]
  if (body === undefined) return undefined
  const [path = '', ...parts] = body.split(between)
  if (!path.includes('/')) return undefined
  const variables: Record<string, string> = {}
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const name = (parts[at] ?? '').replace(/^\n/, '')
    const value = parts[at + 1] ?? ''
    const honest = /^[A-Za-z_]\w*$/.test(name) && value.length <= longestValue && !value.includes('\0') && !value.startsWith('()')
    if (honest && !ofTheShell.has(name)) variables[name] = value
  }
  return { ...variables, PATH: path }
}
