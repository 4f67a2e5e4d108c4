// What is looked at in two windows, against a home of the test's own; the file and the store are not what is tested here.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { asDefined } from '#app/server/candidate.ts'
import { type ServerDefinition, secretMask } from '#app/server/definition.ts'
import type { ConfigImportQuestion, ConfigImportVerdict } from '#main/consent/broker-api.ts'
import type { HostContext } from '../request-handlers.ts'
import { importFromAppHandlers } from './import-from-app.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'assent-looks-'))
  mkdirSync(join(home, '.cursor'))
})
afterEach(() => rmSync(home, { recursive: true }))
const inCursor = (command: string, env: Record<string, string> = {}): void =>
  writeFileSync(join(home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { notes: { command, env } } }))

const missingIn = (definition: ServerDefinition): string | undefined =>
  definition.transport === 'stdio' && definition.command === 'uvx' ? 'uv' : undefined

function make() {
  const here = new Map<string, ServerDefinition>()
  /** Entries as they were written when the approval of their start was kept. */
  const kept: unknown[] = []
  const host = {
    env: { HOME: home, APPDATA: home, XDG_CONFIG_HOME: home },
    config: { definitions: () => here, inputs: () => new Map(), save: (name: string, one: ServerDefinition) => here.set(name, one) },
    inputs: {
      declared: () => new Map(),
      setAll: async () => () => undefined,
      prune: async () => undefined,
      release: async () => undefined,
      configure: () => undefined,
    },
    broker: {
      configImport: async ({ servers }: ConfigImportQuestion): Promise<ConfigImportVerdict> => ({
        outcome: 'allowed',
        approved: new Map(servers.map(({ name }) => [name, { keep: () => kept.push(here.get(name)) }])),
      }),
    },
    servers: { missingProgram: async (_name: string, definition: ServerDefinition) => missingIn(definition) },
    platform: { secrets: { kind: 'memory' } },
    store: { audit: { append: () => undefined } },
  } as unknown as HostContext // Only what taking over stands on.
  const requests = importFromAppHandlers(host)
  const look = async (): Promise<string> => {
    const { hosts } = await requests['appImport.look']({})
    const id = hosts[0]?.files[0]?.servers[0]?.id
    if (id === undefined) throw new Error('Nothing was found.')
    return id
  }
  return {
    here,
    kept,
    requests,
    look,
    take: (id: string) => requests['appImport.take']({ servers: [{ id, name: 'notes', replace: true }] }),
  }
}

it('reads pasted text by the reader of pasted text', async () => {
  const { requests } = make()
  const { hosts } = await requests['appImport.look']({ text: 'claude mcp add notes -e KEY=<your-key> -- npx notes-mcp /path/to/notes' })
  expect(hosts).toMatchObject([
    { host: 'other', files: [{ servers: [{ name: 'notes', definition: { args: ['notes-mcp', '@{input:path}'.replace('@', '$')] } }] }] },
  ])
})

it.each([
  ['npx notes-mcp', []],
  ['uvx ledger-mcp', [{ kind: 'program', name: 'uv' }]],
  ['-e KEY=<your-key> -- npx notes-mcp', [{ kind: 'key' }]],
  ['npx notes-mcp /path/to/notes', [{ kind: 'value' }]],
  ['-e KEY=<your-key> -- uvx notes-mcp /path/to/notes', [{ kind: 'value' }, { kind: 'key' }, { kind: 'program', name: 'uv' }]],
  ['-e KEY=s3cret-0123456789abcdef -- npx notes-mcp', []],
  ['/path/to/notes', [{ kind: 'value' }]],
])('says what a server lacks before it is asked about: %s', async (line, needs) => {
  const { requests } = make()
  const text = line.startsWith('-e') ? `claude mcp add notes ${line}` : `claude mcp add notes -- ${line}`
  const { hosts } = await requests['appImport.look']({ text })
  expect(hosts[0]?.files[0]?.servers[0]?.needs).toEqual(needs)
})

it('what one window shows can be taken over after another one has looked, and is what it showed', async () => {
  const { here, kept, look, take } = make()
  inCursor('first')
  const shown = await look()
  inCursor('second')
  await look()
  expect(await take(shown)).toMatchObject({ taken: ['notes'] })
  expect(here.get('notes')).toMatchObject({ command: 'first' })
  expect(kept).toEqual([here.get('notes')])
})

it('of a look that is long past nothing is kept', async () => {
  const { look, take } = make()
  inCursor('first')
  const shown = await look()
  for (let more = 0; more < 8; more++) await look()
  await expect(take(shown)).rejects.toMatchObject({ code: 'config.invalid' })
})

it('a mask in the file of another program does not come by the value that the server here has', async () => {
  const { here, look, take } = make()
  here.set('notes', { ...asDefined, transport: 'stdio', command: 'mine', args: [], env: { NOTES_PLACE: 'value of mine' } })
  inCursor('theirs', { NOTES_PLACE: secretMask })
  await take(await look())
  expect(JSON.stringify(here.get('notes'))).not.toContain('value of mine')
})

it.each(['<path-to>/server', '/path/to/server', 'YOUR_COMMAND'])(
  'refuses a program that only shows what belongs there: %s',
  async (command) => {
    const { here, look, take } = make()
    inCursor(command)
    await expect(take(await look())).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining(command.slice(0, 8)),
    })
    expect(here.size).toBe(0)
  },
)
