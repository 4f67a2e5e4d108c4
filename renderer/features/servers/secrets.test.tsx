import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { HttpDefinition } from '#app/server/definition.ts'
import type { ServerInput } from '#app/server/inputs/input.ts'
import { inputReference as input } from '#app/server/inputs/variable-references.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { makeServer, makeSnapshot } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeAnswers, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'
import { emptyServerForm, isKept, pair, secretsToKeep } from './edit/server-form.ts'

const noLists = { tools: [], resources: [], resourceTemplates: [], prompts: [], fetchedAt: 1 }
const web = (headers: Record<string, string>): HttpDefinition => ({
  transport: 'streamable-http',
  url: 'https://x.example/mcp',
  headers,
  enabled: true,
  start: 'needed',
  trusted: false,
})
const needed = (id: string, part: Partial<ServerInput> = {}): ServerInput => ({ id, set: false, shared: false, password: true, ...part })

function open(
  hash: string,
  server: Partial<ServerSummary>,
  secrets: 'keyring' | 'memory' = 'keyring',
  answers: FakeAnswers = {},
): FakeConnection {
  const { shell } = makeSnapshot()
  const link = createFakeConnection({
    snapshot: { servers: [makeServer(server)], shell: { ...shell, secrets } },
    answers: { 'server.catalogue': () => noLists, 'server.log': () => ({ lines: [], dropped: 0 }), ...answers },
  })
  renderAt(link, hash)
  return link
}
const press = async (name: string | RegExp): Promise<void> => {
  fireEvent.click(await screen.findByRole('button', { name }))
}
const type = (label: string | RegExp, value: string): void => {
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
}
const editing = async (): Promise<void> => {
  fireEvent.click(await screen.findByRole('button', { name: 'More about files' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  await screen.findByRole('dialog')
}

describe('rows of a form', () => {
  it.each<[string, Parameters<typeof pair>, boolean | undefined, boolean, boolean]>([
    ['a secret-looking name, with a keyring', ['API_KEY', 'v'], undefined, true, true],
    ['a secret-looking name, without one', ['API_KEY', 'v'], undefined, false, false],
    ['any other name', ['LANG', 'v'], undefined, true, false],
    ['what the person says', ['LANG', 'v'], true, false, true],
    ['what stands in the file', ['API_KEY', '••••'], undefined, true, false],
    ['what is kept already', ['X', input('x')], undefined, false, true],
    ['a variable of the environment', ['API_KEY', '${' + 'env:K}'], undefined, true, false],
  ])('are kept as secrets by %s', (_title, args, keep, byDefault, kept) => {
    const row = { ...pair(...args), ...(keep === undefined ? {} : { keep }) }
    expect(isKept(row, byDefault)).toBe(kept)
  })

  it('name what has to be kept anew, and only what the kind of server has', () => {
    const env = [pair('A_TOKEN', 'v'), pair('B_TOKEN', input('b')), pair('C_TOKEN', ''), { ...pair('D', '••••'), keep: true }]
    const form = { ...emptyServerForm(), env, headers: [pair('Authorization', 'v')] }
    expect([secretsToKeep(form, true), secretsToKeep({ ...form, transport: 'sse' }, true)]).toEqual([['A_TOKEN', 'D'], ['Authorization']])
  })
})

describe('editing', () => {
  it('keeps a header as a secret by default, shows none that is kept, and can replace it', async () => {
    const link = open('#/servers/files', { definition: web({ Authorization: `Bearer ${input('authorization')}` }) })
    await editing()
    const value = screen.getByLabelText<HTMLInputElement>('Value of Authorization')
    expect([value.value, value.type]).toEqual(['', 'password'])
    type('Value of Authorization', 'Bearer new')
    await press('Save')
    await waitFor(() =>
      expect(link.paramsOf('server.save')).toEqual([
        { name: 'files', definition: web({ Authorization: 'Bearer new' }), keepSecrets: ['Authorization'] },
      ]),
    )
  })

  it('asks for the value anew when it is to stand in the file', async () => {
    const link = open('#/servers/files', { definition: web({ Authorization: input('a') }) })
    await editing()
    fireEvent.click(screen.getByRole('switch', { name: /^Keep as a secret.*Authorization/ }))
    type('Value of Authorization', 'plain')
    await press('Save')
    await waitFor(() => expect(link.paramsOf('server.save')).toEqual([{ name: 'files', definition: web({ Authorization: 'plain' }) }]))
  })

  it('moves what stands in the file when that is switched on', async () => {
    const link = open('#/servers/files', { definition: web({ 'X-Key': '••••' }) })
    await editing()
    fireEvent.click(screen.getByRole('switch', { name: /^Keep as a secret.*X-Key/ }))
    await press('Save')
    await waitFor(() => expect(link.paramsOf('server.save')[0]?.keepSecrets).toEqual(['X-Key']))
  })
})

describe('pasting', () => {
  const paste = async (): Promise<void> => {
    const dialog = await screen.findByRole('dialog')
    fireEvent.change(within(dialog).getByLabelText(/Paste anything/), { target: { value: 'API_KEY=s3cret npx -y papers-mcp' } })
    await screen.findByText('Found 1 server')
  }

  it.each([
    ['keyring', ['API_KEY']],
    ['memory', undefined],
  ] as const)('with a store of the kind %s keeps %j', async (secrets, kept) => {
    const link = open('#/servers//add', {}, secrets)
    await paste()
    await press('Continue')
    await waitFor(() => expect(link.paramsOf('server.save').map(({ keepSecrets }) => keepSecrets)).toEqual([kept]))
  })

  it('leaves them in the file where the person says so', async () => {
    const link = open('#/servers//add', {})
    await paste()
    fireEvent.click(screen.getByRole('checkbox', { name: /Keep the secrets/ }))
    await press('Continue')
    await waitFor(() => expect(link.paramsOf('server.save')[0]).not.toHaveProperty('keepSecrets'))
  })
})

describe('the page of a server', () => {
  const error = { code: 'server.secret-missing', message: '', data: { server: 'files', ids: ['one', 'two'] } } as const

  it('asks for what is missing, each masked as it says, and hands it to the host alone', async () => {
    const inputs = [
      needed('one', { description: 'The first key' }),
      needed('two', { password: false, options: ['eu', 'us'] }),
      needed('three', { set: true }),
    ]
    const link = open('#/servers/files', { state: { kind: 'failed', at: 1, error, attempt: 1 }, inputs })
    const first = await screen.findByLabelText<HTMLInputElement>(/The first key/)
    expect(first.type).toBe('password')
    await press('Keep and start “files”')
    expect(link.paramsOf('server.setSecret')).toEqual([])
    fireEvent.change(first, { target: { value: 'k1' } })
    fireEvent.change(screen.getByLabelText(/^two/), { target: { value: 'us' } })
    await press('Keep and start “files”')
    await waitFor(() =>
      expect(link.paramsOf('server.setSecret')).toEqual([
        { name: 'files', id: 'one', value: 'k1' },
        { name: 'files', id: 'two', value: 'us' },
      ]),
    )
    expect(screen.getByRole('main').textContent).not.toContain('k1')
  })

  it('offers to move plain text to the keyring, and to undo that', async () => {
    const link = open('#/servers/files', { plainSecrets: ['API_KEY'] })
    fireEvent.click(await screen.findByRole('tab', { name: 'Details' }))
    await press('Move to the keyring')
    await press('Undo')
    await waitFor(() => expect(link.paramsOf('server.putBackSecrets')).toEqual([{ name: 'files' }]))
    expect(link.paramsOf('server.keepSecrets')).toEqual([{ name: 'files', names: ['API_KEY'] }])
  })

  it('offers no keyring where there is none', async () => {
    open('#/servers/files', { plainSecrets: ['API_KEY'] }, 'memory')
    fireEvent.click(await screen.findByRole('tab', { name: 'Details' }))
    await screen.findByText(/servers.json as plain text: API_KEY/)
    expect(screen.queryByRole('button', { name: 'Move to the keyring' })).toBeNull()
  })

  it('replaces and forgets a secret', async () => {
    const link = open('#/servers/files', { inputs: [needed('token', { set: true })] })
    fireEvent.click(await screen.findByRole('tab', { name: 'Details' }))
    await press('Replace token')
    type(/^token/, 'new')
    await press('Keep')
    await waitFor(() => expect(link.paramsOf('server.setSecret')).toEqual([{ name: 'files', id: 'token', value: 'new' }]))
    await press('Delete token')
    await waitFor(() => expect(link.paramsOf('server.forgetSecret')).toEqual([{ name: 'files', id: 'token' }]))
  })
})
