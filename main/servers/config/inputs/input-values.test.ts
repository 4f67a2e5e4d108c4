import { beforeEach, describe, expect, it } from 'vitest'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { InputDeclaration } from '#app/server/inputs/input.ts'
import { inputReference as input } from '#app/server/inputs/variable-references.ts'
import { createMemorySecrets, type SecretStore } from '#main/base/secret-store.ts'
import { http } from '#main/servers/lifecycle/servers.testing.ts'
import { createInputs, environmentName, type Inputs, type InputsOptions } from './input-values.ts'

const needs = (...ids: string[]): ServerDefinition => http('https://x.example', Object.fromEntries(ids.map((id) => [`X-${id}`, input(id)])))
const missing = (server: string, ids: string[]) =>
  expect.objectContaining({ code: 'server.secret-missing', data: expect.objectContaining({ server, ids }) })

let secrets: SecretStore
let changed: string[][]
beforeEach(() => {
  secrets = createMemorySecrets()
  changed = []
})

function make(
  definitions: Record<string, ServerDefinition>,
  options: Partial<InputsOptions> = {},
  declared: readonly InputDeclaration[] = [],
): Inputs {
  const inputs = createInputs({ secrets, onChange: (names) => changed.push(names), ...options })
  inputs.configure(new Map(Object.entries(definitions)), new Map(declared.map((one) => [one.id, one])))
  return inputs
}

describe('a value', () => {
  it('belongs to one server, whatever another one calls its own', async () => {
    const inputs = make({ a: needs('token'), b: needs('token') })
    await inputs.set('a', 'token', 'for a')
    expect([...(await inputs.values('a', needs('token')))]).toEqual([['token', 'for a']])
    await expect(inputs.values('b', needs('token'))).rejects.toEqual(missing('b', ['token']))
  })

  it.each([
    ['a/b', 'c', 'a', 'b/c'],
    ['', 'x', '/x', ''],
  ])('of %j %j is not that of %j %j', async (serverA, idA, serverB, idB) => {
    const inputs = make({})
    await inputs.set(serverA, idA, 'v')
    expect(await inputs.get(serverB, idB)).toBeUndefined()
  })

  it('is shared when the file declares it for all', async () => {
    const inputs = make({ a: needs('token'), b: needs('token') }, {}, [{ id: 'token', description: 'Of the house', password: true }])
    await inputs.set('a', 'token', 'for all')
    expect((await inputs.values('b', needs('token'))).get('token')).toBe('for all')
    expect(inputs.views('b', needs('token'))).toEqual([
      { id: 'token', set: true, shared: true, password: true, description: 'Of the house' },
    ])
  })

  it('of another file is another one', async () => {
    await make({}, { scope: 'one' }).set('a', 'token', 'v')
    expect(await make({}, { scope: 'two' }).get('a', 'token')).toBeUndefined()
  })

  it('that is missing is named with all others that are', async () => {
    const inputs = make({}, {}, [{ id: 'b', description: 'The second', password: false }])
    await expect(inputs.values('a', needs('a', 'b'))).rejects.toMatchObject({
      data: {
        ids: ['a', 'b'],
        inputs: [
          { id: 'a', description: null },
          { id: 'b', description: 'The second' },
        ],
      },
    })
  })

  it('comes from the environment before the store', async () => {
    expect(environmentName('git-hub.token')).toBe('ASSENT_INPUT_GIT_HUB_TOKEN')
    const inputs = make({ a: needs('t') }, { env: { ASSENT_INPUT_T: 'from outside' } })
    await inputs.set('a', 't', 'kept')
    expect((await inputs.values('a', needs('t'))).get('t')).toBe('from outside')
    expect(inputs.views('a', needs('t'))[0]).toMatchObject({ set: true, from: 'ASSENT_INPUT_T' })
  })

  it('that was typed counts for this run, and is not asked for twice', async () => {
    const asked: string[] = []
    const ask = async ({ server, id }: { server: string; id: string }): Promise<string> => {
      asked.push(`${server} ${id}`)
      return 'typed'
    }
    const inputs = make({ a: needs('t') }, { ask })
    expect((await inputs.values('a', needs('t'))).get('t')).toBe('typed')
    expect((await inputs.values('a', needs('t'))).get('t')).toBe('typed')
    expect([asked, await secrets.get('input/a/t')]).toEqual([['a t'], undefined])
  })
})

describe('what pages are told', () => {
  it('is looked up once, and told when it is other than before', async () => {
    await secrets.set('input/a/t', 'v')
    const inputs = make({ a: needs('t'), b: http('https://x.example') })
    expect(inputs.views('a', needs('t'))[0]?.set).toBe(false)
    await expect.poll(() => changed).toEqual([['a']])
    expect(inputs.views('a', needs('t'))[0]?.set).toBe(true)
    await inputs.forget('a', 't')
    expect([changed.length, inputs.views('a', needs('t'))[0]?.set]).toEqual([2, false])
  })
})

describe('a server that is taken out', () => {
  it('takes its values along, and has them again when it comes back as it was', async () => {
    const inputs = make({ a: needs('t') })
    await inputs.set('a', 't', 'v')
    await inputs.release('a', needs('t'))
    expect(await secrets.get('input/a/t')).toBeUndefined()
    inputs.configure(new Map([['a', needs('t')]]), new Map())
    expect((await inputs.values('a', needs('t'))).get('t')).toBe('v')
  })

  it('leaves nothing to another one of its name', async () => {
    const inputs = make({ a: needs('t') })
    await inputs.set('a', 't', 'v')
    await inputs.release('a', needs('t'))
    const other = http('https://evil.example', { 'X-t': input('t') })
    inputs.configure(new Map([['a', other]]), new Map())
    await expect(inputs.values('a', other)).rejects.toEqual(missing('a', ['t']))
  })
})

it('keeps several values or none of them', async () => {
  const inputs = make({})
  await inputs.set('a', 'one', 'before')
  const refusing: SecretStore = {
    ...secrets,
    set: (name, value) => (name.endsWith('two') ? Promise.reject(new Error('locked')) : secrets.set(name, value)),
  }
  const failing = createInputs({ secrets: refusing })
  const both = new Map([
    ['one', 'after'],
    ['two', 'after'],
  ])
  await expect(failing.setAll('a', both)).rejects.toThrow('locked')
  expect([await inputs.get('a', 'one'), await inputs.get('a', 'two')]).toEqual(['before', undefined])
})
