// What a server asks of the person, through the whole host: what they were shown, what was opened, what the server heard.
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { elicitationFields } from '#app/consent/elicitation.ts'
import { openWholeHost, textOf, type WholeHost } from '../whole-host.ts'

const open: WholeHost[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((kit) => kit.remove()))
})

async function whole(...args: string[]): Promise<WholeHost> {
  const program = fileURLToPath(new URL('./elicits.ts', import.meta.url))
  const kit = await openWholeHost('elicits', { command: process.execPath, args: [program, ...args] }, [])
  open.push(kit)
  return kit
}
const heard = async (kit: WholeHost, tool: string): Promise<unknown> => JSON.parse(textOf(await kit.call(tool)))
const pages = ({ asked }: WholeHost): string[] => asked.flatMap((request) => (request.kind === 'elicitation-url' ? [request.url] : []))

const filled = {
  name: 'Grace',
  mail: 'grace@example.com',
  site: 'https://example.com/g',
  day: '2026-12-01',
  at: '2026-12-01T09:30:00Z',
  code: 'AB',
  seats: 4,
  price: 2.5,
  quiet: false,
  size: 's',
  legacy: 'b',
  colour: '#00f',
  days: ['we'],
  rooms: ['r1', 'r2'],
}

describe.each([['2025-11-25'], ['2026-07-28', 'modern']])('a form of %s', (_revision, ...args) => {
  it('is shown with every field that it has, and answered with what was filled in, of the types it asks for', async () => {
    const kit = await whole(...args)
    kit.say('elicitation-form', { kind: 'allow', scope: 'once', content: filled })
    expect(await heard(kit, 'form')).toEqual({ action: 'accept', content: filled })
    const [request] = kit.asked.filter(({ kind }) => kind === 'elicitation-form')
    const fields = request?.kind === 'elicitation-form' ? elicitationFields(request.requestedSchema) : []
    expect(fields.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
      ...['name', 'mail', 'site', 'day', 'at', 'code'].map((name) => `${name}: text`),
      ...['seats', 'price'].map((name) => `${name}: number`),
      'quiet: boolean',
      ...['size', 'legacy', 'colour'].map((name) => `${name}: choice`),
      ...['days', 'rooms'].map((name) => `${name}: choices`),
    ])
  })

  it('is answered without what the person took out, whatever the server had proposed', async () => {
    const kit = await whole(...args)
    const content = { name: 'Grace', days: ['mo'] }
    kit.say('elicitation-form', { kind: 'allow', scope: 'once', content })
    expect(await heard(kit, 'form')).toEqual({ action: 'accept', content })
  })

  it.each<[string, object]>([
    ['a name that is too short', { ...filled, name: 'G' }],
    ['too many days', { ...filled, days: ['mo', 'tu', 'we'] }],
    ['a mail that is none', { ...filled, mail: 'grace' }],
    ['half a seat', { ...filled, seats: 1.5 }],
    ['a missing answer', { days: ['mo'] }],
    ['an answer that was not asked for', { ...filled, pin: '1234' }],
  ])('never hands over %s', async (_title, content) => {
    const kit = await whole(...args)
    kit.say('elicitation-form', { kind: 'allow', scope: 'once', content: content as typeof filled })
    const said = await kit.call('form').then(textOf, (error: Error) => error.message)
    expect(said).not.toContain('accept')
  })

  it.each([
    ['deny', 'decline'],
    ['cancel', 'cancel'],
  ] as const)('that is answered with %s says %s, and no content', async (kind, action) => {
    const kit = await whole(...args)
    kit.say('elicitation-form', { kind })
    expect(await heard(kit, 'form')).toEqual({ action })
  })
})

describe('a page', () => {
  it('is opened once the person agrees; that they have finished there is no second answer', async () => {
    const kit = await whole()
    expect(await heard(kit, 'page')).toEqual({ action: 'accept' })
    expect([pages(kit), kit.opened]).toEqual([['https://example.com/lease/p1'], ['https://example.com/lease/p1']])
  })

  it('that is needed first is put to the person; the call is not made again by itself, and the error says that it may be', async () => {
    const kit = await whole()
    await expect(kit.call('needs-page')).rejects.toMatchObject({ code: 'server.page-first', data: { opened: true, finished: true } })
    expect(kit.opened).toEqual(['https://example.com/lease/p3'])
    expect((await heard(kit, 'seen')) as object[]).toHaveLength(1)
  })

  it('that is named twice is put once, and what is no page is not put at all; the call ends with the first refusal', async () => {
    const kit = await whole()
    kit.say('elicitation-url', { kind: 'deny' })
    await expect(kit.call('needs-two')).rejects.toMatchObject({ code: 'server.page-first', data: { opened: false } })
    expect([pages(kit), kit.opened]).toEqual([['https://example.com/lease/p4'], []])
  })

  it('each of several is put', async () => {
    const kit = await whole()
    const control = new AbortController()
    const call = kit.call('needs-two', {}, { signal: control.signal })
    call.catch(() => undefined)
    await expect.poll(() => kit.opened).toEqual(['https://example.com/lease/p4', 'https://example.com/lease/p5'])
    expect(kit.asked.some(({ kind }) => kind === 'elicitation-form')).toBe(false)
    control.abort()
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('need not be waited for: a person who cancels is not kept', async () => {
    const kit = await whole()
    const control = new AbortController()
    const call = kit.call('never-says', {}, { signal: control.signal })
    call.catch(() => undefined)
    await expect.poll(() => kit.opened).toEqual(['https://example.com/lease/p7'])
    control.abort()
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
  })
})
