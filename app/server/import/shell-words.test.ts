import { expect, it } from 'vitest'
import { freeName } from '#app/text/look-alike.ts'
import { nameOfCommand } from './command-programs.ts'
import { splitCommandLine } from './shell-words.ts'

it.each([
  ['npx -y notes-mcp --dir "My notes"', ['npx', '-y', 'notes-mcp', '--dir', 'My notes']],
  [`run 'a "b"' c\\ d ""`, ['run', 'a "b"', 'c d', '']],
  ['C:\\tools\\run.exe x', ['C:\\tools\\run.exe', 'x']],
  ['npx \\\n  -y notes', ['npx', '-y', 'notes']],
  ['echo $HOME;rm *', ['echo', '$HOME;rm', '*']],
])('splits %j into words and expands nothing', (line, words) => {
  expect(splitCommandLine(line)).toEqual(words)
})

it.each([
  [['npx', '-y', '@modelcontextprotocol/server-filesystem', '/tmp'], 'filesystem'],
  [['npx', '-y', 'notes-mcp@2.1.0'], 'notes'],
  [['uvx', 'mcp-server-git'], 'git'],
  [['node', '/home/me/ledger/server.js'], 'ledger'],
  [['docker', 'run', '-i', '--rm', 'mcp/fetch:latest'], 'fetch'],
  [['C:\\tools\\ledger.exe'], 'ledger'],
])('names %j', (words, name) => {
  expect(nameOfCommand(words)).toBe(name)
})

it('finds a free name', () => {
  expect([freeName('a', []), freeName('a', ['a']), freeName('a', ['a', 'a-2'])]).toEqual(['a', 'a-2', 'a-3'])
})
