// Against a home of the test's own. The entries of the gate are a fake: a client is its token.
import { chmodSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { asDefined } from '#app/server/candidate.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { MASK } from '#app/text/secret-names.ts'
import { modeOf } from '#main/base/this-system.testing.ts'
import type { HostContext } from '../request-handlers.ts'
// Loaded when a file is read; here, so that its time is none of a test's.
import '#app/server/import/read-snippet.ts'
import { appLinkHandlers } from './app-link-requests.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'assent-links-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}
const read = (path: string): string => readFileSync(join(home, path), 'utf8')

function make(kind: 'keyring' | 'memory' = 'keyring') {
  const here = new Map<string, ServerDefinition>()
  const secrets = new Map<string, string>()
  /** Tokens by client, the newest last. */
  const clients = new Map<string, string>()
  let made = 0
  const newToken = (): string => `assent_mcp_token-${++made}`
  const host = {
    env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config') },
    config: { definitions: () => here, inputs: () => new Map() },
    platform: {
      commandLine: (command: string) => ['/opt/Assent/assent', command],
      secrets: {
        kind,
        get: async (name: string) => secrets.get(name),
        set: async (name: string, value: string) => void secrets.set(name, value),
        delete: async (name: string) => void secrets.delete(name),
      },
    },
    gate: {
      clients: {
        add({ app }: { app: string }) {
          const id = `${app}-${clients.size}`
          clients.set(id, newToken())
          return { client: { id }, token: clients.get(id) }
        },
        renewToken(id: string) {
          clients.set(id, newToken())
          return clients.get(id)
        },
        withToken: (token: string) => [...clients].filter(([, own]) => own === token).map(([id]) => ({ id }))[0],
        remove: (id: string) => clients.delete(id),
      },
    },
  } as unknown as HostContext // Only what a link stands on.
  const requests = appLinkHandlers(host)
  const list = async () => (await requests['appLink.list']({})).apps
  const preview = async (to: 'connect' | 'disconnect' | 'renew', move: string[] = [], index = 0) => {
    const app = (await list())[index]
    if (!app) throw new Error('Nothing was found.')
    return requests['appLink.preview']({ app: app.id, to, move })
  }
  const apply = async (to: 'connect' | 'disconnect' | 'renew', move: string[] = []) => {
    const { change } = await preview(to, move)
    return requests['appLink.apply']({ change })
  }
  return { here, secrets, clients, requests, list, preview, apply }
}

const entry = (token: string) => ({ command: '/opt/Assent/assent', args: ['mcp'], env: { ASSENT_MCP_TOKEN: token } })
const cursor = '{\n  // mine\n  "mcpServers": {\n    "notes": { "command": "notes", "env": { "API_KEY": "k3y" } } // keep\n  }\n}\n'

