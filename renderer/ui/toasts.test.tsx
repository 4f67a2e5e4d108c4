import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { navigate } from '#renderer/router.ts'
import { showToast } from '#renderer/stores/view-state.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(() => void vi.useRealTimers())

it('a toast goes with the page that it was shown on, but not one that was shown on the way', () => {
  const { view } = renderAt(createFakeConnection({}), '#/library')
  act(() => showToast(view, 'Saved the prompt.'))
  vi.setSystemTime(Date.now() + 3000)
  act(() => showToast(view, 'Chat deleted.'))
  act(() => navigate({ page: 'requests' }))
  expect([screen.queryByText('Saved the prompt.'), screen.queryByText('Chat deleted.') !== null]).toEqual([null, true])
})
