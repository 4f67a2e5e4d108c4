// A whole host over real files of the apps whose format is known: servers move behind Assent by its own import, serve an agent of the new
// entry, and move back, byte for byte.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { makeTestHost } from '#main/host/host.testing.ts'

const json = (key: string, of: (name: string) => string, head = ''): string =>
  `{\n  // mine: stays\n${head}  "${key}": {\n    "stays": ${of('stays')}, // theirs\n\n    "moves": ${of('moves')},\n    "also-moves": ${of('also-moves')}\n  },\n  "after": [1,2 , 3]\n}\n`
const plain = (name: string): string =>
  `{ "command": "run-${name}", "args": ["--of", "${name}"],\n      "env": { "API_KEY": "k3y-${name}" } }`
const typed = (name: string): string => plain(name).replace('{ ', '{ "type": "stdio", ')
const local = (name: string): string =>
  `{ "type": "local", "command": ["run-${name}", "--of"], "environment": { "API_KEY": "k3y-${name}" }, "enabled": true }`
const strict = (text: string): string => text.replace(/ *\/\/.*/g, '')
const toml = `# mine: stays
model = "x"

[mcp_servers.stays]
command = "run-stays"

[mcp_servers.moves] # theirs
command = "run-moves"
args = [
  "--of", # a comment
  'moves',
]

[mcp_servers.moves.env]
API_KEY = "k3y-moves"

[mcp_servers.also-moves]
command = "run-also-moves"

[after]
list = [1,2 , 3]
`
const yaml = `# mine: stays
extensions:
  stays:
    type: stdio
    cmd: run-stays
    enabled: true
  # theirs
  moves:
    type: stdio
    cmd: run-moves
    args: ['--of', "moves"]
    enabled: true
    envs: { API_KEY: k3y-moves }
  also-moves:
    type: stdio
    cmd: run-also-moves
    enabled: true
after: [1,2 , 3]
`

it.each<[string, string, string]>([
  ['Claude Code', '.claude.json', strict(json('mcpServers', typed))],
  ['Claude Desktop', '.config/Claude/claude_desktop_config.json', strict(json('mcpServers', plain))],
  ['Cursor', '.cursor/mcp.json', json('mcpServers', plain)],
  ['VS Code', '.config/Code/User/mcp.json', json('servers', typed).replaceAll('\n', '\r\n')],
  ['Windsurf', '.codeium/windsurf/mcp_config.json', strict(json('mcpServers', plain)).replaceAll('  ', '\t')],
  ['Cline', '.cline/data/settings/cline_mcp_settings.json', strict(json('mcpServers', plain))],
  [
    'Zed',
    '.config/zed/settings.json',
    json('context_servers', (name) => plain(name).replace('{ ', '{ "source": "custom", '), '  "theme": "x",\n'),
  ],
  ['Goose', '.config/goose/config.yaml', yaml],
  ['LM Studio', '.lmstudio/mcp.json', strict(json('mcpServers', plain)).trimEnd()],
  ['Codex', '.codex/config.toml', toml],
  ['Gemini CLI', '.gemini/settings.json', json('mcpServers', plain, '  "ui": { "theme": "x" },\n')],
  ['Qwen Code', '.qwen/settings.json', json('mcpServers', plain)],
  ['OpenCode', '.config/opencode/opencode.json', json('mcp', local)],
  ['Kiro', '.kiro/settings/mcp.json', strict(json('mcpServers', plain))],
  [
    'Copilot CLI',
    '.copilot/mcp-config.json',
    strict(json('mcpServers', (name) => plain(name).replace('{ ', '{ "type": "local", "tools": ["*"], '))),
  ],
  ['Amazon Q', '.aws/amazonq/mcp.json', strict(json('mcpServers', plain))],
  ['Warp', '.warp/.mcp.json', strict(json('mcpServers', plain))],
  ['Kilo Code', '.config/kilo/kilo.json', json('mcp', local)],
  ['Roo Code', '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json', strict(json('mcpServers', plain))],
  ['Junie', '.junie/mcp/mcp.json', strict(json('mcpServers', plain))],
  ['Amp', '.config/amp/settings.json', json('amp.mcpServers', plain)],
  ['Crush', '.config/crush/crush.json', strict(json('mcp', typed))],
])(
  'servers of %s move behind Assent and back whole',
  async (_, path, before) => {
    const home = mkdtempSync(join(tmpdir(), 'assent-move-'))
    const file = join(home, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, before, { mode: 0o640 })
    const env = { HOME: home, XDG_CONFIG_HOME: join(home, '.config') }
    const { host, remove } = makeTestHost({ env, startServers: false })
    try {
      host.onEvent((event) => {
        if (event.name !== 'consent.opened') return
        const { id } = event.payload.request
        queueMicrotask(() => host.context.broker.answer(id, { kind: 'allow', scope: 'once' }))
      })
      const app = async () => (await host.request('appLink.list', {})).apps.find((one) => one.path === file)
      const moves = ['moves', 'also-moves']
      expect((await app())?.servers.map(({ name, here }) => [name, here])).toEqual([
        ['stays', false],
        ['moves', false],
        ['also-moves', false],
      ])
      const { hosts } = await host.request('appImport.look', {})
      const found = hosts.flatMap(({ files }) => files.filter((one) => one.path === file).flatMap(({ servers }) => servers))
      const taken = found.filter(({ name }) => moves.includes(name)).map(({ id, name }) => ({ id, name, replace: false }))
      await host.request('appImport.take', { servers: taken })
      expect((await app())?.servers.filter(({ here }) => here).map(({ name }) => name)).toEqual(moves)
      const change = async (to: 'connect' | 'disconnect', move: string[] = []) => {
        const preview = await host.request('appLink.preview', { app: (await app())?.id ?? '', to, move })
        expect(`${preview.before}${preview.after}`).not.toMatch(/k3y|assent_mcp_/)
        await host.request('appLink.apply', { change: preview.change })
        return preview
      }
      await change('connect', moves)
      const between = readFileSync(file, 'utf8')
      expect([/run-moves|run-also-moves/.test(between), /run-stays/.test(between), /assent_mcp_/.test(between)]).toEqual([
        false,
        true,
        true,
      ])
      expect((await change('disconnect')).exact).toBe(true)
      expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777, readdirSync(dirname(file)).length]).toEqual([before, 0o640, 1])
      expect((await host.request('gate.list', {})).clients).toEqual([])
    } finally {
      await remove()
      rmSync(home, { recursive: true, force: true })
    }
  },
  30_000,
)