describe('an app is connected', () => {
  it.each<[string, string, string, unknown]>([
    [
      'Claude Code',
      '.claude.json',
      '{"numStartups":1,"mcpServers":{}}',
      { mcpServers: { assent: { type: 'stdio', ...entry('assent_mcp_token-1') } } },
    ],
    ['Cursor', '.cursor/mcp.json', cursor.replace(/\/\/.*/g, ''), { mcpServers: { assent: entry('assent_mcp_token-1') } }],
    ['VS Code', '.config/Code/User/mcp.json', '{"servers":{}}', { servers: { assent: { type: 'stdio', ...entry('assent_mcp_token-1') } } }],
    [
      'Zed',
      '.config/zed/settings.json',
      '{"theme":"x"}',
      { theme: 'x', context_servers: { assent: { source: 'custom', ...entry('assent_mcp_token-1') } } },
    ],
    ['Gemini CLI', '.gemini/settings.json', '{"theme":"x"}', { theme: 'x', mcpServers: { assent: entry('assent_mcp_token-1') } }],
    ['Windsurf', '.codeium/windsurf/mcp_config.json', '', { mcpServers: { assent: entry('assent_mcp_token-1') } }],
    [
      'OpenCode',
      '.config/opencode/opencode.json',
      '{}',
      { mcp: { assent: { type: 'local', command: ['/opt/Assent/assent', 'mcp'], enabled: true } } },
    ],
    ['Amp', '.config/amp/settings.json', '{}', { 'amp.mcpServers': { assent: entry('assent_mcp_token-1') } }],
  ])('%s, in its own form', async (_, path, text, wanted) => {
    put(path, text)
    const { apply, list, secrets } = make()
    expect(await list()).toMatchObject([{ path: join(home, path), state: 'absent' }])
    await apply('connect')
    expect(JSON.parse(read(path))).toMatchObject(wanted as object)
    expect(await list()).toMatchObject([{ state: 'connected', client: expect.any(String) }])
    await apply('disconnect')
    expect([read(path), secrets.size]).toEqual([text, 0])
  })

  it.each([
    ['Codex', '.codex/config.toml', 'model = "x" # mine\n', '[mcp_servers.assent.env]\nASSENT_MCP_TOKEN = "assent_mcp_token-1"'],
    [
      'Goose',
      '.config/goose/config.yaml',
      '# mine\nextensions:\n  a:\n    enabled: true\n',
      '    envs:\n      ASSENT_MCP_TOKEN: assent_mcp_token-1',
    ],
  ])('%s, beside what is there', async (_, path, text, wanted) => {
    put(path, text)
    const { apply, list } = make()
    await apply('connect')
    expect(read(path)).toContain(wanted)
    expect(await list()).toMatchObject([{ state: 'connected' }])
    await apply('disconnect')
    expect(read(path)).toBe(text)
  })

  it('in a file of its own, where there is none yet, and without it again', async () => {
    mkdirSync(join(home, '.cursor'))
    const { apply, preview } = make()
    expect(await preview('connect')).toMatchObject({ before: null, after: expect.stringContaining('"assent"') })
    await apply('connect')
    expect(modeOf(join(home, '.cursor/mcp.json'), 0o600)).toBe(0o600)
    await apply('disconnect')
    expect(() => read('.cursor/mcp.json')).toThrow('ENOENT')
  })

  it('with what was shown, but for the token, which no page gets; its mode stays', async () => {
    put('.cursor/mcp.json', cursor)
    chmodSync(join(home, '.cursor/mcp.json'), 0o640)
    const { preview, requests } = make()
    const shown = await preview('connect')
    expect(shown.after).not.toMatch(/assent_mcp_|k3y/)
    await requests['appLink.apply']({ change: shown.change })
    const written = read('.cursor/mcp.json')
    expect(written.replace(/assent_mcp_[\w-]+|k3y/g, MASK)).toBe(shown.after)
    expect(modeOf(join(home, '.cursor/mcp.json'), 0o640)).toBe(0o640)
  })
})

describe('a file is left alone', () => {
  it.each<[string, () => void]>([
    ['changed since it was shown', () => put('.cursor/mcp.json', `${cursor}\n`)],
    ['gone since it was shown', () => rmSync(join(home, '.cursor/mcp.json'))],
    ['locked by its program', () => mkdirSync(join(home, '.cursor/mcp.json.lock'))],
    [
      'a link out of the home folder by now',
      () => {
        rmSync(join(home, '.cursor/mcp.json'))
        symlinkSync('/etc/hostname', join(home, '.cursor/mcp.json'))
      },
    ],
  ])('%s', async (_, happens) => {
    put('.cursor/mcp.json', cursor)
    const { preview, requests, clients } = make()
    const { change } = await preview('connect')
    happens()
    const text = (() => {
      try {
        return read('.cursor/mcp.json')
      } catch {
        return undefined
      }
    })()
    await expect(requests['appLink.apply']({ change })).rejects.toMatchObject({ code: 'app-file.refused' })
    expect(clients.size).toBe(0)
    if (text !== undefined) expect(read('.cursor/mcp.json')).toBe(text)
  })

  it.each<[string, () => void]>([
    ['a link out of the home folder', () => symlinkSync('/etc/hostname', join(home, '.cursor/mcp.json'))],
    ['a link to nothing', () => symlinkSync(join(home, 'nothing'), join(home, '.cursor/mcp.json'))],
    [
      'a second name',
      () => {
        put('other.json', cursor)
        linkSync(join(home, 'other.json'), join(home, '.cursor/mcp.json'))
      },
    ],
    ['half written', () => put('.cursor/mcp.json', cursor.slice(0, 60))],
    ['not UTF-8', () => writeFileSync(join(home, '.cursor/mcp.json'), Buffer.from([0x7b, 0xff, 0x7d]))],
    ['a folder', () => mkdirSync(join(home, '.cursor/mcp.json'))],
  ])('%s', async (_, prepare) => {
    mkdirSync(join(home, '.cursor'))
    prepare()
    const { list, preview } = make()
    expect(await list()).toMatchObject([{ state: 'refused', problem: expect.any(String), servers: [] }])
    await expect(preview('connect')).rejects.toMatchObject({ code: 'app-file.refused' })
  })

  it('and is followed to where its owner keeps it, inside of the home folder', async () => {
    put('dotfiles/cursor.json', cursor)
    mkdirSync(join(home, '.cursor'))
    symlinkSync('../dotfiles/cursor.json', join(home, '.cursor/mcp.json'))
    const { preview, apply } = make()
    expect(await preview('connect')).toMatchObject({ path: join(home, 'dotfiles/cursor.json') })
    await apply('connect')
    expect(read('dotfiles/cursor.json')).toContain('"assent"')
    expect(statSync(join(home, '.cursor/mcp.json')).ino).toBe(statSync(join(home, 'dotfiles/cursor.json')).ino)
  })
})

