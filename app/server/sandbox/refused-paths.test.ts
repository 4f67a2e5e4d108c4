// Lines as real programs write them, in Node, Python, Go, Rust, Java, .NET, Ruby, git and the system's own tools.
import { expect, test } from 'vitest'
import { argumentPaths, refusedPaths } from './refused-paths.ts'

const named = (text: string): string[] => refusedPaths(text).map(({ path, access }) => `${access} ${path}`)

test.each([
  ["Error: ENOENT: no such file or directory, open '/home/u/notes/a b.md'", 'any /home/u/notes/a b.md'],
  ["Error accessing directory /home/u/x: Error: ENOENT: no such file or directory, stat '/home/u/x'", 'any /home/u/x'],
  ["EACCES: permission denied, scandir '/root'", 'any /root'],
  ["EROFS: read-only file system, open '/home/u/a.md'", 'write /home/u/a.md'],
  ["ENOENT: no such file or directory, mkdir '/srv/out/x'", 'write /srv/out/x'],
  ["[Errno 2] No such file or directory: '/home/u/data.csv'", 'any /home/u/data.csv'],
  ["PermissionError: [Errno 13] Permission denied: '/home/u/.ssh/config'", 'any /home/u/.ssh/config'],
  ["OSError: [Errno 30] Read-only file system: '/usr/share/stpyv8'", 'write /usr/share/stpyv8'],
  ['open /home/u/my files/a.xlsx: no such file or directory', 'any /home/u/my files/a.xlsx'],
  ['mkdir /opt/coze-studio: read-only file system', 'write /opt/coze-studio'],
  ['File [/home/cal/Documents/controls.xlsx] not found', 'any /home/cal/Documents/controls.xlsx'],
  ['error: failed to remove file `/srv/x/.venv/bin/tool`: Read-only file system (os error 30)', 'write /srv/x/.venv/bin/tool'],
  ['Error: failed to read config at /home/u/app.toml: No such file or directory (os error 2)', 'any /home/u/app.toml'],
  ['java.nio.file.NoSuchFileException: /home/u/pom.xml', 'any /home/u/pom.xml'],
  ['java.io.FileNotFoundException: /home/u/pom.xml (No such file or directory)', 'any /home/u/pom.xml'],
  ["System.IO.DirectoryNotFoundException: Could not find a part of the path '/home/u/x'.", 'any /home/u/x'],
  ["Access to the path '/home/u/x' is denied.", 'any /home/u/x'],
  ['No such file or directory @ rb_sysopen - /home/u/x.rb (Errno::ENOENT)', 'any /home/u/x.rb'],
  ["fatal: Unable to create '/work/a/.git/index.lock': Read-only file system", 'write /work/a/.git/index.lock'],
  ['error: could not lock config file /home/u/.gitconfig: Read-only file system', 'write /home/u/.gitconfig'],
  ["ls: cannot access '/home/u/x': No such file or directory", 'any /home/u/x'],
  ['cat: /home/u/.netrc: No such file or directory', 'any /home/u/.netrc'],
  ['chown: changing ownership of ‘/opt/guzz/a.json’: Read-only file system', 'write /opt/guzz/a.json'],
  ['2026/11/28 10:00:01 stat ~/notes: no such file or directory', 'any ~/notes'],
])('%s', (text, path) => expect(named(text)).toContain(path))

