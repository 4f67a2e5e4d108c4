import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'

export interface CommandLine {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** Throws `server.spawn-failed` for what would end a line, or a text before its end. */
export function checkCommandLine({ command, args, env = {}, cwd = '' }: CommandLine): void {
  const odd = (text: string): boolean => /[\0\r\n]/.test(text)
  const at = args.findIndex(odd)
  const variable = Object.entries(env).find((pair) => pair.some((text) => text.includes('\0')))?.[0]
  const field = odd(command) ? 'command' : at !== -1 ? 'args' : odd(cwd) ? 'cwd' : variable !== undefined ? 'env' : undefined
  if (field === undefined) return
  throw new HostError('server.spawn-failed', t`The command or its arguments hold a line break or a NUL, which no command line may.`, {
    data: { command, reason: 'control-character', field, ...(field === 'args' ? { argument: at + 1 } : {}) },
  })
}
