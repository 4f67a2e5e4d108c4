// The scripted model as a program, as Playwright's specs use it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { systemClock } from '#main/base/clock.ts'
import { createAnthropic } from '#main/models/anthropic/anthropic-provider.ts'
import type { ModelEvent, ModelMessage } from '#main/models/provider.ts'

const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })

test('its first line is its URL, it follows its rules step by step, and a hold is let go from outside', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
    const control = (method: string, path: string, body?: object): Promise<Response> =>
      fetch(`${url}/__control/${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
    await control('PUT', 'rules', {
      rules: [
        {
          when: 'invoices',
          steps: [
            { say: 'I look.', call: [{ tool: 'demo__list', input: { a: 1 } }] },
            { say: 'Half', hold: 'h', rest: ' whole' },
          ],
        },
      ],
    })
    const provider = createAnthropic({ key: 'k', baseUrl: url, clock: systemClock, find: () => undefined })
    const stream = (...messages: ModelMessage[]): AsyncIterator<ModelEvent> =>
      provider.stream({ model: 'm', system: '', messages, tools: [] }, new AbortController().signal)[Symbol.asyncIterator]()
    const rest = async (events: AsyncIterator<ModelEvent>): Promise<string[]> => {
      const seen: string[] = []
      for (let next = await events.next(); !next.done; next = await events.next()) {
        const event = next.value
        if (event.type === 'text') seen.push(event.text)
        if (event.type === 'tool-call') seen.push(`${event.name} ${event.inputText}`)
      }
      return seen
    }
    expect(await rest(stream(user('List the INVOICES')))).toEqual(['I ', 'look.', 'demo__list {"a":1}'])

    const answered: ModelMessage[] = [
      user('List the INVOICES'),
      { role: 'assistant', model: 'anthropic/m', content: [{ type: 'tool-call', providerId: 't', name: 'demo__list', input: {} }] },
      { role: 'user', content: [{ type: 'tool-result', providerId: 't', content: [{ type: 'text', text: 'ok' }], isError: false }] },
    ]
    const events = stream(...answered)
    for (let next = await events.next(); !next.done && next.value.type !== 'text'; next = await events.next());
    const waiting = rest(events)
    await control('POST', 'release', { name: 'h' })
    expect((await waiting).join('').trim()).toBe('whole')

    const { requests } = (await (await control('GET', 'requests')).json()) as { requests: object[] }
    expect(requests).toHaveLength(2)
  } finally {
    child.kill()
    await once(child, 'exit')
  }
})
