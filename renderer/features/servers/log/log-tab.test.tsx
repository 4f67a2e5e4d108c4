import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { LogLine } from '#app/server/server-state.ts'
import { makeServer } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

const line = (seq: number, text: string, change: Partial<LogLine> = {}): LogLine => ({ seq, time: seq, source: 'stderr', text, ...change })
const empty = { tools: [], resources: [], resourceTemplates: [], prompts: [], fetchedAt: 1 }

async function openLog(
  lines: readonly LogLine[],
  earlier: readonly LogLine[] = [],
  kind: 'electron' | 'web' = 'web',
): Promise<{ link: FakeConnection; log: HTMLElement }> {
  const link = createFakeConnection({
    snapshot: { servers: [makeServer()], shell: { kind, os: 'linux', canChooseFolder: kind === 'electron', secrets: 'keyring' } },
    answers: { 'server.catalogue': () => empty, 'server.log': () => ({ lines: [...lines], dropped: 0, earlier: [...earlier] }) },
  })
  renderAt(link, '#/servers/files/log')
  return { link, log: await screen.findByRole('region', { name: 'Log' }) }
}
const shown = (): string[] => [...document.querySelectorAll('.log-line .log-text')].map((one) => one.textContent ?? '')
const choose = async (name: string | RegExp): Promise<void> => {
  fireEvent.click(screen.getByRole('button', { name: 'Copy, save or clear' }))
  fireEvent.click(await screen.findByRole('menuitem', { name }))
}
const clipboard = () => {
  const written: string[] = []
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void written.push(text))
  return written
}
afterEach(() => vi.restoreAllMocks())

describe('the log of a server', () => {
  it('has what earlier runs left above a divider', async () => {
    const { log } = await openLog([line(1, 'now')], [line(-1, 'before')])
    expect([...log.children].map((row) => row.querySelector('.log-text')?.textContent ?? row.textContent)).toEqual([
      'before',
      'this run',
      'now',
    ])
  })

  it('draws colours as styles, and names what cannot be seen', async () => {
    const { log } = await openLog([line(1, '\u001b[1;31mbad\u001b[0m and \u200bhidden')])
    expect(within(log).getByText('bad').className).toBe('ansi-red ansi-bold')
    expect(within(log).getByText('zero-width space').className).toBe('reveal')
  })

  it('finds words, goes from match to match by keyboard, and says how many there are', async () => {
    await openLog([line(1, 'an error'), line(2, 'fine'), line(3, 'ERROR again')])
    const field = screen.getByRole('searchbox', { name: 'Search' })
    fireEvent.change(field, { target: { value: 'error' } })
    expect([...document.querySelectorAll('mark')].map((one) => one.textContent)).toEqual(['error', 'ERROR'])
    const current = (): string | undefined => document.querySelector('.log-line.current .log-text')?.textContent ?? undefined
    const at = [current()]
    for (const shiftKey of [false, false, false, true]) {
      fireEvent.keyDown(field, { key: 'Enter', shiftKey })
      at.push(current())
    }
    expect(at).toEqual([undefined, 'an error', 'ERROR again', 'an error', 'ERROR again'])
    expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain('2 of 2 lines')
    fireEvent.change(field, { target: { value: 'nowhere' } })
    expect(document.querySelectorAll('mark').length).toBe(0)
  })

  it('shows only what comes from one place', async () => {
    await openLog([line(1, 'out'), line(2, 'started', { source: 'host' })])
    fireEvent.change(screen.getByRole('combobox', { name: 'Source' }), { target: { value: 'host' } })
    expect(shown()).toEqual(['Assent started'])
  })

  it('copies everything, or what is shown, without terminal codes', async () => {
    const written = clipboard()
    await openLog([line(1, '\u001b[31mone'), line(2, 'two', { source: 'host' })])
    await choose('Copy all')
    fireEvent.change(screen.getByRole('combobox', { name: 'Source' }), { target: { value: 'host' } })
    await choose(/shown/)
    await waitFor(() => expect(written.length).toBe(2))
    expect(written.map((text) => text.split('\n').map((each) => each.split(' ').slice(1).join(' ')))).toEqual([
      ['stderr one', 'host two'],
      ['host two'],
    ])
  })

  it('is saved by the browser where there is one', async () => {
    const made: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      made.push(blob as Blob)
      return 'blob:1'
    })
    const { link } = await openLog([line(1, 'one')], [line(-1, 'before')])
    await choose('Save as a file')
    await waitFor(() => expect(made.length).toBe(1))
    expect((await made[0]?.text())?.split('\n').map((each) => each.split(' ').at(-1))).toEqual(['before', 'one', ''])
    expect(link.paramsOf('server.saveLog')).toEqual([])
  })

  it('is saved by the host in a window, which downloads nothing', async () => {
    const { link } = await openLog([line(1, 'one')], [], 'electron')
    link.answer({ 'server.saveLog': () => ({ path: '/home/maya/files.log.txt' }) })
    await choose('Save as a file')
    expect(await screen.findByText(/files\.log\.txt/)).toBeTruthy()
    expect(link.paramsOf('server.saveLog')).toEqual([{ name: 'files' }])
  })

  it('is put away up to now, and can be shown again', async () => {
    const { link } = await openLog([line(1, 'one')], [line(-1, 'before')])
    await choose('Clear')
    expect(shown()).toEqual([])
    link.tell('server.logged', { name: 'files', lines: [line(2, 'two')], dropped: 0 })
    await waitFor(() => expect(shown()).toEqual(['two']))
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }))
    expect(shown()).toEqual(['before', 'one', 'two'])
  })

  it('follows the end until the person scrolls up, and then says how many lines came', async () => {
    const { link, log } = await openLog([line(1, 'one')])
    const scrollTo = (top: number): void => {
      Object.defineProperties(log, { scrollHeight: { value: 1000, configurable: true }, clientHeight: { value: 100, configurable: true } })
      log.scrollTop = top
      fireEvent.scroll(log)
    }
    scrollTo(900)
    scrollTo(300)
    link.tell('server.logged', { name: 'files', lines: [line(2, 'two'), line(3, 'three')], dropped: 0 })
    const button = await screen.findByRole('button', { name: '2 new lines' })
    expect(log.scrollTop).toBe(300)
    fireEvent.click(button)
    await waitFor(() => expect(log.scrollTop).toBe(1000))
    expect(screen.queryByRole('button', { name: /new line/ })).toBeNull()
  })

  it('stays where it is once the person stops following, and follows again when they go to the end', async () => {
    const { log } = await openLog([line(1, 'one')])
    const follow = screen.getByRole('button', { name: 'Follow' })
    const atEnd = (): void => {
      Object.defineProperties(log, { scrollHeight: { value: 1000, configurable: true }, clientHeight: { value: 100, configurable: true } })
      log.scrollTop = 900
      fireEvent.scroll(log)
    }
    fireEvent.click(follow)
    // Word of the list's own last move comes late.
    atEnd()
    expect(follow.getAttribute('aria-pressed')).toBe('false')
    fireEvent.wheel(log)
    atEnd()
    expect(follow.getAttribute('aria-pressed')).toBe('true')
  })

  it('has only a part of thousands of lines in the page', async () => {
    await openLog(Array.from({ length: 2000 }, (_, index) => line(index + 1, `line ${index + 1}`)))
    expect(document.querySelectorAll('.log-line').length).toBeLessThan(200)
  })
})
