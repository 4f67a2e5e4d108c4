import { expect, test } from 'vitest'
import { disguisedParts } from './disguised-parts.ts'

const program = (command: string, ...args: string[]) => ({ transport: 'stdio' as const, command, args, envNames: [] })

test.each([
  ['a program', program('nрx', '-y', 'x'), ['nрx']],
  ['a package', program('npx', '-y', '@mоdelcontextprotocol/server-filesystem'), ['@mоdelcontextprotocol/server-filesystem']],
  ['a program in other letters only', program('ѕсоре'), ['ѕсоре']],
  ['wide letters', program('ｎｐｘ'), ['ｎｐｘ']],
  ['a folder', { ...program('node', 'x.js'), folder: '/орt/tools' }, ['/орt/tools']],
  [
    'the value of a variable that chooses what runs',
    { ...program('node'), variables: [{ name: 'NODE_OPTIONS', value: '--require ./hооk.js', effect: 'code' as const }] },
    ['--require ./hооk.js'],
  ],
  ['a host in letters', program('npx', 'mcp-remote', 'https://gіthub.example/mcp'), ['https://gіthub.example/mcp']],
  [
    'a host in its ASCII form',
    program('npx', 'mcp-remote', 'https://api.xn--gthub-n2e.example/mcp'),
    ['https://api.xn--gthub-n2e.example/mcp'],
  ],
])('finds %s that passes for a Latin one', (_title, target, found) => {
  expect(disguisedParts(target).map(({ text }) => text)).toEqual(found)
})

test('says how it reads', () => {
  expect(disguisedParts(program('nрx'))).toEqual([{ text: 'nрx', like: 'npx' }])
})

test.each([
  ['plain words', program('npx', '-y', 'server', '/home/me')],
  ['a folder in Russian', program('node', 'index.js', '/home/тест/документы')],
  ['a folder in German', program('node', '/home/Müller/Größe', 'Søren')],
  ['a host in German', program('npx', 'mcp-remote', 'https://xn--mller-kva.example/mcp')],
  ['what only begins like a host', program('node', 'xn--', '--xn--gthub-n2e')],
  ['a folder in Chinese', program('node', '/home/用户/AI助手')],
])('finds nothing in %s', (_title, target) => {
  expect(disguisedParts(target)).toEqual([])
})

test.each([
  ['https://аpple.example/mcp', 'apple.example'],
  ['https://müller.example/mcp', undefined],
])('names the host of %s', (url, like) => {
  const { href, hostname } = new URL(url)
  expect(disguisedParts({ transport: 'streamable-http', url: href, headerNames: [] })).toEqual([{ text: hostname, like }])
})