describe('servers move behind Assent', () => {
  const notes: ServerDefinition = {
    ...asDefined,
    transport: 'stdio',
    command: 'notes',
    args: [],
    env: { API_KEY: '@{input:api-key}'.replace('@', '$') },
  }

  it('once Assent has them, not before, and come back whole', async () => {
    put('.cursor/mcp.json', cursor)
    const { here, list, apply } = make()
    expect(await list()).toMatchObject([{ servers: [{ name: 'notes', here: false }] }])
    await expect(apply('connect', ['notes'])).rejects.toMatchObject({ code: 'server.unknown' })
    expect(read('.cursor/mcp.json')).toBe(cursor)
    here.set('notes', notes)
    await apply('connect', ['notes'])
    expect([read('.cursor/mcp.json').includes('k3y'), read('.cursor/mcp.json').includes('// keep')]).toEqual([false, true])
    await apply('disconnect')
    expect(read('.cursor/mcp.json')).toBe(cursor)
  })

  it('and come back into a file that was changed since, beside the changes', async () => {
    put('.cursor/mcp.json', cursor)
    const { here, apply, preview } = make()
    here.set('notes', notes)
    await apply('connect', ['notes'])
    put('.cursor/mcp.json', read('.cursor/mcp.json').replace('// mine', '// mine, changed'))
    expect((await preview('disconnect')).exact).toBe(false)
    await apply('disconnect')
    const after = read('.cursor/mcp.json')
    expect([after.includes('assent'), after.includes('// mine, changed'), after.includes('"API_KEY": "k3y"')]).toEqual([false, true, true])
  })
})

it('without a keyring no server moves: what is cut would be lost with this run', async () => {
  put('.cursor/mcp.json', cursor)
  const { list, apply } = make('memory')
  expect(await list()).toMatchObject([{ state: 'absent', servers: [] }])
  await expect(apply('connect', ['notes'])).rejects.toMatchObject({ code: 'server.unknown' })
  expect(read('.cursor/mcp.json')).toBe(cursor)
})

it('a changed entry is written anew, a renewed token too, and undo still leads to the beginning', async () => {
  put('.cursor/mcp.json', cursor)
  const { apply, list, clients } = make()
  await apply('connect')
  await apply('renew')
  expect([
    ...clients.values(),
    read('.cursor/mcp.json')
      .match(/assent_mcp_[\w-]+/g)
      ?.join(),
  ]).toEqual(['assent_mcp_token-2', 'assent_mcp_token-2'])
  put('.cursor/mcp.json', read('.cursor/mcp.json').replace('/opt/Assent/assent', '/old/assent'))
  expect(await list()).toMatchObject([{ state: 'changed' }])
  put('.cursor/mcp.json', read('.cursor/mcp.json').replace('/old/assent', '/opt/Assent/assent'))
  await apply('disconnect')
  expect([read('.cursor/mcp.json'), clients.size]).toEqual([cursor, 0])
})

