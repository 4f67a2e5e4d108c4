// Folders: how long a yes counts, what it counts for, and what ends it.
import { afterEach, describe, expect, it } from 'vitest'
import type { ConsentScope } from '#app/consent/request.ts'
import { makeBroker, type TestBroker } from '../broker.testing.ts'

let kit: TestBroker
afterEach(() => kit.dispose())

const root = (name: string) => ({ uri: `file:///${name}`, name })
function asking(kit: TestBroker, names: readonly string[], conversationId?: string, server = 'files') {
  return kit.broker.roots({ server, conversationId, signal: kit.abort.signal, roots: names.map(root) })
}
const yes = (scope: ConsentScope) => ({ kind: 'allow', scope }) as const
async function answered(names: readonly string[], scope: ConsentScope, conversationId?: string): Promise<void> {
  const asked = asking(kit, names, conversationId)
  kit.answer(yes(scope))
  expect(await asked).toBe(true)
}
/** Undefined: the person is asked. */
async function unasked(names: readonly string[], conversationId?: string, server?: string): Promise<boolean | undefined> {
  const before = kit.asked.length
  const asking_ = asking(kit, names, conversationId, server)
  if (kit.asked.length === before) return asking_
  kit.answer({ kind: 'deny' })
  expect(await asking_).toBe(false)
  return undefined
}

describe('a yes to folders', () => {
  it('counts once when nothing else was said', async () => {
    kit = makeBroker()
    await answered(['a'], 'once', 'c1')
    expect(await unasked(['a'], 'c1')).toBeUndefined()
  })

  it('for a conversation counts in it alone', async () => {
    kit = makeBroker()
    await answered(['a'], 'conversation', 'c1')
    expect([await unasked(['a'], 'c1'), await unasked(['a'], 'c2'), await unasked(['a'])]).toEqual([true, undefined, undefined])
  })

  it('always counts everywhere, in another run too, for that server alone', async () => {
    kit = makeBroker()
    await answered(['a', 'b'], 'always')
    expect([await unasked(['a', 'b'], 'c2'), await unasked(['a'], undefined, 'other')]).toEqual([true, undefined])
    const { signal } = kit.abort
    expect(await kit.restart().roots({ server: 'files', signal, roots: [root('a')] })).toBe(true)
  })

  it('does not count for a folder that came later: it is asked anew, which are new is told, and fewer are told at once', async () => {
    kit = makeBroker()
    await answered(['a'], 'always')
    const asked = asking(kit, ['a', 'b'])
    expect(kit.only()).toMatchObject({ roots: [root('a'), root('b')], agreed: ['file:///a'] })
    kit.answer(yes('always'))
    expect([await asked, await unasked(['b'])]).toEqual([true, true])
  })

  it('answers what the same server asks meanwhile', async () => {
    kit = makeBroker()
    const both = [asking(kit, ['a']), asking(kit, ['a'], 'c1')]
    kit.broker.answer(kit.asked[0] ?? '', yes('always'))
    expect(await Promise.all(both)).toEqual([true, true])
  })

  it('cannot be for a conversation where there is none', async () => {
    kit = makeBroker()
    const asked = asking(kit, ['a'])
    expect(() => kit.answer(yes('conversation'))).toThrow(expect.objectContaining({ code: 'contract.invalid' }))
    kit.answer({ kind: 'deny' })
    expect(await asked).toBe(false)
  })

  it('ends when the person wants to be asked again, and when another program stands behind the name', async () => {
    kit = makeBroker()
    await answered(['a'], 'always')
    kit.broker.forgetSharedFolders('files')
    expect(await unasked(['a'])).toBeUndefined()
    const launch = (command: string) =>
      kit.broker.launch({
        server: 'files',
        signal: kit.abort.signal,
        target: { transport: 'stdio', command, args: [], envNames: [] },
      })
    for (const command of ['one', 'two']) {
      if (command === 'two') await answered(['a'], 'always')
      const launching = launch(command)
      await expect.poll(() => kit.broker.open().length).toBe(1)
      kit.answer(yes('always'))
      await launching
    }
    expect(await unasked(['a'])).toBeUndefined()
  })

  it('is on record each time, and says for how long', async () => {
    kit = makeBroker()
    await answered(['a'], 'always')
    await unasked(['a'])
    const decisions = kit.rows().filter(({ kind }) => kind === 'decision')
    expect(decisions.map(({ by, decision, detail }) => [by, decision, detail['scope']])).toEqual([
      ['person', 'allowed', 'always'],
      ['rule', 'allowed', undefined],
    ])
  })
})