// Messages that people reported of other sandboxes, in issues of the projects named.
test.each([
  [
    'microsoft/vscode 297387',
    "[Error: EPERM: operation not permitted, unlink '/Users/i/vscode/node_modules/.package-lock.json'] {",
    'write /Users/i/vscode/node_modules/.package-lock.json',
  ],
  [
    'astral-sh/uv 16820',
    'error: failed to open file `/home/ubuntu/.cache/uv/sdists-v9/.git`: Permission denied (os error 13)',
    'any /home/ubuntu/.cache/uv/sdists-v9/.git',
  ],
  [
    'astral-sh/uv 16916',
    'error: failed to open file `/home/user/.cache/uv/sdists-v9/.git`: Read-only file system (os error 30)',
    'write /home/user/.cache/uv/sdists-v9/.git',
  ],
  [
    'anthropics/claude-code 10221',
    'error: failed to open file `/Users/h/.cache/uv/sdists-v9/.git`: Operation not permitted (os error 1)',
    'any /Users/h/.cache/uv/sdists-v9/.git',
  ],
  [
    'openmake_llm 692',
    '  Caused by: Read-only file system (os error 30) at path "/home/node/.local/share/uv/tools/.tmp9eDFFa"',
    'write /home/node/.local/share/uv/tools/.tmp9eDFFa',
  ],
  ['kagent 798', 'error: failed to create directory `/.cache/uv`: Permission denied (os error 13)', 'write /.cache/uv'],
  ['reyn 2976', 'Failed to initialize cache at `/Users/t/.cache/uv`: Operation not permitted (os error 1)', 'any /Users/t/.cache/uv'],
  ['nanobot 1948', "touch: cannot touch '/srv/xxx': Read-only file system", 'write /srv/xxx'],
  ['anthropics/claude-code 22926', 'zsh:1: operation not permitted: /tmp/claude-501/cwd-045d', 'any /tmp/claude-501/cwd-045d'],
  ['anthropics/claude-code 21942', '/bin/bash: /tmp/claude-501/cwd-XXXX: Operation not permitted', 'any /tmp/claude-501/cwd-XXXX'],
  [
    'semble 255',
    "PermissionError: [Errno 1] Operation not permitted: '/Users/s/.config/opencode/opencode.jsonc'",
    'any /Users/s/.config/opencode/opencode.jsonc',
  ],
  ['mcp-browser-use 6', "OSError: [Errno 30] Read-only file system: '/app/tmp'", 'write /app/tmp'],
  [
    'pi-sandbox 7',
    '/home/u/.nvm/vendor/seccomp/x64/apply-seccomp: No such file or directory',
    'any /home/u/.nvm/vendor/seccomp/x64/apply-seccomp',
  ],
  [
    'cloud-mcp-server 29 (dyld)',
    "  Reason: tried: '/opt/homebrew/opt/opus/lib/libopus.dylib' (file system sandbox blocked open())",
    'any /opt/homebrew/opt/opus/lib/libopus.dylib',
  ],
  [
    'anthropics/claude-code 50781 (bubblewrap)',
    "bwrap: Can't create file at /home/u/.zshrc: Read-only file system",
    'write /home/u/.zshrc',
  ],
  [
    'a script of sh',
    '/home/u/bin/run.sh: 2: exec: /home/u/src/server/.venv/bin/python: not found',
    'any /home/u/src/server/.venv/bin/python',
  ],
])('%s: %s', (_source, text, path) => expect(named(text)).toContain(path))

test.each([
  ['anthropics/claude-code 31428', 'Error: EPERM: operation not permitted, uv_cwd'],
  ['ha-mcp 773', "OSError: [Errno 30] Read-only file system: 'logs'"],
  ['openai/codex 44890', 'Error: connect EPERM 127.0.0.1:50838 - Local (0.0.0.0:0)'],
  ['openai/codex 45657', 'sandbox-exec: sandbox_apply: Operation not permitted'],
  ['sandbox-runtime 67 (log stream)', '(Sandbox) Sandbox: sandbox-exec(27256) deny(1) forbidden-sandbox-reinit'],
])('%s names no path: %s', (_source, text) => expect(named(text)).toEqual([]))

test.each([
  'Read 12 files in /home/u/notes',
  'Access denied - path outside allowed directories: /home/u/x',
  '    at async file:///root/.npm/_npx/a3/node_modules/x/dist/index.js:43:23 ENOENT',
  "Could not parse '/home/u/a.json': unexpected token",
  "ENOENT: no such file or directory, stat ''",
  "OSError: [Errno 30] Read-only file system: 'logs'",
  'Invalid API key for https://api.example/v1/files',
  "ENOENT: no such file or directory, open '/home/u/\u202egpj.sh'",
  'ENOENT /',
])('names no refused path: %s', (text) => expect(named(text)).toEqual([]))

test('takes both paths of a rename, and 20 paths at most', () => {
  expect(named("ENOENT: no such file or directory, rename '/a/one' -> '/b/two'")).toEqual(['write /a/one', 'write /b/two'])
  const flood = Array.from({ length: 10_000 }, (_, n) => `ENOENT: no such file or directory, open '/home/u/${n}'`).join('\n')
  expect(refusedPaths(flood)).toHaveLength(20)
})

test('reads a hostile line in time', () => {
  const begun = performance.now()
  refusedPaths(`ENOENT ${' /a'.repeat(500_000)}`)
  refusedPaths(`ENOENT ${"'/a".repeat(500_000)}`)
  expect(performance.now() - begun).toBeLessThan(500)
})

test('names the paths among the arguments, where the error speaks of a file', () => {
  const args = { db: '/home/u/app.db', files: ['~/a.md', 'file:///srv/b', 'plain', 7], deep: { path: '../c' } }
  const paths = (text: string) => argumentPaths(args, text).map(({ path, access }) => `${access} ${path}`)
  expect(paths('unable to open database file')).toEqual(['any /home/u/app.db', 'any ~/a.md', 'any /srv/b', 'any ../c'])
  expect(paths('attempt to write: read-only file system')[0]).toBe('write /home/u/app.db')
  expect(paths('invalid regular expression')).toEqual([])
})
