// The demo server as the Electron app runs it: a process of its own that speaks over a message port.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'

test.each(['auto', 'legacy'] as const)('it serves over its parent’s port, met in mode %s', async (mode) => {
  const folder = await mkdtemp(join(tmpdir(), 'assent-demo-port-'))
  const child = fork(join(import.meta.dirname, 'port.ts'), {
    execArgv: ['--import', join(import.meta.dirname, 'testing-parent-port.ts')],
    env: { ...process.env, ASSENT_DEMO_DIR: join(folder, 'invoices') },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const transport: Transport = {
    async start() {
      child.on('message', (message) => transport.onmessage?.(message as JSONRPCMessage))
    },
    async send(message) {
      child.send(message)
    },
    async close() {
      child.kill()
      await exited
      transport.onclose?.()
    },
  }
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  try {
    await client.connect(transport)
    const { structuredContent } = await client.callTool({ name: 'total_invoices', arguments: {} })
    expect([structuredContent, (await readdir(folder)).length]).toEqual([{ count: 11, total: 3929.95, currency: 'EUR' }, 1])
  } finally {
    await client.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test('without a folder it says why, and ends', async () => {
  const { ASSENT_DEMO_DIR: _, ...env } = process.env
  const child = fork(join(import.meta.dirname, 'main.ts'), { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words += text
  })
  const [code] = await once(child, 'close')
  expect([code, words.includes('ASSENT_DEMO_DIR')]).toEqual([1, true])
})
