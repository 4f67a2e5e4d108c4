import { expect, it } from 'vitest'
import { fetchedBy } from './fetched.ts'

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
  ['uvx --from git+https://example.com/x x', [1, 'git+https://example.com/x', undefined, 'that address']],
  ['docker run -i --rm -e TOKEN mcp/notes', [5, 'mcp/notes', undefined, 'Docker Hub']],
  ['podman run -i ghcr.io/a/b:1.2 stdio', [2, 'ghcr.io/a/b', '1.2', 'ghcr.io']],
  ['docker run -i a/b@sha256:0f', [2, 'a/b', 'sha256:0f', 'Docker Hub']],
])('%s', (line, [index, name, version, from]) => {
  const [command = '', ...args] = line.split(' ')
  expect(fetchedBy(command, args)).toEqual({ index, name, version, from })
})

it.each(['npx ./local', 'node server.js', 'uv run server.py', 'npm start', 'docker compose up', 'npx', 'npx -y', 'uvx --from'])(
  'nothing is claimed of %s',
  (line) => {
    const [command = '', ...args] = line.split(' ')
    expect(fetchedBy(command, args)).toBeUndefined()
  },
)
