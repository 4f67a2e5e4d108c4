// The demo server as a host meets it: a real process over stdio, through the official client, in both eras.
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CallToolResult, Client, type ElicitResult, type Progress } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isBuilt } from '../../scripts/build-if-needed.ts'

const root = join(import.meta.dirname, '../..')
/** The built server, if the build is of this code: its start takes half of the processor time. */
const entry = isBuilt(root) ? join(root, 'dist/main/demo-server.js') : join(import.meta.dirname, 'main.ts')
let profile: string
let folder: string
const connections: Client[] = []

beforeEach(async () => {
  profile = await mkdtemp(join(tmpdir(), 'assent-demo-'))
  folder = join(profile, 'invoices')
})
afterEach(async () => {
  await Promise.all(connections.splice(0).map((client) => client.close()))
  await rm(profile, { recursive: true, force: true })
})

interface Host {
  readonly mode?: 'auto' | 'legacy'
  readonly form?: (message: string) => ElicitResult
  readonly stepMs?: number
  readonly onResourcesChanged?: () => void
}

/** `home`: of the server, which keeps its folder there. */
async function open(home: string, { mode = 'auto', form, stepMs = 1, onResourcesChanged }: Host = {}): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: { sampling: {}, elicitation: { form: {} } },
      versionNegotiation: { mode },
      ...(onResourcesChanged ? { listChanged: { resources: { autoRefresh: false, onChanged: onResourcesChanged, debounceMs: 0 } } } : {}),
    },
  )
  client.setRequestHandler('elicitation/create', ({ params }) => form?.(params.message) ?? { action: 'cancel' })
  client.setRequestHandler('sampling/createMessage', ({ params }) => ({
    model: 'test-model',
    role: 'assistant',
    content: { type: 'text', text: `seen: ${JSON.stringify(params.messages).includes('Holm & Aster Print')}` },
  }))
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [entry],
      cwd: home,
      env: { ...(process.env as Record<string, string>), ASSENT_DEMO_DIR: join(home, 'invoices'), ASSENT_DEMO_STEP_MS: String(stepMs) },
      stderr: 'inherit',
    }),
  )
  return client
}

async function connect(host: Host = {}): Promise<Client> {
  const client = await open(profile, host)
  connections.push(client)
  return client
}

/** One server for several tests, which leave it as it was. */
function shared(host: Host, prepare: (home: string) => Promise<void> = async () => {}): { readonly home: string; readonly client: Client } {
  let home = ''
  let client: Client | undefined
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'assent-demo-'))
    client = await open(home, host)
    await prepare(home)
  })
  afterAll(async () => {
    await client?.close()
    await rm(home, { recursive: true, force: true })
  })
  return {
    get home() {
      return home
    },
    get client() {
      if (!client) throw new Error('not connected')
      return client
    },
  }
}

