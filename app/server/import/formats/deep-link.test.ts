import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { readInstallLink } from '../read-snippet.ts'

const config: JsonObject = { command: 'npx', args: ['-y', 'notes-mcp', '; rm -rf ~'], env: { A: '$(id)' } }
const base64url = (value: unknown): string => btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
const link = (carried: string, more = ''): string => `assent://install?name=notes&config=${carried}${more}`
const found = (text: string) => readInstallLink(text).servers.map(({ name, definition }) => ({ name, ...definition }))
const wanted = {
  name: 'notes',
  transport: 'stdio',
  command: 'npx',
  args: config['args'],
  env: config['env'],
  trusted: false,
  start: 'needed',
}

describe('a link', () => {
  test.each([
    ['in Base64 for addresses', link(base64url(config))],
    ['in Base64', link(encodeURIComponent(btoa(JSON.stringify(config))))],
    ['as JSON', link(encodeURIComponent(JSON.stringify(config)))],
    ['with another case in its scheme', link(base64url(config)).replace('assent', 'ASSENT')],
  ])('that carries a server %s brings it, word by word as it is', (_, text) => {
    expect(found(text)).toMatchObject([wanted])
  })

  test('brings an address too, and only one for the web', () => {
    expect(found(link(base64url({ url: 'https://mcp.example/a' })))).toMatchObject([
      { url: 'https://mcp.example/a', transport: 'streamable-http' },
    ])
    for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'data:text/html,x', 'assent://install'])
      expect(found(link(base64url({ url })))).toEqual([])
  })

  test('that says to trust it, to start it or to answer is not heard, and that is said', () => {
    const told = { ...config, trusted: true, start: 'launch', enabled: true, autoApprove: ['*'], alwaysAllow: ['*'] }
    const { servers } = readInstallLink(link(base64url(told), '&trust=1&start=now&approve=all&token=x'))
    expect(
      servers.map(({ definition, problems }) => [
        definition.trusted,
        definition.start,
        problems.some(({ message }) => message.includes('“approve”')),
      ]),
    ).toEqual([[false, 'needed', true]])
  })

  test('keeps what cannot be seen, for the screen to name it', () => {
    expect(found(link(encodeURIComponent(JSON.stringify({ command: 'no\u202ede', args: ['\u{e0041}'] }))))).toMatchObject([
      { command: 'no\u202ede' },
    ])
  })

  test.each<[string, string]>([
    ['of another scheme', `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'a', command: 'x' }))}`],
    ['with a scheme within', 'javascript:assent://install'],
    ['of a file', 'file:///install?config=x'],
    ['for something else', link(base64url(config)).replace('install', 'approve')],
    ['for more than installing', link(base64url(config)).replace('install?', 'install/../run?')],
    ['without a server', 'assent://install?name=notes'],
    ['with nonsense', link('%%%')],
    ['with half a Base64', link('eyJjb21tYW5k')],
    ['with text that is no object', link(base64url('x'))],
    ['that is empty', ''],
    ['of hundreds of thousands of letters', link('a'.repeat(300_000))],
    ['of deep nesting', link(encodeURIComponent('['.repeat(3000)))],
  ])('%s brings nothing and says why', (_, text) => {
    const { servers, problems } = readInstallLink(text)
    expect([servers, problems.length > 0]).toEqual([[], true])
  })
})
