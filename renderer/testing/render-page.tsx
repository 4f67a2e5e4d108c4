// The whole app at an address, over a scripted host: for tests of a page with its bar, its dialogs and its messages.
import { cleanup, render } from '@testing-library/react'
import { onTestFinished } from 'vitest'
import { App } from '#renderer/app.tsx'
import { loadPages } from '#renderer/pages/pages.ts'
import { createStores, type Stores } from '#renderer/stores/stores.ts'
import type { FakeLink } from './fake-link.ts'

// As for a person, by the time that they go anywhere.
await loadPages()

export function renderAt(link: FakeLink, hash: string): Stores {
  window.location.hash = hash
  const stores = createStores(link)
  render(<App stores={stores} />)
  onTestFinished(() => {
    cleanup()
    stores.dispose()
    window.location.hash = ''
    if (link.listeners > 0) throw new Error(`${link.listeners} listeners were left on the link`)
  })
  return stores
}
