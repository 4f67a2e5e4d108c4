import { describe, expect, it, test } from 'vitest'
import { fetchedBy, pinnedArgs } from './fetched.ts'

it.each([
  ['npx -y notes-mcp@2.1.0 --dir x', [1, 'notes-mcp', '2.1.0', 'the npm registry']],
  ['npx @scope/notes', [0, '@scope/notes', undefined, 'the npm registry']],
  ['npx -y @scope/notes@latest', [1, '@scope/notes', undefined, 'the npm registry']],
  ['npx --package=notes-mcp@1 notes', [0, 'notes-mcp', '1', 'the npm registry']],
  ['npx -p notes-mcp notes', [1, 'notes-mcp', undefined, 'the npm registry']],
  ['C:\\node\\npx.cmd -y notes', [1, 'notes', undefined, 'the npm registry']],
  ['npm exec -- notes', [2, 'notes', undefined, 'the npm registry']],
  ['pnpm dlx notes@3', [1, 'notes', '3', 'the npm registry']],
  ['uvx --from notes[all]==1.2 notes', [1, 'notes[all]', '1.2', 'PyPI']],
  ['uvx --python 3.12 mcp-server-git', [2, 'mcp-server-git', undefined, 'PyPI']],
  ['uv tool run mcp-server-git@1.0', [2, 'mcp-server-git', '1.0', 'PyPI']],
  ['uvx --from git+https://example.com/x x', [1, 'git+https://example.com/x', undefined, 'URL']],
  ['docker run -i --rm -e TOKEN mcp/notes', [5, 'mcp/notes', undefined, 'Docker Hub']],
  ['podman run -i ghcr.io/a/b:1.2 stdio', [2, 'ghcr.io/a/b', '1.2', 'ghcr.io']],
  ['docker run -i a/b@sha256:0f', [2, 'a/b', 'sha256:0f', 'Docker Hub']],
])('%s', (line, [index, name, version, from]) => {
  const [command = '', ...args] = line.split(' ')
  expect(fetchedBy(command, args)).toMatchObject({ index, name, version, from })
})

it.each([
  ['npx -y notes --dir x', { index: 2, isApart: false }, true],
  ['npx -p notes run --dir x', { index: 2, isApart: true }, true],
  ['npx -p notes', { index: 2, isApart: true }, false],
  ['npm exec -y notes -- --dir x', { index: 4, isApart: false }, true],
  ['npm exec -- notes --dir x', { index: 3, isApart: false }, true],
  ['npm exec -y notes --registry=https://a.example', { index: 3, isApart: false }, false],
  ['npm exec --package=notes -- run --dir x', { index: 3, isApart: true }, true],
  ['cmd /c npx -y notes x', { index: 4, isApart: false }, true],
  ['docker --context other run -i mcp/notes', { index: 5, isApart: false }, false],
  ['pnpm --package=notes dlx run --dir x', { index: 2, isApart: true }, false],
])('what runs with “%s”, and what it is given', (line, command, exact) => {
  const [program = '', ...args] = line.split(' ')
  expect(fetchedBy(program, args)).toMatchObject({ command, exact })
})

it.each(['npx ./local', 'node server.js', 'uv run server.py', 'npm start', 'docker compose up', 'npx', 'npx -y', 'uvx --from'])(
  'nothing is claimed of %s',
  (line) => {
    const [command = '', ...args] = line.split(' ')
    expect(fetchedBy(command, args)).toBeUndefined()
  },
)

it.each([
  ['sh', ['-c', 'cd /srv && exec npx -y notes@2'], 1, 'notes'],
  ['bash', ['-lc', 'uvx mcp-server-git'], 1, 'mcp-server-git'],
  ['env', ['-u', 'X', 'A=1', 'npx', '-y', 'notes'], 5, 'notes'],
  ['pnpm', ['--package=notes', 'dlx', 'run'], 0, 'notes'],
])('a launcher within %s %j is found, and its version is not fixed', (command, args, index, name) => {
  expect(fetchedBy(command, args)).toMatchObject({ index, name, exact: false })
})

