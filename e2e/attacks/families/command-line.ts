// The command line, as a process of its own and without a terminal: nobody is there to ask, so nothing is allowed but what
// the caller's own words allow.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CliBench, makeCliBench } from '#main/shell/cli/cli.testing.ts'
import { type Attack, same, unless } from '../attack.ts'

const family = 'command line'
const hostile = join(import.meta.dirname, '../../servers/raw/hostile.ts')

interface Desk {
  readonly bench: CliBench
  /** What the server noted: calls that it ran, answers that it was given. */
  noted(): string
  run(...args: string[]): Promise<{ readonly code: number | null; readonly stdout: string }>
}

const attack = (name: string, play: (desk: Desk) => Promise<readonly string[]>): Attack => ({
  family,
  name,
  async run() {
    const bench = makeCliBench()
    const record = join(bench.folder, 'record.jsonl')
    const config = bench.config({ hostile: { command: process.execPath, args: [hostile, record] } })
    try {
      return await play({
        bench,
        noted: () => (existsSync(record) ? readFileSync(record, 'utf8') : ''),
        run: (...args) => bench.run([...args, '--config', config]),
      })
    } finally {
      await bench.remove()
    }
  },
})

export const commandLine: readonly Attack[] = [
  attack('without a word on approval no server is started', async ({ run, noted }) => {
    const { code } = await run('call', 'hostile', 'wipe')
    const held = [...same('exit', code, 3), ...same('noted', noted(), '')]
    await run('call', 'hostile', 'wipe', '--approve', 'all')
    return [...held, ...unless(noted().includes('"wipe"'), 'control: nothing was run')]
  }),
  attack('a server of the profile is not started by --approve all', async ({ bench, noted }) => {
    const record = join(bench.folder, 'record.jsonl')
    const data = join(bench.folder, 'data')
    const servers = { hostile: { command: process.execPath, args: [hostile, record] } }
    mkdirSync(data)
    writeFileSync(join(data, 'servers.json'), JSON.stringify({ mcpServers: servers }))
    const { code } = await bench.run(['call', 'hostile', 'wipe', '--approve', 'all', '--data-dir', data])
    const held = [...same('exit', code, 3), ...same('noted', noted(), '')]
    await bench.run(['call', 'hostile', 'wipe', '--approve', 'all', '--config', join(data, 'servers.json')])
    return [...held, ...unless(noted().includes('"wipe"'), 'control: nothing was run')]
  }),
  attack('a form is not filled in by --approve all', async ({ run, noted }) => {
    await run('call', 'hostile', 'phish', '--approve', 'all')
    const held = unless(!noted().includes('"content"'), 'it was told something')
    const asked = unless(noted().includes('"phish"'), 'control: it was not called')
    return [...held, ...asked]
  }),
  attack('names that would clear the terminal do not', async ({ run }) => {
    const { stdout } = await run('tools', 'hostile', '--approve', 'all')
    return [
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
      ...unless(!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/.test(stdout), 'terminal codes were written'),
      ...unless(stdout.includes('cod_exe'), 'control: the tool was not listed'),
    ]
  }),
]
