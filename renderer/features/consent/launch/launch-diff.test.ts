import { describe, expect, it } from 'vitest'
import type { LaunchTarget } from '#app/consent/request.ts'
import { launchDiff } from './launch-diff.ts'

const stdio = (change: object = {}): LaunchTarget => ({
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'notes-mcp@2.1.0', '--dir', '/notes'],
  envNames: ['NOTES_TOKEN'],
  ...change,
})
const http = (change: object = {}): LaunchTarget => ({
  transport: 'streamable-http',
  url: 'https://notes.example/mcp',
  headerNames: ['Authorization'],
  ...change,
})
const shown = (before: LaunchTarget, after: LaunchTarget) =>
  launchDiff(before, after).changed.map(({ title, lines }) => [title, lines.map(({ kind, text }) => `${kind} ${text}`)])

describe('a changed launch', () => {
  it('is shown word by word, in the order of the command', () => {
    const after = stdio({ args: ['-y', 'notes-mcp@2.1.1', '--dir', '/', '--upload'], envNames: ['AWS_KEY', 'NOTES_TOKEN'], cwd: '/tmp' })
    expect(shown(stdio(), after)).toEqual([
      ['Command', ['same npx', 'same -y', 'out notes-mcp@2.1.0', 'in notes-mcp@2.1.1', 'same --dir', 'out /notes', 'in /', 'in --upload']],
      ['Folder', ['out your home folder', 'in /tmp']],
      ['Environment', ['in AWS_KEY', 'same NOTES_TOKEN']],
    ])
  })

  it('tells words apart that only quotes can', () => {
    const [, lines] = shown(stdio({ args: ['a b'] }), stdio({ args: ['a', 'b', '', 'c\nd', ' e'] }))[0] ?? []
    expect(lines).toEqual(['same npx', 'out a b', 'in a', 'in b', 'in ""', 'in "c\\nd"', 'in " e"'])
  })

  it('shows another address, other headers, and a program where there was an address', () => {
    expect(shown(http(), http({ url: 'https://notes.evil/mcp', headerNames: ['X-Key', 'Authorization'] }))).toEqual([
      ['Address', ['out https://notes.example/mcp', 'in https://notes.evil/mcp']],
      ['Headers', ['same Authorization', 'in X-Key']],
    ])
    expect(shown(http(), stdio({ args: [] })).map(([title]) => title)).toEqual([
      'Command',
      'Folder',
      'Environment',
      'Transport',
      'Address',
      'Headers',
    ])
  })

  it('does not take what is masked in what was approved for a change, and says that it cannot tell', () => {
    const before = stdio({ args: ['--token', '•••', '/a'] })
    const after = stdio({ args: ['--token', 'hunter2', '/b'] })
    expect(shown(before, after)).toEqual([['Command', ['same npx', 'same --token', 'same hunter2', 'out /a', 'in /b']]])
    expect([launchDiff(before, after).masked, launchDiff(stdio(), after).masked]).toEqual([true, false])
    const address = launchDiff(http({ url: 'https://notes.example/mcp?key=•••' }), http({ url: 'https://notes.example/mcp?key=5' }))
    expect(address).toEqual({ changed: [], masked: true })
  })
})