// Forms of each launcher, written by us.
describe('what is put in the place of a version', () => {
  test.each([
    ['npx -y @modelcontextprotocol/server-filesystem /home/me', 'npx -y @modelcontextprotocol/server-filesystem@1.2.3 /home/me'],
    ['npx -y @modelcontextprotocol/server-memory@latest', 'npx -y @modelcontextprotocol/server-memory@1.2.3'],
    ['npx @playwright/mcp@latest --headless', 'npx @playwright/mcp@1.2.3 --headless'],
    ['npx -y @upstash/context7-mcp --api-key KEY', 'npx -y @upstash/context7-mcp@1.2.3 --api-key KEY'],
    ['npx --yes mcp-remote@0.1 https://x.example/sse', 'npx --yes mcp-remote@1.2.3 https://x.example/sse'],
    ['npx -y -p @sentry/mcp-server@^0.10 sentry-mcp', 'npx -y -p @sentry/mcp-server@1.2.3 sentry-mcp'],
    ['npx -y --package=@acme/tools acme-mcp stdio', 'npx -y --package=@acme/tools@1.2.3 acme-mcp stdio'],
    ['npx --quiet -y @supabase/mcp-server-supabase@latest --read-only', 'npx --quiet -y @supabase/mcp-server-supabase@1.2.3 --read-only'],
    ['cmd /c npx -y @modelcontextprotocol/server-everything', 'cmd /c npx -y @modelcontextprotocol/server-everything@1.2.3'],
    ['npm exec --yes -- notes-mcp -v', 'npm exec --yes -- notes-mcp@1.2.3 -v'],
    ['npm x notes-mcp', 'npm x notes-mcp@1.2.3'],
    ['bunx --bun @acme/notes', 'bunx --bun @acme/notes@1.2.3'],
    ['bun x notes-mcp@2', 'bun x notes-mcp@1.2.3'],
    ['pnpm dlx @acme/notes@next', 'pnpm dlx @acme/notes@1.2.3'],
    ['yarn dlx -q notes-mcp', 'yarn dlx -q notes-mcp@1.2.3'],
    ['uvx mcp-server-git --repository /r', 'uvx mcp-server-git@1.2.3 --repository /r'],
    ['uvx awslabs.core-mcp-server@latest', 'uvx awslabs.core-mcp-server@1.2.3'],
    ['uvx --from notes[all]>=1,<2 notes', 'uvx --from notes[all]==1.2.3 notes'],
    ['uvx --python 3.12 mcp-server-fetch', 'uvx --python 3.12 mcp-server-fetch@1.2.3'],
    ['uv tool run mcp-server-time --local-timezone=Europe/Paris', 'uv tool run mcp-server-time@1.2.3 --local-timezone=Europe/Paris'],
    ['uv tool run --from=arxiv-mcp-server arxiv', 'uv tool run --from=arxiv-mcp-server==1.2.3 arxiv'],
    ['pipx run mcp-server-sqlite --db-path x', 'pipx run --spec mcp-server-sqlite==1.2.3 mcp-server-sqlite --db-path x'],
    ['pipx run --spec notes==1 notes', 'pipx run --spec notes==1.2.3 notes'],
  ])('%s', (line, pinned) => {
    const [command = '', ...args] = line.split(' ')
    const found = fetchedBy(command, args)
    expect(found && { exact: found.exact, line: [command, ...pinnedArgs(args, found, '1.2.3')].join(' ') }).toEqual({
      exact: true,
      line: pinned,
    })
  })

  test.each([
    ['docker run -i --rm mcp/time', 'docker run -i --rm mcp/time@sha256:0f'],
    [
      'docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server',
      'docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server@sha256:0f',
    ],
    [
      'docker run --rm -i --mount type=bind,src=/a,dst=/b mcp/filesystem:1.0 /b',
      'docker run --rm -i --mount type=bind,src=/a,dst=/b mcp/filesystem@sha256:0f /b',
    ],
    ['docker run -it --network=host localhost:5000/notes:2', 'docker run -it --network=host localhost:5000/notes@sha256:0f'],
    ['podman run -i --rm -v /a:/b docker.io/mcp/git', 'podman run -i --rm -v /a:/b docker.io/mcp/git@sha256:0f'],
  ])('%s', (line, pinned) => {
    const [command = '', ...args] = line.split(' ')
    const found = fetchedBy(command, args)
    expect(found && { exact: found.exact, line: [command, ...pinnedArgs(args, found, 'sha256:0f')].join(' ') }).toEqual({
      exact: true,
      line: pinned,
    })
  })

  test.each([
    'npx -y --registry http://evil.example notes-mcp',
    'npx -p a -p b cmd',
    'npx -c notes-mcp',
    'npx --prefix /tmp notes-mcp',
    'npx --unknown notes-mcp',
    'npx -y github:acme/notes',
    'npx -y npm:notes@1',
    'npx -y notes@file:../x',
    'uvx --index-url http://evil.example notes',
    'uvx --with extra notes',
    'uvx --from git+https://github.com/acme/notes notes',
    'uvx notes==1;python_version>"3"',
    'pipx run --pip-args=--index-url=http://evil.example notes',
    'docker run --unknown value image',
    'dnx Acme.Notes',
  ])('is not touched where it is not understood: %s', (line) => {
    const [command = '', ...args] = line.split(' ')
    expect(fetchedBy(command, args)?.exact ?? false).toBe(false)
  })
})

