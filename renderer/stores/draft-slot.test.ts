import { expect, it } from 'vitest'
import { createDraftSlot, type DraftSlotContext } from './drafts.ts'

/** As a browser's: one holder a name, until its window goes. */
function makeBrowser() {
  const held = new Map<string, number>()
  let windows = 0
  return {
    /** `session`: of the window that is loaded anew. */
    open(session = new Map<string, string>()) {
      windows += 1
      const window = windows
      const request = async (name: string, _how: LockOptions, given: (lock: Lock | null) => unknown) => {
        if (held.has(name)) return given(null)
        held.set(name, window)
        return given({ name, mode: 'exclusive' })
      }
      const context: DraftSlotContext = {
        locks: { request: request as LockManager['request'] },
        session: { getItem: (key) => session.get(key) ?? null, setItem: (key, value) => void session.set(key, value) },
        newId: () => `w${window}`,
      }
      const close = (): void => {
        for (const [name, holder] of held) if (holder === window) held.delete(name)
      }
      return { slot: createDraftSlot(context), session, close }
    },
  }
}

it('gives each window a draft of its own, which it finds again when it is loaded anew', async () => {
  const browser = makeBrowser()
  const [first, second] = [browser.open(), browser.open()]
  expect([first.slot.toHost(''), first.slot.fromHost('')]).toEqual([undefined, undefined])
  await first.slot.choose([''])
  await second.slot.choose([''])
  expect([first.slot.toHost(''), second.slot.toHost('')]).toEqual(['', 'new:w2'])
  expect([second.slot.fromHost(''), second.slot.fromHost('new:w2'), second.slot.fromHost('c1'), second.slot.toHost('c1')]).toEqual([
    undefined,
    '',
    'c1',
    'c1',
  ])
  second.close()
  const anew = browser.open(second.session)
  await anew.slot.choose(['', 'new:w2'])
  expect(anew.slot.toHost('')).toBe('new:w2')
})

it('takes up words that no window holds any more, those of the first window first', async () => {
  const browser = makeBrowser()
  const windows = [browser.open(), browser.open(), browser.open()]
  for (const { slot } of windows) await slot.choose(['c1', 'new:old'])
  expect(windows.map(({ slot }) => slot.toHost(''))).toEqual(['new:old', '', 'new:w3'])
})

it('says when it is known, and those who wait for that are told in turn', async () => {
  const { slot } = makeBrowser().open()
  expect(slot.chosen()).toBeUndefined()
  const told: string[] = []
  void slot.choose([])?.then(() => told.push('snapshot'))
  await slot.chosen()?.then(() => told.push(`event, ${slot.fromHost('')}`))
  expect([told, slot.chosen()]).toEqual([['snapshot', 'event, '], undefined])
})
