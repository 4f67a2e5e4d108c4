import { describe, expect, it } from 'vitest'
import { hrefOf, parseRoute, type Route } from './router.ts'

const routes: readonly (readonly [string, Route])[] = [
  ['#/chat', { page: 'chat' }],
  ['#/chat/c%2F1', { page: 'chat', id: 'c/1' }],
  ['#/chat/c1/review/r%2F1', { page: 'chat', id: 'c1', review: 'r/1' }],
  ['#/chat/c1/at/m1', { page: 'chat', id: 'c1', at: 'm1' }],
  ['#/chat/c1/at/m1/k1', { page: 'chat', id: 'c1', at: 'm1', call: 'k1' }],
  ['#/folder/f%2F1', { page: 'folder', id: 'f/1' }],
  ['#/folder/f1/edit', { page: 'folder', id: 'f1', edit: true }],
  ['#/chats', { page: 'chats' }],
  ['#/chats//f1', { page: 'chats', folder: 'f1' }],
  ['#/chats/archived', { page: 'chats', tab: 'archived' }],
  ['#/search', { page: 'search' }],
  ['#/search/a%2Fb%20%22c%22//c1', { page: 'search', text: 'a/b "c"', chat: 'c1' }],
  ['#/servers', { page: 'servers' }],
  ['#/servers/my%20files/log', { page: 'servers', name: 'my files', tab: 'log' }],
  ['#/servers//add', { page: 'servers', name: '', tab: 'add' }],
  ['#/settings/models', { page: 'settings', tab: 'models' }],
  ['#/requests/r1', { page: 'requests', id: 'r1' }],
  ['#/activity', { page: 'activity' }],
  ['#/library/resources/my%20files/file%3A%2F%2F%2Fa%20b', { page: 'library', tab: 'resources', server: 'my files', item: 'file:///a b' }],
  ['#/library/tools', { page: 'library', tab: 'tools' }],
]

describe('routes', () => {
  it.each(routes)('%s goes there and back', (href, route) => {
    expect([parseRoute(href), hrefOf(route)]).toEqual([route, href])
  })

  it.each(['#/chat/c1/review', '#/chat/c1/review/', '#/chat/c1/other/r1'])('%j is the chat alone', (hash) => {
    expect(parseRoute(hash)).toEqual({ page: 'chat', id: 'c1' })
  })

  it.each(['', '#', '#/', '#/nowhere', '#/chat/'])('%j is a new chat', (hash) => {
    expect(parseRoute(hash)).toEqual({ page: 'chat' })
  })

  it('takes a broken escape as it is', () => {
    expect(parseRoute('#/servers/50%')).toEqual({ page: 'servers', name: '50%' })
  })
})
