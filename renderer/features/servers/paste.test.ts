import { describe, expect, it } from 'vitest'
import { freeName, nameOfCommand, readPaste, splitCommandLine } from './paste.ts'

describe('what was pasted', () => {
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
    [['node', '/home/me/ledger/server.js'], 'server'],
    [['docker', 'run', '-i', '--rm', 'mcp/fetch:latest'], 'fetch'],
    [['C:\\tools\\ledger.exe'], 'ledger'],
  ])('names %j', (words, name) => {
    expect(nameOfCommand(words)).toBe(name)
  })

  it('reads an address, a command with variables and a prompt sign, and leaves JSON to the host', () => {
    expect(readPaste(' https://mcp.linear.app/mcp ')).toMatchObject({
      kind: 'one',
      name: 'linear',
      definition: { transport: 'streamable-http' },
    })
    expect(readPaste('$ TOKEN=a=b npx -y notes-mcp')).toMatchObject({
      kind: 'one',
      definition: { command: 'npx', args: ['-y', 'notes-mcp'], env: { TOKEN: 'a=b' } },
    })
    expect(readPaste('"notes": {}').kind).toBe('json')
    expect(readPaste('// mine\n{}').kind).toBe('json')
    expect(readPaste(' \n').kind).toBe('empty')
  })

  it('finds a free name', () => {
    expect([freeName('a', []), freeName('a', ['a']), freeName('a', ['a', 'a-2'])]).toEqual(['a', 'a-2', 'a-3'])
  })
})
