import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { IncomingLink } from '#main/install/deep-link-queue.ts'
import { app, resetElectron } from '../../../e2e/electron-fake/electron.ts'
import { fakeEvent } from '../../../e2e/electron-fake/emitter.ts'
import { deepLinksInArguments, listenForDeepLinks } from './desktop/open-desktop.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))

beforeEach(resetElectron)

describe('of a command line', () => {
  test.each<[string, readonly string[], IncomingLink | undefined]>([
    ['a link', ['/app', 'assent://install?name=a'], { kind: 'link', text: 'assent://install?name=a' }],
    ['a bundle', ['/app', '/home/m/notes.mcpb'], { kind: 'file', path: '/home/m/notes.mcpb' }],
    ['a bundle of before', ['/app', 'notes.DXT'], { kind: 'file', path: '/home/m/inbox/notes.DXT' }],
    ['a bundle beside the folder', ['/app', '../notes.mcpb'], { kind: 'file', path: '/home/m/notes.mcpb' }],
    ['nothing', [], undefined],
    ['an option', ['/app', '--data-dir=x.mcpb'], undefined],
    ['another file', ['/app', '/etc/passwd'], undefined],
    ['another scheme', ['/app', 'file:///x.html'], undefined],
    ['the page’s own scheme', ['/app', 'app://assent/'], undefined],
    ['what stands before other words', ['/app', 'assent://install', '--no-sandbox'], undefined],
  ])('%s is taken for what it is', (_, args, expected) => {
    expect(deepLinksInArguments(args, '/home/m/inbox')).toEqual(expected)
  })
})

test('what comes before the app can show it waits, a few at most; what comes after goes on at once', () => {
  const listener = listenForDeepLinks()
  const taken: IncomingLink[] = []
  const events = Array.from({ length: 9 }, () => fakeEvent())
  for (const [index, event] of events.entries()) app.fire('open-url', event, `assent://install?name=${index}`)
  app.fire('open-url', fakeEvent(), 'https://example.org/')
  listener.deliver(
    (thing) => taken.push(thing),
    () => undefined,
  )
  const before = taken.length
  app.fire('open-file', fakeEvent(), '/home/m/notes.mcpb')
  app.fire('open-file', fakeEvent(), '/home/m/other.txt')
  expect([before, taken.at(-1), events.every((event) => event.defaultPrevented)]).toEqual([
    5,
    { kind: 'file', path: '/home/m/notes.mcpb' },
    true,
  ])
})
