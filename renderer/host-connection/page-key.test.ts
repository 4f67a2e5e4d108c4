// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest'
import { keyFragment, tabMark } from '#app/contract/host-connection.ts'
import { keepPageKey, readPageKey } from './open-connection.ts'

const [older, newer] = ['A'.repeat(43), `${'b-_9'.repeat(10)}abc`]
const openAt = (hash: string): void => {
  window.history.replaceState(null, '', `/${hash}`)
  keepPageKey()
}
beforeEach(() => {
  window.localStorage.clear()
  window.sessionStorage.clear()
})

it('takes the key out of the address and keeps it', () => {
  openAt(`${keyFragment}${newer}`)
  expect([readPageKey(), window.location.hash]).toEqual([newer, ''])
})

it('finds the key after a reload at any route, which stays', () => {
  openAt(`${keyFragment}${newer}`)
  openAt('#/settings')
  expect([readPageKey(), window.location.hash]).toEqual([newer, '#/settings'])
})

it('replaces an older key by that of a newer link', () => {
  openAt(`${keyFragment}${older}`)
  openAt(`${keyFragment}${newer}`)
  expect(readPageKey()).toBe(newer)
})

it.each(['', 'short', `${'A'.repeat(43)}&x=1`, 'A'.repeat(10_000)])('keeps nothing that no host made: %#', (text) => {
  openAt(`${keyFragment}${older}`)
  openAt(`${keyFragment}${text}`)
  expect([readPageKey(), window.location.hash]).toEqual([older, ''])
})

it('keeps a key that is its tab’s by the tab, until there is another', () => {
  openAt(`${keyFragment}${older}${tabMark}`)
  expect([readPageKey(), window.localStorage.length]).toEqual([older, 0])
  openAt(`${keyFragment}${newer}`)
  expect([readPageKey(), window.sessionStorage.length]).toEqual([newer, 0])
})

it('has no key where no link was opened', () => {
  openAt('')
  expect(readPageKey()).toBeUndefined()
})
