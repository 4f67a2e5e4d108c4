import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { defaultSettings, type Settings } from '#app/settings.ts'
import { createFakeConnection, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

// Nothing is laid out here.
beforeEach(() => {
  Element.prototype.checkVisibility = () => true
  Element.prototype.setPointerCapture = vi.fn()
  Element.prototype.hasPointerCapture = () => true
})

/** A host that keeps what is set. */
function open(settings: Partial<Settings> = {}): FakeConnection {
  let kept: Settings = { ...defaultSettings, welcomed: true, ...settings }
  const link: FakeConnection = createFakeConnection({
    snapshot: { settings: kept },
    answers: {
      'settings.set': (change) => {
        kept = { ...kept, ...(change as Settings) }
        link.tell('settings.changed', { settings: kept })
        return {}
      },
    },
  })
  renderAt(link, '#/chat')
  return link
}
const edge = () => screen.findByRole('separator', { name: 'Width of the sidebar' })
const shown = (): string => document.documentElement.style.getPropertyValue('--sidebar')

it('the sidebar is as wide as keys make it, within its limits, and its width is kept', async () => {
  const link = open()
  const separator = await edge()
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'End', 'ArrowRight', 'Home']) fireEvent.keyDown(separator, { key })
  expect(link.paramsOf('settings.set').map((change) => (change as Partial<Settings>).sidebarWidth)).toEqual([252, 268, 252, 480, 480, 180])
  await waitFor(() => expect([separator.getAttribute('aria-valuenow'), shown()]).toEqual(['180', '11.25rem']))
})

it('it follows the pointer and is kept once, at the end; a double click resets it', async () => {
  const link = open({ sidebarWidth: 300 })
  const separator = await edge()
  fireEvent.pointerDown(separator, { button: 0, pointerId: 1 })
  fireEvent.pointerMove(separator, { clientX: 310, pointerId: 1 })
  fireEvent.pointerMove(separator, { clientX: 350, pointerId: 1 })
  const before = [shown(), link.paramsOf('settings.set').length]
  fireEvent.lostPointerCapture(separator)
  fireEvent.doubleClick(separator)
  expect([before, link.paramsOf('settings.set')]).toEqual([
    ['21.875rem', 0],
    [{ sidebarWidth: 350 }, { sidebarWidth: 236 }],
  ])
})

it('collapses and expands by its button, by keys and from its edge, with the focus on the button that undoes it', async () => {
  open({ sidebarWidth: 300 })
  ;(await edge()).focus()
  fireEvent.keyDown(document.activeElement ?? document, { key: 'Enter' })
  const button = await screen.findByRole('button', { name: 'Expand sidebar' })
  expect([document.activeElement === button, screen.queryByRole('separator', { name: 'Width of the sidebar' })]).toEqual([true, null])
  fireEvent.click(button)
  await screen.findByRole('button', { name: 'Collapse sidebar' })
  expect((await edge()).getAttribute('aria-valuenow')).toBe('300')
  act(() => void fireEvent.keyDown(window, { key: 'b', ctrlKey: true }))
  act(() => void fireEvent.keyDown(window, { key: 'b', metaKey: true }))
  expect(await screen.findByRole('button', { name: 'Expand sidebar' })).toBeTruthy()
})
