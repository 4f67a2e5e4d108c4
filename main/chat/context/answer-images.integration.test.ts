// Images that a model makes, from the chunks of a router to the next request, the export and the purge.
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { systemClock } from '#main/base/clock.ts'
import { createModels } from '#main/models/host-models.ts'
import type { Reply } from '../../../e2e/model-server/reply.ts'
import { startModelServer } from '../../../e2e/model-server/server.ts'
import { makeChat } from '../chat.testing.ts'
import { exportPieces } from '../transfer/export-file.ts'
import { importFile, only } from '../transfer/transfer.testing.ts'
import { toModelMessages } from './model-history.ts'

/** A picture of one pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const sse = (...chunks: readonly object[]): Reply => ({
  kind: 'raw',
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: `${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`,
})
const chunk = (delta: object, finish_reason: string | null = null): object => ({ choices: [{ index: 0, delta, finish_reason }] })
// openrouter.ai/docs, "Image Generation": the answer's images stand beside its content.
const image = (url: string): object => ({ images: [{ type: 'image_url', image_url: { url } }] })

async function lab(...replies: readonly Reply[]) {
  const made = { id: 'painter', architecture: { input_modalities: ['text', 'image'], output_modalities: ['text', 'image'] } }
  const server = await startModelServer({
    models: [{ display_name: 'Painter', ...made }],
    script: (_, index) => replies[index] ?? sse(chunk({ content: 'Fine.' }, 'stop')),
  })
  onTestFinished(() => server.close())
  const secrets = new Map<string, string>()
  const silent = (): void => {}
  const kit = makeChat({
    script: [],
    tools: [],
    reached: (store) =>
      createModels({
        secrets: {
          kind: 'memory',
          get: async (name) => secrets.get(name),
          set: async (name, value) => void secrets.set(name, value),
          delete: async (name) => void secrets.delete(name),
        },
        settings: store.settings,
        emit: silent,
        clock: systemClock,
        log: { debug: silent, info: silent, warn: silent, error: silent },
        env: { ASSENT_LOCAL_MODEL_PORTS: '' },
      }),
  })
  onTestFinished(() => kit.dispose())
  await kit.models.load()
  const { id } = await kit.models.saveEndpoint({ name: 'Lab', baseUrl: `${server.url}/v1`, key: 'sk-lab-abcdefgh', format: 'openai' })
  kit.settings = { ...kit.settings, defaultModel: `${id}/painter` }
  return { server, kit }
}
const messagesOf = (body: JsonObject | undefined): unknown => body?.['messages']

test('are asked for, kept as bytes, told in the next request, exported and imported', async () => {
  const { server, kit } = await lab(
    sse(chunk({ content: 'A dot:' }), chunk({ content: '', ...image(`data:image/png;base64,${png}`) }, 'stop')),
  )
  const id = await kit.turn('Paint a dot')
  const parts = kit.answers(id)[0]?.parts ?? []
  expect(parts).toMatchObject([
    { kind: 'text', text: 'A dot:' },
    { kind: 'image', blob: { mimeType: 'image/png', bytes: 70 } },
  ])
  const [, made] = parts
  const sha256 = made?.kind === 'image' ? made.blob.sha256 : ''
  expect(Buffer.from(kit.store.blobs.get(sha256)?.bytes ?? []).toString('base64')).toBe(png)
  await kit.turn('Make it red', id)
  const [first, second] = server.requests
  expect(first?.body['modalities']).toEqual(['image', 'text'])
  expect(messagesOf(second?.body)).toMatchObject([
    { role: 'system' },
    { role: 'user', content: 'Paint a dot' },
    { role: 'assistant', content: 'A dot:' },
    {
      role: 'user',
      content: [
        { type: 'text', text: '[An image that you made in the answer above:]' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
        { type: 'text', text: 'Make it red' },
      ],
    },
  ])
  const file = [...exportPieces(kit.store, { ids: [id], format: 'json', now: 0, mask: String })].join('')
  const other = makeChat({ script: [] })
  onTestFinished(() => other.dispose())
  await importFile(other.store, file)
  expect(other.messages(only(other.store).id)[1]).toMatchObject({ parts })
  expect(Buffer.from(other.store.blobs.get(sha256)?.bytes ?? []).toString('base64')).toBe(png)
  expect([...exportPieces(kit.store, { ids: [id], format: 'markdown', now: 0, mask: String })].join('')).toContain(
    '(image, `image/png`, 70 B)',
  )
})

test('alone are an answer too, and a model that takes no images reads a note', async () => {
  const { kit } = await lab(sse(chunk({ content: '', ...image(`data:image/png;base64,${png}`) }, 'stop')))
  const id = await kit.turn('Paint a dot')
  expect(kit.answers(id)).toMatchObject([{ state: 'done', parts: [{ kind: 'image' }] }])
  const history = toModelMessages(kit.messages(id), { blobs: kit.store.blobs, images: false, readOn: undefined })
  expect(history.slice(1)).toMatchObject([
    { role: 'assistant', content: [{ type: 'text', text: '[An image]' }] },
    {
      role: 'user',
      content: [{ type: 'text' }, { type: 'text', text: '[An image (image/png, 70 B) that the person can see and you cannot.]' }],
    },
  ])
})

test('of an unknown kind, or at an address of the web, are named and not drawn: nothing is fetched', async () => {
  const { kit } = await lab(
    sse(
      chunk({ content: 'Two:', ...image('https://kettles.example/a.png') }),
      chunk({ content: '', ...image(`data:image/png;base64,${btoa('<svg/>')}`) }, 'stop'),
    ),
  )
  const id = await kit.turn('Paint a dot')
  expect(kit.answers(id)[0]?.parts).toMatchObject([
    { kind: 'text', text: 'Two:\n\n<https://kettles.example/a.png>' },
    { kind: 'text', text: '(The model sent an image of an unknown kind, 6 B.)' },
  ])
})