// Command lines as 33 public READMEs and guides had them on 2026-11-27, with the values of people's own left out. `pinned`: argument that
// names one package of a registry; null: not one that a version could be put in the place of; absent: nothing is fetched, as far as is known.
describe('of public READMEs', () => {
  test.each<[line: string, pinned?: string | null]>([
    ['npx -y @modelcontextprotocol/server-sequential-thinking', '@modelcontextprotocol/server-sequential-thinking'],
    ['cmd /c npx -y @modelcontextprotocol/server-sequential-thinking', '@modelcontextprotocol/server-sequential-thinking'],
    ['npx @Playwright/mcp@latest', '@Playwright/mcp@latest'],
    ['npx -y @upstash/context7-mcp@latest', '@upstash/context7-mcp@latest'],
    ['npx -y @modelcontextprotocol/server-filesystem /home/user/projects', '@modelcontextprotocol/server-filesystem'],
    ['npx -y mcp-remote https://docs.example.com/mcp', 'mcp-remote'],
    ['npx -y @smithery/cli connect @muammar-yacoob/gmail-manager-mcp', '@smithery/cli'],
    ['npx -y -p mcp-swarm mcp-swarm-remote --url https://hub.example/mcp', 'mcp-swarm'],
    ['npx -y -p rote-toolkit@latest rote-mcp', 'rote-toolkit@latest'],
    ['bunx -y --package rote-toolkit@latest rote-mcp', 'rote-toolkit@latest'],
    ['bunx --no-cache apple-mcp@latest', 'apple-mcp@latest'],
    ['bunx @mcp-vertex/core --plugins=proposals', '@mcp-vertex/core'],
    ['bunx -y @upstash/context7-mcp --api-key KEY', '@upstash/context7-mcp'],
    ['bunx chrome-devtools-mcp@latest --autoConnect', 'chrome-devtools-mcp@latest'],
    ['uvx fabric-mcp-dynamic', 'fabric-mcp-dynamic'],
    ['uvx mcp-atlassian==0.21.0', 'mcp-atlassian==0.21.0'],
    ['uvx data-go-mcp.nts-business-verification@latest', 'data-go-mcp.nts-business-verification@latest'],
    ['pipx run --no-cache omnara --stdio --api-key KEY', 'omnara'],
    ['pipx run ydb-mcp --ydb-endpoint grpc://localhost:2136/local', 'ydb-mcp'],
    ['docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN=TOKEN ghcr.io/github/github-mcp-server', 'ghcr.io/github/github-mcp-server'],
    ['docker run -i --rm --network falkordb-net -e FALKORDB_HOST=db -e FALKORDB_PORT=6379 falkordb-mcpserver', 'falkordb-mcpserver'],
    ['docker run -i --rm -v /your/files:/app/files -e FILES_PATH=/app/files isoittech/excel-mcp-server', 'isoittech/excel-mcp-server'],
    ['docker run -i --rm --read-only --security-opt no-new-privileges --memory 256m -e GITHUB_TOKEN mcp/github', 'mcp/github'],
    ['docker run --rm --name cockroachdb-mcp-server -e CRDB_HOST=db -e CRDB_PORT=26257 mcp-cockroachdb', 'mcp-cockroachdb'],
    [
      'docker run --rm --interactive --env FASTMCP_LOG_LEVEL=ERROR xebiams/terraform-mcp-server:latest',
      'xebiams/terraform-mcp-server:latest',
    ],
    ['docker run -i --rm -e DATABASE_URI crystaldba/postgres-mcp --access-mode=unrestricted', 'crystaldba/postgres-mcp'],
    ['npx appcypher/awesome-mcp-servers', null],
    ['uvx --from git+https://github.com/oraios/serena serena start-mcp-server', null],
    ['uvx --from git+https://github.com/volcengine/mcp-server#subdirectory=server/mcp_server_route mcp-server-route', null],
    ['uvx --with mcp<2 postgres-mcp --access-mode=unrestricted', null],
    ['uvx --from mcp_servers/builtin/timeserver mcp-timeserver'],
    ['docker mcp gateway run'],
    ['uv --directory /path/to/mcp-server run mcp-server'],
  ])('%s', (line, pinned) => {
    const [command = '', ...args] = line.split(' ')
    const found = fetchedBy(command, args)
    expect(found && (found.exact ? args[found.index] : null)).toBe(pinned)
  })

  it('does not take a repository at GitHub for a package of npm', () => {
    expect(fetchedBy('npx', ['appcypher/awesome-mcp-servers'])).toMatchObject({ name: 'appcypher/awesome-mcp-servers', from: 'GitHub' })
  })
})
