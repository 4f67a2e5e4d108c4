// The whole app at an address, over a scripted host: for tests of a page with its bar, its dialogs and its messages.
import { cleanup, render } from '@testing-library/react'
import { onTestFinished } from 'vitest'
import { App } from '#renderer/app.tsx'
import { loadAllPages } from '#renderer/pages/pages.ts'
import { createStores, type Stores } from '#renderer/stores/stores.ts'
import type { FakeConnection } from './fake-link.ts'

// As for a person, by the time that they go anywhere.
await loadAllPages()

export function renderAt(connection: FakeConnection, hash: string): Stores {
  window.location.hash = hash
  const stores = createStores(connection)
  render(<App stores={stores} />)
  onTestFinished(() => {
    cleanup()
    stores.dispose()
    window.location.hash = ''
    if (connection.listeners > 0) throw new Error(`${connection.listeners} listeners were left on the link`)
  })
  return stores
}
