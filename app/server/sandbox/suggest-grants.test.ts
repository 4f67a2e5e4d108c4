// Expectations come from the README of each package, as published in November 2026; its name stands first in each row.
import { describe, expect, it } from 'vitest'
import { inputReference } from '../inputs/variable-references.ts'
import { noGrants } from './sandbox-settings.ts'
import { grantsOf } from './sandbox-suggestion.ts'
import { type SuggestionFacts, suggestGrants } from './suggest-grants.ts'

const home = '/home/me'

interface Disk {
  readonly folders?: readonly string[]
  readonly files?: readonly string[]
}

const factsOf = ({ folders = [], files = [] }: Disk): SuggestionFacts => {
  const all = new Set([home, '/', '/home', ...folders, ...files.map((file) => file.slice(0, file.lastIndexOf('/')))])
  return {
    home,
    isFolder: (path) => all.has(path),
    isFile: (path) => files.includes(path),
    namesIn: (path) => [...all].flatMap((one) => (one.startsWith(`${path}/`) ? [one.slice(path.length + 1)] : [])),
  }
}

interface Launch extends Disk {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** Suggestions as `list value`. */
const suggest = (line: string, { env = {}, cwd, ...disk }: Launch = {}): string[] => {
  const [command = '', ...args] = line.split(' ')
  const found = suggestGrants({ command, args, env, ...(cwd === undefined ? {} : { cwd }) }, factsOf(disk))
  return found.map(({ list, value }) => `${list} ${value}`)
}

describe('paths', () => {
  it.each<[readme: string, line: string, launch: Launch, expected: string[]]>([
    [
      '@modelcontextprotocol/server-filesystem',
      'npx -y @modelcontextprotocol/server-filesystem /Users/username/Desktop /path/to/other/allowed/dir',
      { folders: ['/Users/username/Desktop', '/path/to/other/allowed/dir'] },
      ['write /Users/username/Desktop', 'write /path/to/other/allowed/dir'],
    ],
    [
      '@modelcontextprotocol/server-memory',
      'npx -y @modelcontextprotocol/server-memory',
      { env: { MEMORY_FILE_PATH: '/path/to/custom/memory.jsonl' }, folders: ['/path/to/custom'] },
      ['write /path/to/custom'],
    ],
    [
      'mcp-server-git',
      'uvx mcp-server-git --repository /path/to/git/repo',
      { folders: ['/path/to/git/repo'] },
      ['write /path/to/git/repo'],
    ],
    ['mcp-server-sqlite', 'uvx mcp-server-sqlite --db-path ~/data/test.db', { files: ['/home/me/data/test.db'] }, ['write /home/me/data']],
    [
      'mcp-server-sqlite, in the home folder',
      'uvx mcp-server-sqlite --db-path ~/test.db',
      { files: ['/home/me/test.db'] },
      ['write /home/me/test.db'],
    ],
    [
      'mcp-server-sqlite-npx',
      'npx -y mcp-server-sqlite-npx /absolute/path/to/database.db',
      { folders: ['/absolute/path/to'] },
      ['write /absolute/path/to'],
    ],
    [
      'mcp-server-motherduck',
      'uvx mcp-server-motherduck --db-path /absolute/path/to/your.duckdb',
      { files: ['/absolute/path/to/your.duckdb'] },
      ['write /absolute/path/to', 'hosts *.motherduck.com', 'hosts extensions.duckdb.org'],
    ],
    [
      '@cocal/google-calendar-mcp',
      'npx @cocal/google-calendar-mcp',
      { env: { GOOGLE_OAUTH_CREDENTIALS: '/path/to/your/gcp-oauth.keys.json' }, files: ['/path/to/your/gcp-oauth.keys.json'] },
      ['read /path/to/your/gcp-oauth.keys.json', 'hosts *.googleapis.com', 'hosts accounts.google.com'],
    ],
    [
      '@cyanheads/git-mcp-server',
      'npx @cyanheads/git-mcp-server@latest',
      {
        env: { GIT_BASE_DIR: '~/Developer/', LOGS_DIR: '~/Developer/logs/git-mcp-server/' },
        folders: ['/home/me/Developer', '/home/me/Developer/logs'],
      },
      ['write /home/me/Developer', 'write /home/me/Developer/logs/git-mcp-server'],
    ],
    [
      'excel-mcp-server',
      'uvx excel-mcp-server stdio',
      { env: { EXCEL_FILES_PATH: '/path/to/excel/files' }, folders: ['/path/to/excel/files'] },
      ['write /path/to/excel/files'],
    ],
    ['mcp-obsidian (npm)', 'npx -y mcp-obsidian /Users/me/vault', { folders: ['/Users/me/vault'] }, ['write /Users/me/vault']],
    [
      'a list in a variable',
      'node s.js',
      { env: { ALLOWED_DIRECTORIES: '/srv/a,/srv/b' }, folders: ['/srv/a', '/srv/b'] },
      ['write /srv/a', 'write /srv/b'],
    ],
    ['a list of JSON', 'node s.js', { env: { ALLOWED_PATHS: '["/srv/a"]' }, folders: ['/srv/a'] }, ['write /srv/a']],
    ['an option with its value', 'some-server --dir=/srv/a', { folders: ['/srv/a'] }, ['write /srv/a']],
    ['the working folder', 'some-server ./notes', { cwd: '/srv/a', folders: ['/srv/a', '/srv/a/notes'] }, ['write /srv/a/notes']],
    ['a database by its address', 'dbhub --dsn sqlite:////srv/a/x.db', { files: ['/srv/a/x.db'] }, ['write /srv/a']],
    [
      'a certificate',
      'some-server',
      { env: { NODE_EXTRA_CA_CERTS: '/srv/a/ca.pem', ES_CA_CERT: '/srv/b/ca.pem' }, files: ['/srv/a/ca.pem', '/srv/b/ca.pem'] },
      ['read /srv/a/ca.pem', 'read /srv/b/ca.pem'],
    ],
  ])('%s', (_readme, line, launch, expected) => expect(suggest(line, launch)).toEqual(expected))

  it.each<[line: string, launch: Launch]>([
    ['npx -y @modelcontextprotocol/server-filesystem /', {}],
    ['npx -y @modelcontextprotocol/server-filesystem ~', {}],
    ['npx -y @modelcontextprotocol/server-filesystem ~/', {}],
    ['npx -y @modelcontextprotocol/server-filesystem /home', {}],
    ['npx -y @modelcontextprotocol/server-filesystem ~/x/..', { folders: ['/home/me/x'] }],
    ['npx -y @modelcontextprotocol/server-filesystem .', {}],
    ['npx -y @modelcontextprotocol/server-filesystem . ..', { cwd: '/home/me' }],
    ['npx -y @modelcontextprotocol/server-filesystem /not/there', {}],
    [`npx -y @modelcontextprotocol/server-filesystem ${inputReference('folder')}`, {}],
    ['node /home/me/server/index.js', { files: ['/home/me/server/index.js'] }],
    ['python3 -m mcp_server_time /usr/share', { folders: ['/usr/share'] }],
    [
      'some-server',
      { env: { PATH: '/home/me/bin:/usr/bin', HOME: '/home/me', XDG_DATA_HOME: '/home/me/d' }, folders: ['/home/me/bin', '/home/me/d'] },
    ],
    ['some-server --memory-file ~/memory.json', {}],
  ])('%s suggests nothing', (line, launch) => expect(suggest(line, launch)).toEqual([]))
})

describe('hosts of addresses', () => {
  it.each<[readme: string, line: string, env: Record<string, string>, expected: string[]]>([
    [
      '@modelcontextprotocol/server-postgres',
      'npx -y @modelcontextprotocol/server-postgres postgresql://localhost/mydb',
      {},
      ['localhost:5432'],
    ],
    ['@modelcontextprotocol/server-redis', 'npx -y @modelcontextprotocol/server-redis redis://localhost:6379', {}, ['localhost:6379']],
    ['postgres-mcp', 'uvx postgres-mcp', { DATABASE_URI: 'postgresql://username:p@ss@db.example:5433/dbname' }, ['db.example:5433']],
    [
      'mongodb-mcp-server',
      'npx -y mongodb-mcp-server@latest --readOnly',
      { MDB_MCP_CONNECTION_STRING: 'mongodb://localhost:27017/myDatabase' },
      ['localhost:27017'],
    ],
    [
      'mongodb-mcp-server, Atlas',
      'npx -y mongodb-mcp-server',
      { MDB_MCP_CONNECTION_STRING: 'mongodb+srv://u:p@cluster0.abc12.mongodb.net/' },
      ['*.abc12.mongodb.net:27017'],
    ],
    [
      '@benborla29/mcp-server-mysql',
      'npx -y @benborla29/mcp-server-mysql',
      { MYSQL_HOST: '127.0.0.1', MYSQL_PORT: '3306', MYSQL_USER: 'root' },
      ['127.0.0.1:3306'],
    ],
    ['mysql-mcp-server', 'uvx --from mysql-mcp-server mysql_mcp_server', { MYSQL_HOST: 'db' }, ['db:3306']],
    ['mcp-clickhouse', 'uvx mcp-clickhouse', { CLICKHOUSE_HOST: 'a.clickhouse.cloud', CLICKHOUSE_USER: 'u' }, ['a.clickhouse.cloud:8443']],
    [
      'mcp-neo4j-cypher',
      'uvx mcp-neo4j-cypher@0.5.2 --transport stdio',
      { NEO4J_URI: 'neo4j+s://xxx.databases.neo4j.io' },
      ['xxx.databases.neo4j.io:7687'],
    ],
    [
      'mcp-server-qdrant',
      'uvx mcp-server-qdrant',
      { QDRANT_URL: 'http://localhost:6333' },
      ['localhost:6333', 'huggingface.co', '*.huggingface.co', '*.hf.co'],
    ],
    [
      '@elastic/mcp-server-elasticsearch',
      'npx -y @elastic/mcp-server-elasticsearch',
      { ES_URL: 'https://es.example:9243', ES_API_KEY: 'k' },
      ['es.example:9243'],
    ],
    ['@zereight/mcp-gitlab', 'npx -y @zereight/mcp-gitlab', { GITLAB_API_URL: 'https://git.example/api/v4' }, ['git.example']],
    [
      'mcp-atlassian',
      'uvx mcp-atlassian',
      { JIRA_URL: 'https://your-company.atlassian.net' },
      ['your-company.atlassian.net', 'api.atlassian.com', 'auth.atlassian.com'],
    ],
    ['mcp-grafana', 'uvx mcp-grafana', { GRAFANA_URL: 'https://myinstance.grafana.net' }, ['myinstance.grafana.net']],
    ['mcp-remote', 'npx mcp-remote https://remote.mcp.server/sse', {}, ['remote.mcp.server']],
    ['minimax-mcp', 'uvx minimax-mcp -y', { MINIMAX_API_HOST: 'https://api.minimax.io' }, ['api.minimax.io']],
    [
      'chroma-mcp',
      'uvx chroma-mcp --client-type http --host chroma.example --port 8000',
      {},
      ['chroma.example:8000', 'chroma-onnx-models.s3.amazonaws.com'],
    ],
    ['dbt-mcp', 'uvx dbt-mcp', { DBT_HOST: 'cloud.getdbt.com' }, ['cloud.getdbt.com', '*.dbt.com', '*.getdbt.com']],
    ['SQLAlchemy', 'uvx mcp-alchemy', { DB_URL: 'mysql+pymysql://root:secret@127.0.0.1/db' }, ['127.0.0.1:3306']],
    [
      'ADO.NET',
      'some-server',
      { CONNECTION: 'Server=tcp:a.database.windows.net,1433;Database=x;User ID=u' },
      ['a.database.windows.net:1433'],
    ],
    ['libpq', 'some-server', { DSN: 'host=a.example port=5433 dbname=x' }, ['a.example:5433']],
    ['a password that is filled in', 'some-server', { DB_URL: `postgres://u:${inputReference('pw')}@a.example/x` }, ['a.example:5432']],
    ['IPv6', 'some-server http://[::1]:8080/', {}, ['[::1]:8080']],
    ['several', 'some-server mongodb://a.example:1,b.example/x', {}, ['a.example:1', 'b.example:27017']],
    ['a host that is filled in', 'some-server', { API_URL: `https://${inputReference('host')}/x` }, []],
    [
      'what it listens on',
      'some-server --host 127.0.0.1 --port 80',
      { HOST: 'localhost', MCP_HOST: '127.0.0.1', REDIRECT_URI: 'http://localhost:1/x' },
      [],
    ],
    ['a proxy', 'some-server', { HTTPS_PROXY: 'http://proxy.example:8080', NO_PROXY: 'localhost' }, []],
    ['text', 'some-server', { NOTE: 'see a.example', PROMPT: 'ratio 1:2', ACCESS_SERVER: 'yes' }, []],
  ])('%s', (_readme, line, env, expected) => expect(suggest(line, { env }).map((one) => one.replace(/^hosts /, ''))).toEqual(expected))
})

describe('well-known servers', () => {
  it.each<[readme: string, line: string, launch: Launch, expected: string[]]>([
    [
      '@modelcontextprotocol/server-github',
      'npx -y @modelcontextprotocol/server-github@2025.4.8',
      { env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'x' } },
      ['hosts api.github.com'],
    ],
    ['@notionhq/notion-mcp-server', 'npx -y @notionhq/notion-mcp-server', {}, ['hosts api.notion.com']],
    ['@upstash/context7-mcp', 'bunx -y @upstash/context7-mcp', {}, ['hosts context7.com']],
    [
      '@winor30/mcp-server-datadog',
      'npx -y @winor30/mcp-server-datadog',
      { env: { DATADOG_SITE: 'datadoghq.eu' } },
      ['hosts api.datadoghq.eu'],
    ],
    [
      '@aashari/mcp-server-atlassian-jira',
      'npx -y @aashari/mcp-server-atlassian-jira',
      { env: { ATLASSIAN_SITE_NAME: 'your-company' } },
      ['hosts your-company.atlassian.net'],
    ],
    ['the same without its site', 'npx -y @aashari/mcp-server-atlassian-jira', {}, []],
    ['mcp-server-fetch', 'uvx mcp-server-fetch', {}, ['hosts *']],
    ['mcp-server-fetch, by pip', 'python -m mcp_server_fetch', {}, ['hosts *']],
    ['mcp-server-time', 'uvx mcp-server-time --local-timezone=America/New_York', {}, []],
    ['an installed package', 'node /srv/node_modules/tavily-mcp/build/index.js', {}, ['hosts api.tavily.com']],
    [
      'a package of npm and one of PyPI by one name (npm)',
      'npx -y duckduckgo-mcp-server',
      {},
      ['hosts duckduckgo.com', 'hosts *.duckduckgo.com'],
    ],
    ['a package of npm and one of PyPI by one name (PyPI)', 'uvx duckduckgo-mcp-server', {}, ['hosts *']],
    ['kubernetes-mcp-server', 'npx -y kubernetes-mcp-server@latest', { folders: ['/home/me/.kube'] }, ['read /home/me/.kube']],
    [
      'kubernetes-mcp-server, with its option',
      'npx -y kubernetes-mcp-server --kubeconfig /srv/k/config',
      { folders: ['/home/me/.kube'], files: ['/srv/k/config'] },
      ['read /srv/k/config'],
    ],
    [
      'awslabs.aws-api-mcp-server',
      'uvx awslabs.aws-api-mcp-server@latest',
      { folders: ['/home/me/.aws'] },
      ['read /home/me/.aws', 'hosts *.amazonaws.com', 'hosts *.api.aws'],
    ],
    [
      '@gongrzhe/server-gmail-autoauth-mcp',
      'npx @gongrzhe/server-gmail-autoauth-mcp',
      { folders: ['/home/me/.gmail-mcp'] },
      ['write /home/me/.gmail-mcp', 'hosts *.googleapis.com', 'hosts accounts.google.com'],
    ],
    ['blender-mcp', 'uvx blender-mcp', {}, ['hosts localhost:9876']],
    ['mcp-obsidian (PyPI)', 'uvx mcp-obsidian', { env: { OBSIDIAN_API_KEY: 'k' } }, ['hosts 127.0.0.1:27124']],
    ['mcp-obsidian (PyPI), with its host', 'uvx mcp-obsidian', { env: { OBSIDIAN_HOST: '127.0.0.1' } }, ['hosts 127.0.0.1:27124']],
    [
      '@playwright/mcp',
      'npx @playwright/mcp@latest --output-dir /srv/out',
      { folders: ['/srv', '/home/me/.cache/ms-playwright/chromium-1187', '/home/me/.cache/ms-playwright/mcp-chrome-1'] },
      ['write /srv/out', 'read /home/me/.cache/ms-playwright/chromium-1187', 'hosts *'],
    ],
    [
      '@modelcontextprotocol/server-puppeteer',
      'npx -y @modelcontextprotocol/server-puppeteer',
      { folders: ['/home/me/.cache/puppeteer/chrome'] },
      ['read /home/me/.cache/puppeteer/chrome', 'hosts *'],
    ],
    ['a server that nobody knows', 'npx -y some-server', {}, []],
    ['a folder of another server', 'npx -y @acme/tavily-mcp', {}, []],
  ])('%s', (_readme, line, launch, expected) => expect(suggest(line, launch)).toEqual(expected))
})

it('says why, and grants nothing that needs a review', () => {
  const facts = { ...factsOf({ folders: ['/srv/a'] }), registries: ['registry.npmjs.org'] }
  const launch = { command: 'yarn', args: ['dlx', '@stripe/mcp', '/srv/a', 'https://a.example'], env: { API_URL: 'https://b.example' } }
  const suggested = suggestGrants(launch, facts)
  expect(suggested).toEqual([
    { list: 'write', value: '/srv/a', reason: 'argument' },
    { list: 'hosts', value: 'a.example', reason: 'url' },
    { list: 'hosts', value: 'b.example', reason: 'variable' },
    { list: 'hosts', value: 'mcp.stripe.com', reason: 'known-server' },
    { list: 'hosts', value: 'api.stripe.com', reason: 'known-server' },
    { list: 'hosts', value: 'registry.npmjs.org', reason: 'install' },
  ])
  const secret = { list: 'read', value: '/home/me/.kube', reason: 'known-server', review: true } as const
  expect(grantsOf([...suggested.slice(0, 2), secret])).toEqual({ ...noGrants, write: ['/srv/a'], hosts: ['a.example'] })
})
