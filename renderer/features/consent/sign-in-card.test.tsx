import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { SignInRequest } from '#app/consent/request.ts'
import type { ShellSummary } from '#app/contract/snapshot.ts'
import { makeSignInRequest } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { ConsentCard } from './consent-card.tsx'
import { armAfterMs } from './request/use-arming.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

async function show(change: Partial<SignInRequest> = {}, kind: ShellSummary['kind'] = 'electron') {
  const open = vi.spyOn(window, 'open').mockReturnValue(null)
  const request = makeSignInRequest(change)
  const shell: ShellSummary = { kind, os: 'linux', canChooseFolder: false, secrets: 'memory' }
  const link = createFakeConnection({
    snapshot: { shell, consentRequests: [request] },
    answers: { 'consent.answer': () => ({ accepted: true }) },
  })
  const view = await renderWith(<ConsentCard request={request} />, link)
  act(() => {
    vi.advanceTimersByTime(armAfterMs)
  })
  return { ...view, answers: () => link.paramsOf('consent.answer'), opened: () => open.mock.calls }
}
const allow = (): HTMLElement => screen.getByRole('button', { name: /^Open in browser/ })
const card = (): HTMLElement => screen.getByRole('region')

it('shows the whole address with its domain set off, whose page it is and where the tokens go', async () => {
  const { container } = await show()
  expect([container.querySelector('.url')?.textContent, container.querySelector('.url b')?.textContent]).toEqual([
    'https://auth.tracker.example/authorize?client_id=c&state=s',
    'tracker.example',
  ])
  expect([...container.querySelectorAll('.address-name')].map((one) => one.textContent)).toEqual([
    'https://auth.tracker.example',
    'https://mcp.tracker.example/mcp',
  ])
  expect(container.querySelector('.notice')).toBeNull()
})

it('opens nothing before the yes, and answers for this once', async () => {
  const { answers, opened } = await show()
  expect(opened()).toEqual([])
  fireEvent.click(allow())
  await settle()
  expect([answers(), opened()]).toEqual([[{ id: 'r1', answer: { kind: 'allow', scope: 'once' } }], []])
})

it('is opened by the page that pressed the button where the host has no browser', async () => {
  const { opened } = await show({}, 'web')
  fireEvent.click(allow())
  await settle()
  expect(opened()).toEqual([['https://auth.tracker.example/authorize?client_id=c&state=s', '_blank', 'noopener,noreferrer']])
})

it('is refused by its button and by its keys', async () => {
  const { answers } = await show()
  fireEvent.click(screen.getByRole('button', { name: /^Don’t sign in/ }))
  expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'deny' } }])
})

it('is answered from the keyboard while focus is inside it', async () => {
  const { answers } = await show()
  fireEvent.keyDown(card(), { key: 'Enter', ctrlKey: true })
  expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'once' } }])
})

it('tells the scopes that are new from those that were granted', async () => {
  await show({ scopes: ['write', 'read'], granted: ['read'], why: { kind: 'more-scopes' } })
  expect(
    screen.getAllByRole('listitem').map((item) => [item.querySelector('.mono')?.textContent, item.querySelector('.badge.warn') !== null]),
  ).toEqual([
    ['write', true],
    ['read', false],
  ])
})

it.each([
  ['an issuer of another domain', { issuer: 'https://accounts.example', url: 'https://accounts.example/a' }, ['warn'], true],
  ['a page that is not of the issuer', { url: 'https://evil.test/a' }, ['bad'], false],
  ['letters of another alphabet', { issuer: 'https://auth.trаcker.example' }, ['warn'], false],
  ['a scope with a hidden character', { scopes: ['re\u200bad'] }, ['bad'], false],
] as const)('warns of %s', async (_what, change, tones, filled) => {
  const { container } = await show(change as Partial<SignInRequest>)
  const found = [...container.querySelectorAll('.notice')].map((one) => (one.classList.contains('bad') ? 'bad' : 'warn'))
  for (const tone of tones) expect(found).toContain(tone)
  expect(allow().classList.contains('primary')).toBe(filled)
})

it.each(['javascript:alert(1)', 'file:///etc/passwd'])('a page at %s cannot be opened', async (url) => {
  const { answers } = await show({ url })
  fireEvent.click(allow())
  expect(answers()).toEqual([])
})
