// Splitting of a whole command line that stands where the name of a program belongs: `"command": "npx -y notes-mcp"`.
import { t } from '#app/i18n/translate.ts'
import { isRunner } from '../command-programs.ts'
import { shellPieceIn, splitCommandLine } from '../shell-words.ts'

type WholeLine =
  | { readonly kind: 'words'; readonly program: string; readonly args: readonly string[] }
  /** The line needs a shell. */
  | { readonly kind: 'shell'; readonly piece: string }

/** Splits a whole line. Returns undefined for the name of one program, whose path may hold spaces. */
export function wholeLine(command: string): WholeLine | undefined {
  if (!/\S\s+\S/.test(command) || command.startsWith('$')) return undefined
  const [program = '', ...args] = splitCommandLine(command, /[A-Za-z]:\\/.test(command) ? 'windows' : 'posix')
  if (args.length === 0 || (/[\\/]/.test(program) && !isRunner(program))) return undefined
  const piece = shellPieceIn(command)
  return piece === undefined ? { kind: 'words', program, args } : { kind: 'shell', piece }
}

export const splitNote = () => ({
  message: t`The command is a whole line; it was split into a program and arguments.`,
  remedy: t`See whether they are what you want.`,
})

export const shellProblem = (piece: string) => ({
  message: t`“${piece.slice(0, 80)}” needs a shell, which Assent does not use.`,
  remedy: fixes()[piece] ?? t`Put the value itself there, or put the line into a script.`,
})

const fixes = (): Readonly<Record<string, string>> => ({
  '|': t`Put the line into a script, and add the script.`,
  '>': t`Remove it, or put the line into a script and add the script.`,
  '<': t`Remove it, or put the line into a script and add the script.`,
  '&': t`Remove it: Assent starts and stops the server itself.`,
  '&&': t`Paste the line of the server alone, or put all into a script.`,
  '||': t`Paste the line of the server alone, or put all into a script.`,
  ';': t`Paste the line of the server alone, or put it into quotes if it belongs there.`,
})