const call = (client: Client, name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> =>
  client.callTool({ name, arguments: args }) as Promise<CallToolResult>
const text = (result: CallToolResult): string => result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')

/** On the wire: the SDK's own transport loses progress that arrives together with the result. */
function watchProgress(client: Client): Progress[] {
  const seen: Progress[] = []
  const { transport } = client
  if (!transport) throw new Error('not connected')
  const { onmessage } = transport
  transport.onmessage = (message, extra) => {
    if ('method' in message && message.method === 'notifications/progress') seen.push(message.params as unknown as Progress)
    onmessage?.(message, extra)
  }
  return seen
}

const accepting = (content: Record<string, string | boolean>): ElicitResult => ({ action: 'accept', content })

describe.each(['auto', 'legacy'] as const)('the demo server, met in mode %s', (mode) => {
  const unchanged = shared({ mode })

  test('offers its tools, with read-only ones marked', async () => {
    const { client } = unchanged
    expect(client.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy')
    const { tools } = await client.listTools()
    expect(Object.fromEntries(tools.map((tool) => [tool.name, tool.annotations?.readOnlyHint ?? false]))).toEqual({
      list_invoices: true,
      total_invoices: true,
      rename_invoice: false,
      summarize_invoice: true,
      prepare_report: true,
      show_chart: true,
      book_room: false,
    })
  })

  test('lists and totals invoices, all or of one month', async () => {
    const { client } = unchanged
    const all = await call(client, 'list_invoices')
    const { invoices } = all.structuredContent as { invoices: { file: string; number: string; date: string; amount: number }[] }
    expect(invoices.map(({ number }) => number)).toEqual([...Array(11).keys()].map((index) => `04${11 + index}`))
    expect(invoices.find(({ number }) => number === '0417')).toEqual({
      file: 'invoice-0417.txt',
      number: '0417',
      vendor: 'Holm & Aster Print',
      date: '2026-10-02',
      amount: 187.4,
      currency: 'EUR',
    })
    const september = invoices.filter(({ date }) => date.startsWith('2026-09'))
    const total = (await call(client, 'total_invoices', { month: '2026-09' })).structuredContent as { count: number; total: number }
    expect(total).toEqual({
      count: september.length,
      total: Math.round(september.reduce((sum, { amount }) => sum + amount, 0) * 100) / 100,
      currency: 'EUR',
    })
    expect((await call(client, 'total_invoices', { month: 'September' })).isError).toBe(true)
  })

  test('renames a file and says that its resources changed', async () => {
    let changes = 0
    const client = await connect({ mode, onResourcesChanged: () => (changes += 1) })
    const result = await call(client, 'rename_invoice', { file: 'invoice-0417.txt', newName: '2026-10-02_invoice-0417.txt' })
    expect(result.isError ?? false).toBe(false)
    const names = await readdir(folder)
    expect([names.includes('invoice-0417.txt'), names.includes('2026-10-02_invoice-0417.txt')]).toEqual([false, true])
    await expect.poll(() => changes).toBeGreaterThan(0)
    const listed = (await client.listResources(undefined, { cacheMode: 'refresh' })).resources.find(({ uri }) => uri === 'invoice://0417')
    expect(listed?.name).toBe('2026-10-02_invoice-0417.txt')
  })

  test('tells who subscribed to an invoice that its file was written, and of no other', async () => {
    const told: string[] = []
    const client = await connect({ mode })
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri))
    if (mode === 'legacy') await client.subscribeResource({ uri: 'invoice://0417' })
    else await client.listen({ resourceSubscriptions: ['invoice://0417'] })
    for (const number of ['0414', '0417']) {
      const file = join(folder, `invoice-${number}.txt`)
      await writeFile(file, `${await readFile(file, 'utf8')}\nSeen.\n`)
    }
    await expect.poll(() => told).toEqual(['invoice://0417'])
  })

  test('books a room once the form is filled in', async () => {
    const client = await connect({ mode, form: () => accepting({ name: 'Maya', start: '10:00', catering: true }) })
    const result = await call(client, 'book_room', { people: 4, day: 'Thursday' })
    expect(result.isError ?? false).toBe(false)
    expect(JSON.parse(await readFile(join(folder, 'bookings.json'), 'utf8'))).toEqual([
      { room: 'Alder', day: 'Thursday', start: '10:00', people: 4, name: 'Maya', catering: true, notes: '' },
    ])
  })

  test.each(['decline', 'cancel'] as const)('books nothing when the person answers the form with %s', async (action) => {
    const client = await connect({ mode, form: () => ({ action }) })
    const result = await call(client, 'book_room', { people: 4, day: 'Thursday' })
    expect(result.isError ?? false).toBe(false)
    expect(existsSync(join(folder, 'bookings.json'))).toBe(false)
  })

  test('asks the model of its client for a summary', async () => {
    const { client } = unchanged
    expect(text(await call(client, 'summarize_invoice', { file: 'invoice-0417.txt' }))).toContain('seen: true')
    expect((await call(client, 'summarize_invoice', { file: 'bookings.json' })).isError).toBe(true)
  })

  test('reports progress eleven times, each with what it did', async () => {
    const client = await connect({ mode })
    const seen = watchProgress(client)
    await client.callTool({ name: 'prepare_report', arguments: {} }, { onprogress: () => undefined })
    expect(seen.map(({ progress, total, message }) => [progress, total, typeof message])).toEqual(
      [...Array(11).keys()].map((index) => [index + 1, 11, 'string']),
    )
  })

  test('stops its report when the call is cancelled, and goes on serving', async () => {
    const client = await connect({ mode, stepMs: 3_600_000 })
    const stop = new AbortController()
    const report = client.callTool({ name: 'prepare_report', arguments: {} }, { signal: stop.signal })
    stop.abort()
    await expect(report).rejects.toThrow()
    expect((await call(client, 'total_invoices')).structuredContent).toMatchObject({ count: 11 })
  })

  test('draws a chart as an SVG with real letters beside its figures', async () => {
    const result = await call(unchanged.client, 'show_chart', { month: '2026-10' })
    const image = result.content.find((block) => block.type === 'image')
    const svg = Buffer.from(image?.data ?? '', 'base64').toString()
    expect([image?.mimeType, /^<svg [^>]*viewBox="0 0 720 /.test(svg), svg.includes('>Bright Harbour Studio</text>')]).toEqual([
      'image/svg+xml',
      true,
      true,
    ])
    const { rows } = result.structuredContent as { rows: { vendor: string; total: number }[] }
    expect(rows[0]).toEqual({ vendor: 'Bright Harbour Studio', count: 1, total: 950 })
  })

  test('serves each invoice as a resource, and a prompt', async () => {
    const { client } = unchanged
    const { resources } = await client.listResources()
    const { resourceTemplates } = await client.listResourceTemplates()
    expect([resources.length, resourceTemplates.map(({ uriTemplate }) => uriTemplate)]).toEqual([11, ['invoice://{number}']])
    const { contents } = await client.readResource({ uri: 'invoice://0417' })
    expect(contents[0]).toMatchObject({ uri: 'invoice://0417', mimeType: 'text/plain', text: expect.stringContaining('2026-10-02') })
    await expect(client.readResource({ uri: 'invoice://9999' })).rejects.toMatchObject({ code: -32602 })
    const prompt = await client.getPrompt({ name: 'chase_payment', arguments: { vendor: 'Café Lindgren' } })
    expect(JSON.stringify(prompt.messages)).toMatch(/0414.*0421/)
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'chase_payment' },
      argument: { name: 'vendor', value: 'ca' },
    })
    expect(completion.values).toEqual(['Café Lindgren'])
  })
})

