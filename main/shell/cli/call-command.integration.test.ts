// What “Copy command” copies, given to a real shell: each word arrives as it was, and the command line reads it.
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { callCommand } from '#app/server/call-command.ts'
import { readCommandLine } from './command-line.ts'

const calls: readonly (readonly [string, string, string, JsonObject])[] = [
  ['plain words', 'files', 'read_file', { path: '/a b' }],
  ['quotes', "o'brien", 'say "hi"', { text: `it's "$HOME" \`id\` $(id) !! \\` }],
  ['line ends and hidden characters', 'files', 'write', { text: 'a\nb\u202e\u0000\u{e0041}é' }],
  ['names that begin like options', '--json', '-x', {}],
  ['what a shell would run', 'a;b', 'c|d&e', { a: '$(touch /tmp/x)', '*': '~' }],
  ['typographic quotation marks', 'a’b', 'c‘d', { text: '‚’‘‛' }],
]

/** As a POSIX shell hands the words to a program. */
function inShell(command: string): string[] {
  const { stdout } = spawnSync('sh', ['-c', `assent() { printf '%s\\0' "$@"; }\n${command}`], { encoding: 'utf8' })
  return stdout.split('\0').slice(0, -1)
}

/** By PowerShell's rules for text in single quotation marks (about_Quoting_Rules): any of the five, doubled, is one. */
const inPowerShell = (command: string): string[] =>
  [...command.matchAll(/'((?:[^'\u2018\u2019\u201a\u201b]|(['\u2018\u2019\u201a\u201b])\2)*)'|(\S+)/g)].map(([, quoted, , bare]) =>
    quoted === undefined ? (bare ?? '') : quoted.replace(/(['\u2018\u2019\u201a\u201b])\1/g, '$1'),
  )

describe('a copied call', () => {
  it.each(calls)('with %s arrives as it was', (_name, server, tool, args) => {
    const call = { server, tool, arguments: args }
    const line = callCommand(call, 'posix') ?? ''
    const [posix, power] = [inShell(line), inPowerShell(callCommand(call, 'powershell') ?? '').slice(1)]
    expect(power).toEqual(posix)
    const read = readCommandLine(posix)
    expect(read).toMatchObject({ kind: 'run', command: 'call', positionals: [server, tool, expect.any(String)] })
    expect(JSON.parse(posix.find((word) => word.startsWith('{')) ?? '')).toEqual(args)
  })
})
