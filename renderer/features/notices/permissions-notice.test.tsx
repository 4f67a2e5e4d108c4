import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { SignedReport } from '#app/signed-state.ts'
import { createFakeConnection, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

async function show(report: SignedReport): Promise<FakeConnection> {
  const link = createFakeConnection({
    snapshot: { notices: [{ kind: 'permissions', ...report }] },
    answers: { 'permissions.settle': () => ({}) },
  })
  renderAt(link, '#/settings/data')
  await screen.findAllByText(/^(Rule|missing)/)
  return link
}
const changed: SignedReport = {
  reason: 'changed',
  items: [
    { kind: 'rules', name: 'bank · transfer', effect: 'deny', change: 'removed' },
    { kind: 'endpoints', name: 'Mine (https://a)', change: 'changed' },
    { kind: 'rules', name: 'a\u202Eb', effect: 'allow' },
  ],
  more: 2,
  token: 't1',
}

it('names what differs and what is there, hidden characters revealed, and sends the choice for that list', async () => {
  const link = await show(changed)
  const items = [...document.querySelectorAll('.signed-items li')].map(({ textContent }) => textContent)
  expect(items.slice(0, 2)).toEqual(['missing Rule (deny): bank · transfer', 'changed Model endpoint: Mine (https://a)'])
  expect(items[2]).not.toContain('\u202E')
  expect(screen.getByText('and 2 more')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Use what is listed' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Start with none' }))
  await waitFor(() =>
    expect(link.paramsOf('permissions.settle')).toEqual([
      { choice: 'use', token: 't1' },
      { choice: 'none', token: 't1' },
    ]),
  )
})

it('offers no choice while the keyring is locked', async () => {
  const { token: _, ...locked } = changed
  await show({ ...locked, reason: 'no-key' })
  expect(screen.queryByRole('button', { name: 'Use what is listed' })).toBeNull()
})

it('lists what was signed for the first time', async () => {
  await show({ ...changed, reason: 'first', items: [{ kind: 'rules', name: 'bank', effect: 'allow' }] })
  expect(screen.getByRole('button', { name: 'These are mine' })).toBeTruthy()
})