describe('rename_invoice refuses, and changes nothing,', () => {
  const server = shared({}, async (home) => {
    await writeFile(join(home, 'outside.txt'), await readFile(join(home, 'invoices/invoice-0417.txt')))
    await symlink(join(home, 'outside.txt'), join(home, 'invoices/link.txt'))
  })

  test.each([
    ['a path in the new name', { file: 'invoice-0417.txt', newName: '../invoice-0417.txt' }],
    ['a Windows path in the new name', { file: 'invoice-0417.txt', newName: '..\\invoice-0417.txt' }],
    ['an absolute path', { file: 'invoice-0417.txt', newName: '/tmp/assent-demo-moved.txt' }],
    ['a file outside the folder', { file: '../outside.txt', newName: 'inside.txt' }],
    ['a name that is taken', { file: 'invoice-0417.txt', newName: 'invoice-0418.txt' }],
    ['another ending', { file: 'invoice-0417.txt', newName: 'invoice-0417.json' }],
    ['a hidden name', { file: 'invoice-0417.txt', newName: '.invoice.txt' }],
    ['a NUL', { file: 'invoice-0417.txt', newName: 'a\u0000.txt' }],
    ['a link', { file: 'link.txt', newName: 'moved.txt' }],
    ['a name that a link has', { file: 'invoice-0417.txt', newName: 'link.txt' }],
    ['a file that is not there', { file: 'nothing.txt', newName: 'something.txt' }],
    ['what is not an invoice', { file: 'bookings.json', newName: 'bookings-2.json' }],
    ['to take the name of the bookings', { file: 'invoice-0412.json', newName: 'bookings.json' }],
  ])('%s', async (_, args) => {
    const { client, home } = server
    const files = async (): Promise<string[][]> => [await readdir(join(home, 'invoices')), await readdir(home)]
    const before = await files()
    expect((await call(client, 'rename_invoice', args)).isError).toBe(true)
    expect(await files()).toEqual(before)
  })
})

test('keeps a folder as it found it, and reads no link', async () => {
  await connect().then((client) => client.close())
  const outside = join(profile, 'outside.txt')
  await rm(join(folder, 'invoice-0418.txt'))
  await writeFile(outside, await readFile(join(folder, 'invoice-0417.txt'), 'utf8'))
  await symlink(outside, join(folder, 'linked.txt'))
  const client = await connect()
  expect((await call(client, 'total_invoices')).structuredContent).toMatchObject({ count: 10 })
})
