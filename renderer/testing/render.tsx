import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { StoresProvider } from '#renderer/stores/store-hooks.tsx'
import { createStores, type Stores } from '#renderer/stores/stores.ts'
import { createFakeConnection, type FakeConnection } from './fake-link.ts'

/** Lets what is on its way arrive: answers of the fake link are promises that are already kept. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 8; turn++) await Promise.resolve()
}

/** A component over stores that had their first snapshot. */
export async function renderWith(children: ReactNode, connection: FakeConnection = createFakeConnection()) {
  const stores: Stores = createStores(connection)
  await settle()
  const view = render(<StoresProvider stores={stores}>{children}</StoresProvider>)
  return { ...view, stores, link: connection }
}
