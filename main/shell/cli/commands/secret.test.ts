import { describe, expect, it } from 'vitest'
import { readConfig } from '#app/server/config/read-config.ts'
import { createMemorySecrets, type SecretStore } from '#main/base/secret-store.ts'
import type { CliOutput } from '../output.ts'
import { runSecret, type SecretCommand } from './secret.ts'

const text = JSON.stringify({
  inputs: [{ id: 'house', type: 'promptString', description: 'Of the house' }],
  mcpServers: { web: { url: 'https://x.example', headers: { A: '${' + 'input:token}', B: '${' + 'input:house}' } } },
})

function bench(secrets: SecretStore = { ...createMemorySecrets(), kind: 'keyring' }) {
  const said: string[] = []
  const values: unknown[] = []
  const output: CliOutput = {
    json: true,
    value: (value) => void values.push(value),
    text: (line) => void said.push(line),
    note: (line) => void said.push(line),
    flushed: async () => {},
  }
  const run = (action: SecretCommand['action'], id: string, value = '', more: Partial<SecretCommand> = {}): Promise<number> =>
    runSecret({
      action,
      server: 'web',
      id,
      config: readConfig(text, 'f'),
      secrets,
      scope: '',
      env: {},
      readValue: async () => value,
      output,
      ...more,
    })
  return { run, said, values, secrets }
}

describe('assent secret', () => {
  it('keeps what it reads under the names that the host uses, lists it without its value, and forgets it', async () => {
    const { run, said, values, secrets } = bench()
    expect([await run('set', 'token', 's3cret\n'), await run('set', 'house', 'other')]).toEqual([0, 0])
    expect([await secrets.get('input/web/token'), await secrets.get('input//house')]).toEqual(['s3cret', 'other'])
    await run('remove', 'token')
    await run('list', '', '', { env: { ASSENT_INPUT_TOKEN: 'x' } })
    expect(values).toEqual([
      [
        { server: 'web', id: 'token', set: true, shared: false, from: 'ASSENT_INPUT_TOKEN', description: null },
        { server: 'web', id: 'house', set: true, shared: true, from: null, description: 'Of the house' },
      ],
    ])
    expect([await secrets.get('input/web/token'), said.join().includes('s3cret')]).toEqual([undefined, false])
  })

  it('keeps nothing that no server names, nothing empty, and nothing without a keyring', async () => {
    await expect(bench().run('set', 'nothing', 'v')).rejects.toMatchObject({ code: 'config.invalid' })
    await expect(bench().run('set', 'token', 'v', { server: 'gone' })).rejects.toMatchObject({ code: 'server.unknown' })
    expect(await bench().run('set', 'token', '\n')).toBe(2)
    await expect(bench(createMemorySecrets()).run('set', 'token', 'v')).rejects.toMatchObject({ code: 'secrets.unavailable' })
  })
})
