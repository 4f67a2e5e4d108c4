import { expect, it } from 'vitest'
import { createSingleFlight } from './auth-session.ts'

function setUp() {
  const flown: { readonly need: string; readonly signal: AbortSignal; readonly land: (result: string) => void }[] = []
  const flights = createSingleFlight<string, string>(
    (need, signal) =>
      new Promise((resolve, reject) => {
        flown.push({ need, signal, land: resolve })
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      }),
    () => new Error('abandoned'),
  )
  return { flights, flown }
}

it('whoever comes while one is under way shares it', async () => {
  const { flights, flown } = setUp()
  const all = ['a', 'b', 'c'].map((need) => flights.join(need, undefined))
  flown[0]?.land('done')
  expect([await Promise.all(all), flown.map(({ need }) => need)]).toEqual([['done', 'done', 'done'], ['a']])
  expect(flights.current).toBeUndefined()
  void flights.join('d', undefined)
  expect(flown.map(({ need }) => need)).toEqual(['a', 'd'])
})

it('one who leaves ends it for nobody else; the last one to leave ends it', async () => {
  const { flights, flown } = setUp()
  const [first, second] = [new AbortController(), new AbortController()]
  const leaving = flights.join('a', first.signal)
  const staying = flights.join('a', second.signal)
  first.abort(new Error('left'))
  await expect(leaving).rejects.toThrow('left')
  expect(flown[0]?.signal.aborted).toBe(false)
  second.abort(new Error('left too'))
  await expect(staying).rejects.toThrow('left too')
  expect(flown[0]?.signal.reason).toEqual(new Error('abandoned'))
})

it('a failure is told to all, and the next one begins anew', async () => {
  const { flights, flown } = setUp()
  const all = [flights.join('a', undefined), flights.join('b', undefined)]
  await flights.cancel(new Error('called off'))
  for (const one of all) await expect(one).rejects.toThrow('called off')
  const next = flights.join('c', undefined)
  flown[1]?.land('done')
  expect(await next).toBe('done')
})

it('whoever has left already starts nothing', async () => {
  const { flights, flown } = setUp()
  await expect(flights.join('a', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  expect(flown).toEqual([])
})
