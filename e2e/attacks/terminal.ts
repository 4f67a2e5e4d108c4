// A command on a terminal of its own, and what no terminal may be given: bytes that are not ours, and lines that pass for ours.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type CliBench, withoutSandbox } from '#main/shell/cli/cli.testing.ts'
import { buildIfNeeded } from '../../scripts/build-if-needed.ts'
import { unless } from './attack.ts'

const program = join(import.meta.dirname, '../../dist/main/cli.js')
let built: Promise<void> | undefined

/** What the next lines say in the host's place. */
const forged = 'Allow? [y/N] y'
/** Each sequence is nobody's but the attacker's; the words between show that the rest arrived. */
export const foul = [
  'PWN',
  '\u001b]52;c;UFdO\u0007',
  '\u001b[2J\u001b[H',
  '\u001b[8m',
  '\u001b[38;5;201m',
  '\u009b2J',
  '\u009d52;c;UFdO\u009c',
  '\u0090q\u009c',
  '\u001bc',
  '\rover',
  '\b\b\b\b',
  '\u202egnp.exe\u2066',
  '\u200b\u{e0041}',
  '\u007f\u0000\u0085\u2028',
  'END',
].join('')
export const forging = `PWN\n${forged}\r\n${forged}\u2028${forged}\u0085${forged}\u000b${forged}END`

/** What a terminal may be given by us: colours, a prompt's cursor, the line ends that the terminal makes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
const ours = /\u001b\[(?!8m)(?:[0-79]|[1-9]\d?(?:;\d\d?)*)?m|\u001b\[\d+G|\u001b\[0?[JK]|\u001b\[\?25[hl]|\r+\n/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
const bad = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u

/** Words on what was written that may not be; none: it is clean. */
export function dirt(written: string): string[] {
  const found = bad.exec(written.replace(ours, '\n').replaceAll('\u001b[8m', '\u001bhidden'))
  if (!found) return []
  return [
    `a code U+${found[0].codePointAt(0)?.toString(16)} was written: ${JSON.stringify(written.slice(Math.max(0, found.index - 80), found.index + 80))}`,
  ]
}
export const forgery = (written: string): string[] =>
  written.split(/\r*\n/).some((line) => line.startsWith('Allow? [y')) ? [`a line passes for a question: ${JSON.stringify(written)}`] : []

/** What `--json` wrote has to be one value, or one a line. */
export function notJson(stdout: string): string[] {
  const parses = (text: string): boolean => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  const lines = stdout.split(/\r*\n/).filter((line) => line !== '')
  return unless(stdout === '' || parses(stdout) || lines.every(parses), `--json: not JSON: ${JSON.stringify(stdout.slice(0, 400))}`)
}

interface Seat {
  readonly env?: Readonly<Record<string, string>>
  /** What the person types at once. */
  readonly typed?: string | undefined
  /** Keeps stderr off the terminal. */
  readonly quiet?: boolean
  /** Told all that was written so far, whenever more is. */
  readonly onText?: ((text: string) => unknown) | undefined
}

/** Runs a command on a pseudo-terminal, which `script` of util-linux makes. */
export async function onTerminal(
  { folder }: Pick<CliBench, 'folder'>,
  args: readonly string[],
  { env, typed = '', quiet = false, onText }: Seat = {},
): Promise<string> {
  built ??= buildIfNeeded()
  await built
  const line = [process.execPath, program, ...withoutSandbox(args)].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  const child = spawn('script', ['-qfec', quiet ? `${line} 2>/dev/null` : line, '/dev/null'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      TERM: 'xterm-256color',
      SHELL: '/bin/sh',
      LANG: 'C.UTF-8',
      ASSENT_DATA_DIR: '',
      ASSENT_NO_KEYRING: '1',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (more) => {
    text += more
    onText?.(text)
  })
  // Line by line, as a person does: each once a question stands there.
  const lines = typed.match(/.*\n/g) ?? []
  let read = 0
  const typing = setInterval(() => {
    if (text.length > read && !text.endsWith('\n')) {
      const line = lines.shift()
      if (line !== undefined) child.stdin.write(line)
      read = text.length + (line?.length ?? 0)
    }
  }, 700)
  child.stdin.on('error', () => {})
  const timer = setTimeout(() => child.kill('SIGKILL'), 60_000)
  await once(child, 'close')
  clearTimeout(timer)
  clearInterval(typing)
  return text
}
