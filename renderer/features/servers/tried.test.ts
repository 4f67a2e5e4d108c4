import { describe, expect, it } from 'vitest'
import type { ServerDefinition } from '#app/server/definition.ts'
import { commandLine, readTried, triedReport } from './tried.ts'

const definition: ServerDefinition = {
  transport: 'stdio',
  command: 'uvx',
  args: ['ledger mcp', ''],
  env: { TOKEN: 'secret-value' },
  enabled: true,
  start: 'needed',
  trusted: false,
}
const error = (data: Record<string, never> | object) =>
  ({ code: 'server.command-not-found', message: 'not found', data: { ...data } }) as const

describe('what was tried', () => {
  it('reads what the host said, in either form', () => {
    const tried = readTried(
      error({
        resolved: null,
        path: '/usr/bin:/bin',
        pathSource: 'login-shell',
        stderr: 'one\n\ntwo\n',
        steps: [{ name: 'find', ms: 3, ok: false, detail: 'no uvx' }, { name: 'start' }, 'noise', { ms: 2 }],
      }),
      definition,
    )
    expect(tried).toEqual({
      command: 'uvx "ledger mcp" ""',
      resolved: null,
      path: ['/usr/bin', '/bin'],
      pathSource: 'login-shell',
      stderr: ['one', 'two'],
      steps: [
        { name: 'find', outcome: 'failed', ms: 3, detail: 'no uvx' },
        { name: 'start', outcome: 'not-reached' },
      ],
    })
    expect(readTried(error({ path: 'C:\\Windows;D:\\bin' }), definition)?.path).toEqual(['C:\\Windows', 'D:\\bin'])
  })

  it('is nothing when the host said nothing', () => {
    expect(readTried({ code: 'server.exited', message: 'it ended' }, definition)).toBeUndefined()
    expect(readTried(error({}), definition)?.resolved).toBeNull()
  })

  it('goes into a report without the values of variables', () => {
    const tried = readTried(error({ resolved: null, stderr: ['last words'] }), definition)
    const report = triedReport('ledger', error({}), tried)
    expect(report).toContain('last words')
    expect(report).not.toContain('secret-value')
  })

  it('shows an address for a remote server', () => {
    expect(commandLine({ transport: 'sse', url: 'https://a.example', headers: {}, enabled: true, start: 'needed', trusted: false })).toBe(
      'https://a.example',
    )
  })
})
