import { readFileSync } from 'node:fs'
import { orElse } from '#app/or-else.ts'

/**
 * Reads a variable that Electron removed from its own process: with the fuse for NODE_OPTIONS off it unsets NODE_EXTRA_CA_CERTS as well
 * (shell/common/node_bindings.cc). On Linux the kernel still has the environment of the start; `file` is replaced in tests.
 */
export function variableAtStart(name: string, file = '/proc/self/environ'): string | undefined {
  const text = orElse(() => readFileSync(file, 'utf8'), '')
  const found = text.split('\0').find((entry) => entry.startsWith(`${name}=`))
  return found?.slice(name.length + 1) || undefined
}

/** Value of the last `--NAME VALUE` or `--NAME=VALUE`. Other arguments are Chromium's switches. */
function lastOption(args: readonly string[], name: string): string | undefined {
  const at = args.findLastIndex((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`))
  if (at < 0) return undefined
  return args[at] === `--${name}` ? args[at + 1] : args[at]?.slice(name.length + 3)
}

export const dataDirOption = (args: readonly string[]): string | undefined => lastOption(args, 'data-dir')

/** Whether the app was started as `Assent mcp`: a server on stdin and stdout for an agent, without a window. */
export const isAgentCommand = (args: readonly string[]): boolean => args.some((arg, at) => arg === 'mcp' && args[at - 1] !== '--data-dir')

/** Arguments for a program that an agent starts: on Linux Electron ends at once without a display, and Chromium's `--headless` is none of it. */
export const withoutScreen = (os: NodeJS.Platform): readonly string[] => (os === 'linux' ? ['--ozone-platform=headless'] : [])

/**
 * Returns the program's path for files that outlive this run. Gatekeeper runs a downloaded Mac app from a random folder until the person moves
 * it, sometimes after that too (electron/electron issue 9293).
 */
export const lastingProgram = (program: string): string => program.replace(/^.*\/AppTranslocation\/.*?(?=[^/]+\.app\/)/, '/Applications/')

/** Sandbox of all local servers of this run; undefined: as each entry and approval says. */
export function sandboxOption(args: readonly string[]): 'on' | 'off' | undefined {
  const value = lastOption(args, 'sandbox')
  return value === 'on' || value === 'off' ? value : undefined
}

/** Purpose of a start: asked for by the jump list, a desktop file, the login, an agent, or keys that the desktop itself binds to it. */
export type StartCommand = 'new-chat' | 'quick-entry' | 'hidden' | 'for-agents' | 'safe'

export const startSwitch = (command: StartCommand): string => `--${command}`

export const hasStartCommand = (args: readonly string[], command: StartCommand): boolean => args.includes(startSwitch(command))
