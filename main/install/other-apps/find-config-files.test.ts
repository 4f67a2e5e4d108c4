// Places of other programs in a home of the test's own.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AppConfigFile, findAppConfigFiles, findConfigFilesIn } from './find-config-files.ts'

const home = mkdtempSync(join(tmpdir(), 'assent-look-'))
const system = { platform: 'linux', home, env: {} }
const put = (path: string, value: unknown): void => {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), typeof value === 'string' ? value : JSON.stringify(value))
}
const folder = '$' + '{workspaceFolder}'
const extension = join(home, '.config/Claude/Claude Extensions/ant.dir.files')

const crushrc = `
provider add ollama --type ollama --base-url "http://localhost:11434/v1"
source ~/team/crush-base.sh
if [[ $HOSTNAME == "babysquid" ]]; then
  mcp add tracker --type http --url "https://tracker.example/mcp" --oauth true \\
    --header Authorization "Bearer $(touch ${join(home, 'ran')})" --header X-Team "$TEAM"
fi
mcp add notes --command node --args /srv/notes.js --env NOTES_DIR "$HOME/notes" --disabled true
mcp remove notes
`

beforeAll(() => {
  put('.config/Code/User/profiles/-1a2b/mcp.json', { servers: { profiled: { command: 'a' } } })
  put('.config/Code/User/profiles/-1a2b/settings.json', {})
  put('.var/app/dev.zed.Zed/config/zed/settings.json', { context_servers: { packaged: { command: 'b' } } })
  put('.codex/config.toml', 'model = "x"\n[mcp_servers.docs]\ncommand = "c"\n')
  put('books/.vscode/mcp.json', {
    servers: { notes: { command: 'npx', args: [`${folder}/notes`] }, far: { url: 'https://far.example/mcp' } },
  })
  put('books/shelf.code-workspace', { settings: { mcp: { servers: { kept: { command: 'd', cwd: '/else' } } } } })
  put('odd$' + '{input:token}/.mcp.json', { mcpServers: { odd: { command: folder } } })
  put('empty/readme.txt', 'nothing')
  put('.config/opencode/opencode.jsonc', '{ /* mine */ "mcp": { "local": { "type": "local", "command": ["npx", "-y", "e"] } } }')
  put('.config/crush/crush.json', { mcp: { slow: { type: 'stdio', command: 'f', timeout: 120 } } })
  put('.config/crush/crushrc', crushrc)
  put('.config/Claude/Claude Extensions/ant.dir.files/manifest.json', {
    manifest_version: '0.3',
    name: 'files',
    display_name: 'Files',
    version: '1.0.0',
    description: 'Reads files',
    author: { name: 'Ada' },
    server: {
      type: 'node',
      entry_point: 'server/index.js',
      mcp_config: {
        command: 'node',
        args: ['@{__dirname}/server/index.js', '@{user_config.folders}'].map((arg) => arg.replace('@', '$')),
        env: { TOKEN: '@{user_config.token}'.replace('@', '$'), SITE: '@{user_config.site}'.replace('@', '$') },
      },
    },
    user_config: {
      folders: { type: 'directory', title: 'Folders', multiple: true },
      token: { type: 'string', title: 'Token', sensitive: true, required: true },
      site: { type: 'string', title: 'Site', required: true },
    },
  })
  put('.config/Claude/Claude Extensions Settings/ant.dir.files.json', {
    isEnabled: true,
    userConfig: { folders: ['/home/ada/books', '/srv'] },
  })
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const found = (files: readonly AppConfigFile[]): unknown[] =>
  files.flatMap(({ host, snippet }) => [
    ...snippet.servers.map(({ name, definition }) =>
      definition.transport === 'stdio' ? [host, name, ...definition.args, definition.cwd] : [host, name],
    ),
    ...snippet.problems.map(({ server }) => [host, 'not read', server]),
  ])

it('finds those of profiles and of packaged programs, and of TOML', async () => {
  expect(found(await findAppConfigFiles(system))).toEqual([
    ['claude-desktop', 'Files', `${extension}/server/index.js`, '/home/ada/books', '/srv', undefined],
    ['vscode', 'profiled', undefined],
    ['zed', 'packaged', undefined],
    ['codex', 'docs', undefined],
    ['opencode', 'local', '-y', 'e', undefined],
    ['crush', 'slow', undefined],
    ['crush', 'tracker'],
    ['crush', 'notes', '/srv/notes.js', undefined],
    ['crush', 'not read', undefined],
  ])
})

it('reads the servers of Crush’s script, runs nothing of it, and names what it leaves out', async () => {
  const files = await findAppConfigFiles(system)
  const snippet = files.find(({ path }) => path.endsWith('crushrc'))?.snippet
  const [tracker, notes] = snippet?.servers ?? []
  const reference = (text: string): string => text.replace('@', '$')
  expect(tracker?.definition).toMatchObject({
    transport: 'streamable-http',
    url: 'https://tracker.example/mcp',
    headers: { Authorization: reference('Bearer @{input:token}'), 'X-Team': reference('@{env:TEAM}') },
  })
  expect(tracker?.problems.map(({ message }) => message)).toEqual([`“$(touch ${join(home, 'ran')})” is not run.`])
  expect(notes?.definition).toMatchObject({ command: 'node', enabled: false, env: { NOTES_DIR: reference('@{userHome}/notes') } })
  expect(snippet?.problems.map(({ line, message }) => [line, message])).toEqual([[3, '“source ~/team/crush-base.sh” is not run.']])
  expect(existsSync(join(home, 'ran'))).toBe(false)
})

it('asks for what an extension of Claude Desktop keeps secret or was never given', async () => {
  const files = await findAppConfigFiles(system)
  const snippet = files.find(({ path }) => path.startsWith(extension))?.snippet
  const input = (id: string): string => `${'$'}{input:${id}}`
  expect(snippet?.servers[0]?.definition).toMatchObject({ enabled: true, env: { TOKEN: input('token'), SITE: input('site') } })
  expect(snippet?.inputs).toEqual([
    { id: 'token', description: 'Token', password: true },
    { id: 'site', description: 'Site', password: false },
  ])
  expect(files.find(({ host }) => host === 'crush')?.snippet.servers[0]?.definition).toMatchObject({ timeoutMs: 120_000 })
})

it('finds those of a folder that was named, which then run there without its program', async () => {
  const books = join(home, 'books')
  expect(found(await findConfigFilesIn('~/books/', system))).toEqual([
    ['vscode', 'notes', `${books}/notes`, books],
    ['vscode', 'far'],
    ['vscode', 'kept', '/else'],
  ])
})

it('puts no folder in that would be read as a reference to something of the person’s', async () => {
  const [file] = await findConfigFilesIn(join(home, 'odd$' + '{input:token}'), system)
  expect(file?.snippet.servers).toMatchObject([{ definition: { command: folder } }])
  expect(file?.snippet.servers[0]?.definition).not.toHaveProperty('cwd')
})

it('reads one file that was named, by the habits of the program whose it is', async () => {
  expect(found(await findConfigFilesIn(join(home, 'books/.vscode/mcp.json'), system))).toEqual([
    ['other', 'notes', `${folder}/notes`, undefined],
    ['other', 'far'],
  ])
  expect(found(await findConfigFilesIn('~/.codex/config.toml', system))).toEqual([['codex', 'docs', undefined]])
})

it.each(['books', '~/missing', '~/empty', '~/empty/readme.txt'])('says why nothing is found in %s', async (place) => {
  expect(found(await findConfigFilesIn(place, system))).toEqual([['other', 'not read', undefined]])
})
