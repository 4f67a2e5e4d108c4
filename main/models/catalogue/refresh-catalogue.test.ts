import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fillModels, readCatalogue } from './catalogue.ts'
import { refreshCatalogue } from './refresh-catalogue.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'catalogue-'))
  file = join(folder, 'models.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

const model = {
  reasoning: false,
  tool_call: true,
  open_weights: false,
  modalities: { input: ['text'], output: ['text'] },
  limit: { context: 12_345, output: 1000 },
}
/** The data of models.dev with as many models. */
const answer = (count: number): unknown => ({
  openai: { id: 'openai', models: Object.fromEntries(Array.from({ length: count }, (_, at) => [`m-${at}`, model])) },
})
async function refresh(body: unknown, { today = '2099-01-01', status = 200 } = {}) {
  const asked: string[] = []
  const fetch: typeof globalThis.fetch = async (input) => {
    asked.push(String(input))
    if (body instanceof Error) throw body
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
  }
  return { asked, count: await refreshCatalogue({ file, fetch, today }, new AbortController().signal) }
}
const contextOf = async () =>
  (await fillModels([{ id: 'mine/m-1', provider: 'mine', name: 'm-1', ai: true }], 'https://api.openai.com/v1', file))[0]?.contextTokens

test('a fetched catalogue is kept, and is used where it is the newer one', async () => {
  expect(await refresh(answer(300))).toEqual({ asked: ['https://models.dev/api.json'], count: 300 })
  expect([(await readCatalogue(file)).date, await contextOf()]).toEqual(['2099-01-01', 12_345])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ source: 'https://models.dev/api.json', licence: 'MIT' })
  await refresh(answer(300), { today: '2020-01-01' })
  expect([(await readCatalogue(file)).date, await contextOf()]).toEqual([(await readCatalogue()).date, undefined])
})

test.each([
  ['another answer', { hello: 1 }, 200, 'model.bad-answer'],
  ['too few models', answer(10), 200, 'model.bad-answer'],
  ['no JSON', '<html>', 200, 'model.bad-answer'],
  ['a refusal', answer(300), 503, 'model.bad-answer'],
  ['a redirect, which is not followed', '', 302, 'model.bad-answer'],
  ['an answer without end', 'x'.repeat(31_000_000), 200, 'model.bad-answer'],
  ['no network', new TypeError('fetch failed'), 200, 'model.offline'],
])('%s keeps the one before', async (_, body, status, code) => {
  await refresh(answer(300))
  await expect(refresh(body, { today: '2100-01-01', status })).rejects.toMatchObject({ code })
  expect((await readCatalogue(file)).date).toBe('2099-01-01')
})

test.each(['', '{', '{"date":"soon","vendors":{}}', '{"date":"2099-01-01","vendors":{"openai":{"gpt-5":{"context":"much"}}}}'])(
  'a kept file that is broken is passed over: %s',
  async (text) => {
    writeFileSync(file, text)
    expect(await readCatalogue(file)).toEqual(await readCatalogue())
  },
)
