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
