// A page over a scripted host, as the app shows it: stores in step with the link, toasts and announcements beside it.
import { cleanup, type RenderResult, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { onTestFinished } from 'vitest'
import { App } from '#renderer/app.tsx'
import { StoresProvider } from '#renderer/stores/react.tsx'
import { createStores, type Stores } from '#renderer/stores/stores.ts'
import { Toasts } from '#renderer/ui/toasts.tsx'
import type { FakeLink } from './fake-link.ts'

export interface Rendered extends RenderResult {
  readonly stores: Stores
}

function inPage(link: FakeLink, content: (stores: Stores) => ReactNode): Rendered {
  const stores = createStores(link)
  const result = render(content(stores))
  onTestFinished(() => {
    cleanup()
    stores.dispose()
    window.location.hash = ''
  })
  return { ...result, stores }
}

/** One component, with what it needs around it. */
export const renderPart = (link: FakeLink, part: ReactNode): Rendered =>
  inPage(link, (stores) => (
    <StoresProvider stores={stores}>
      {part}
      <Toasts />
    </StoresProvider>
  ))

/** The whole app at an address, e.g. `#/servers/files`. */
export function renderAt(link: FakeLink, hash: string): Rendered {
  window.location.hash = hash
  return inPage(link, (stores) => <App stores={stores} />)
}