/** Entries as the programs' own documents have them, with the page. */
const documented: Readonly<Record<string, readonly [source: string, file: unknown]>> = (() => {
  const command = '/opt/Assent/assent'
  const args = ['mcp']
  const env = { ASSENT_MCP_TOKEN: 'assent_mcp_t' }
  const plain = { command, args, env }
  const local = { type: 'local', command: [command, ...args], environment: env, enabled: true }
  const map = (entry: unknown, key = 'mcpServers') => ({ [key]: { assent: entry } })
  return {
    'claude-code': ['https://code.claude.com/docs/en/mcp', map({ type: 'stdio', ...plain })],
    'claude-desktop': ['https://modelcontextprotocol.io/docs/develop/connect-local-servers', map(plain)],
    cursor: ['https://docs.cursor.com/context/model-context-protocol', map(plain)],
    vscode: ['https://code.visualstudio.com/docs/copilot/customization/mcp-servers', map({ type: 'stdio', ...plain }, 'servers')],
    windsurf: ['https://docs.windsurf.com/windsurf/cascade/mcp', map(plain)],
    cline: ['https://docs.cline.bot/mcp/configuring-mcp-servers', map(plain)],
    zed: ['https://zed.dev/docs/ai/mcp', map({ source: 'custom', ...plain }, 'context_servers')],
    goose: [
      'https://github.com/aaif-goose/goose/blob/main/documentation/docs/guides/config-files.md',
      map({ type: 'stdio', name: 'Assent', enabled: true, cmd: command, args, envs: env, timeout: 300 }, 'extensions'),
    ],
    'lm-studio': ['https://lmstudio.ai/docs/app/mcp', map(plain)],
    continue: ['https://docs.continue.dev/customize/deep-dives/mcp', map(plain)],
    codex: ['https://developers.openai.com/codex/mcp', map(plain, 'mcp_servers')],
    'gemini-cli': ['https://geminicli.com/docs/reference/configuration', map(plain)],
    'qwen-code': ['https://qwenlm.github.io/qwen-code-docs/1.x/en/users/mcp/', map(plain)],
    opencode: ['https://opencode.ai/docs/mcp-servers/', map(local, 'mcp')],
    kiro: ['https://kiro.dev/docs/mcp/configuration', map(plain)],
    'copilot-cli': [
      'https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers',
      map({ type: 'local', ...plain, tools: ['*'] }),
    ],
    'amazon-q': ['https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/mcp-ide.html', map(plain)],
    warp: ['https://docs.warp.dev/agents/capabilities/mcp/', map(plain)],
    'roo-code': ['https://docs.roocode.com/features/mcp/using-mcp-in-roo', map(plain)],
    'kilo-code': ['https://kilo.ai/docs/automate/mcp/using-in-kilo-code', map(local, 'mcp')],
    junie: ['https://junie.jetbrains.com/docs/junie-cli-mcp-configuration.html', map(plain)],
    amp: ['https://ampcode.com/manual', map(plain, 'amp.mcpServers')],
    crush: ['https://github.com/charmbracelet/crush/blob/main/README.md', map({ type: 'stdio', ...plain }, 'mcp')],
  }
})()

it('each app has a file to copy, in the form of its documents, which Assent reads back', async () => {
  const { snippets } = await make().requests['appLink.snippets']({ token: 'assent_mcp_t' })
  const read = { codex: parseToml, goose: parseYaml } as Readonly<Record<string, (text: string) => unknown>>
  const files = snippets.map(({ host, text }) => [host, (read[host] ?? JSON.parse)(text)])
  expect(Object.fromEntries(files)).toEqual(Object.fromEntries(Object.entries(documented).map(([host, [, file]]) => [host, file])))
  const { readHostFile } = await import('#app/server/import/read-snippet.ts')
  const paths: Readonly<Record<string, string>> = { codex: '/x.toml', goose: '/x.yaml' }
  for (const { host, text } of snippets)
    expect([
      host,
      readHostFile(host, text, paths[host] ?? '/x.json').servers.map(({ name, definition }) => [name, definition]),
    ]).toMatchObject([host, [['assent', { command: '/opt/Assent/assent', args: ['mcp'] }]]])
})
