import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ShellSummary } from '#app/contract/snapshot.ts'
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

const url = 'https://pay.north.example/x?y=1'
const request = {
  id: 'r1',
  createdAt: 1,
  server: 'ledger',
  why: { kind: 'server-asks' },
  kind: 'elicitation-url',
  message: 'Pay',
  url,
} as const

async function opened(kind: ShellSummary['kind'], press: RegExp, accepted = true): Promise<unknown[][]> {
  const open = vi.spyOn(window, 'open').mockReturnValue(null)
  const shell: ShellSummary = { kind, os: 'linux', canChooseFolder: false, secrets: 'memory' }
  const link = createFakeConnection({
    snapshot: { shell, consentRequests: [request] },
    answers: { 'consent.answer': () => ({ accepted }) },
  })
  await renderWith(<ConsentCard request={request} />, link)
  act(() => {
    vi.advanceTimersByTime(armAfterMs)
  })
  expect(open).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: press }))
  await settle()
  return open.mock.calls
}

it('a page that the person allowed is opened by the page where the host has no browser', async () => {
  expect(await opened('web', /^Open in browser/)).toEqual([[url, '_blank', 'noopener,noreferrer']])
})

it.each([
  ['the host opens it', 'electron', /^Open in browser/, true],
  ['it was declined', 'web', /^Decline/, true],
  ['another page answered first', 'web', /^Open in browser/, false],
] as const)('the page opens nothing when %s', async (_why, kind, press, accepted) => {
  expect(await opened(kind, press, accepted)).toEqual([])
})
