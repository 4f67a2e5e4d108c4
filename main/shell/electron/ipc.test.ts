import type { IpcMainInvokeEvent } from 'electron'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { channels } from '#app/contract/channels.ts'
import type { HostEvent } from '#app/contract/events.ts'
import { HostError } from '#app/errors.ts'
import { silentLog } from '#main/base/host-log.ts'
import { resetElectron } from '../../../e2e/electron-fake/electron.ts'
import { invokeFromPage } from '../../../e2e/electron-fake/ipc.ts'
import { FakeContents, FakeFrame } from '../../../e2e/electron-fake/window.ts'
import { connectPages, type PageHost } from './ipc.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))

let page: FakeContents
let asked: { name: string; params: unknown }[]
let tell: (event: HostEvent) => void
let host: PageHost
let stop: () => void

beforeEach(() => {
  resetElectron()
  page = new FakeContents()
  asked = []
  const listeners = new Set<(event: HostEvent) => void>()
  tell = (event) => {
    for (const listener of listeners) listener(event)
  }
  host = {
    async request(name, params) {
      asked.push({ name, params })
      if (name === 'fail') throw new HostError('model.unknown', 'There is no such model.')
      return 'done'
    },
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  stop = connectPages({ host, contents: () => [page.asReal()], log: silentLog, ready: Promise.resolve() })
})

const invoke = (sender: FakeContents, senderFrame: FakeFrame | null | undefined, ...args: unknown[]): Promise<unknown> =>
  invokeFromPage({ sender, senderFrame } as unknown as IpcMainInvokeEvent, channels.request, ...args)

describe('a request is answered', () => {
  test('from the top frame of our page', async () => {
    expect(await invoke(page, page.mainFrame, 'app.snapshot', {})).toEqual({ result: 'done' })
    expect(asked).toEqual([{ name: 'app.snapshot', params: {} }])
  })

  test('once it is known where secrets are kept', async () => {
    stop()
    const { promise: ready, resolve } = Promise.withResolvers<void>()
    stop = connectPages({ host, contents: () => [page.asReal()], log: silentLog, ready })
    const answer = invoke(page, page.mainFrame, 'app.snapshot', {})
    await Promise.resolve()
    expect(asked).toEqual([])
    resolve()
    expect(await answer).toEqual({ result: 'done' })
  })

  test('also behind a #', async () => {
    page.mainFrame.url = 'app://assent/#/settings'
    expect(await invoke(page, page.mainFrame, 'app.snapshot', {})).toEqual({ result: 'done' })
  })

  test('with the host’s error as a value', async () => {
    expect(await invoke(page, page.mainFrame, 'fail', {})).toEqual({
      error: { code: 'model.unknown', message: 'There is no such model.', data: {} },
    })
  })
})

describe('a request is refused, and the host hears nothing of it,', () => {
  const changed = (change: Partial<FakeFrame>): (() => [FakeContents, FakeFrame]) => {
    return () => {
      Object.assign(page.mainFrame, change)
      return [page, page.mainFrame]
    }
  }
  const stranger = (): FakeContents => new FakeContents()
  const matrix: Record<string, () => [FakeContents, FakeFrame | null | undefined]> = {
    'when the frame is null': () => [page, null],
    'when the frame is undefined': () => [page, undefined],
    'from about:blank': changed({ url: 'about:blank' }),
    'from about:blank that claims our origin': changed({ url: 'about:blank', origin: 'app://assent' }),
    'from about:srcdoc': changed({ url: 'about:srcdoc' }),
    'from an opaque origin': changed({ origin: 'null' }),
    'from an empty origin': changed({ origin: '' }),
    'from an empty address': changed({ url: '' }),
    'from a web page': changed({ url: 'https://example.org/', origin: 'https://example.org' }),
    'from a web page with our origin': changed({ url: 'https://example.org/' }),
    'from our page with a web origin': changed({ origin: 'https://example.org' }),
    'from a local page': changed({ url: 'http://127.0.0.1:5173/', origin: 'http://127.0.0.1:5173' }),
    'from a file': changed({ url: 'file:///etc/passwd', origin: 'file://' }),
    'from data': changed({ url: 'data:text/html,x', origin: 'null' }),
    'from a look-alike host': changed({ url: 'app://assent.evil/', origin: 'app://assent.evil' }),
    'from another host of our scheme': changed({ url: 'app://evil/', origin: 'app://evil' }),
    'from a stored blob': changed({ url: `app://assent/blob/${'a'.repeat(64)}` }),
    'from devtools': changed({ url: 'devtools://devtools/x.html', origin: 'devtools://devtools' }),
    'from a detached frame': changed({ detached: true }),
    'from a frame in our page': () => {
      const inner = new FakeFrame()
      inner.parent = page.mainFrame
      return [page, inner]
    },
    'from a top frame that is not that page’s own': () => [page, new FakeFrame()],
    'from contents that are no window of ours': () => {
      const other = stranger()
      return [other, other.mainFrame]
    },
    'from a stranger with our frame': () => [stranger(), page.mainFrame],
  }

  test.each(Object.entries(matrix))('%s', async (_, make) => {
    const [sender, frame] = make()
    expect(await invoke(sender, frame, 'app.snapshot', {})).toMatchObject({ error: { code: 'contract.invalid' } })
    expect(asked).toEqual([])
  })

  test.each([undefined, null, 7, {}, ['app.snapshot']])('when its name is %s', async (name) => {
    expect(await invoke(page, page.mainFrame, name, {})).toMatchObject({ error: { code: 'contract.unknown-request' } })
    expect(asked).toEqual([])
  })
})

test('events reach our pages, and none that is gone', () => {
  const event = { name: 'notices.changed', revision: 1, payload: { notices: [] } } satisfies HostEvent
  tell(event)
  page.destroyed = true
  tell(event)
  expect(page.sent).toEqual([{ channel: channels.event, args: [event] }])
})

test('undone, it neither hears nor tells', async () => {
  stop()
  tell({ name: 'notices.changed', revision: 1, payload: { notices: [] } })
  await expect(invoke(page, page.mainFrame, 'app.snapshot', {})).rejects.toThrow()
  expect(page.sent).toEqual([])
})
