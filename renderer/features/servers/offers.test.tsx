// What a page shows of a server that logs with levels; and does not, of one that does not.
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Catalogue } from '#app/server/catalogue.ts'
import type { ServerCapability } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { makeServer } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

const catalogue: Catalogue = {
  tools: [],
  resources: [{ uri: 'raw://one', name: 'One' }],
  resourceTemplates: [{ uriTemplate: 'raw://{name}', name: 'Any' }],
  prompts: [],
  fetchedAt: 1,
}
const offering = (offers: ServerCapability[], change: Partial<ServerSummary> = {}): ServerSummary => {
  const session = { era: 'legacy' as const, protocolVersion: '2025-06-18', foundBy: 'initialize' as const, offers }
  return makeServer({ name: 'raw', session, state: { kind: 'ready', since: 1, session }, ...change })
}
const open = (server: ServerSummary, tab: string, listed = catalogue): FakeConnection => {
  const link = createFakeConnection({
    snapshot: { servers: [server] },
    answers: { 'server.catalogue': () => listed, 'server.log': () => ({ lines: [], dropped: 0 }) },
  })
  renderAt(link, `#/servers/raw/${tab}`)
  return link
}

describe('the log level', () => {
  const select = () => screen.findByRole<HTMLSelectElement>('combobox', { name: 'Log level' })

  it('is the server’s own, and can be chosen', async () => {
    const link = open(offering(['logging'], { logLevel: 'warning' }), 'log')
    expect((await select()).value).toBe('warning')
    fireEvent.change(await select(), { target: { value: 'debug' } })
    expect(link.paramsOf('server.setLogLevel')).toEqual([{ name: 'raw', level: 'debug' }])
  })

  it('is not offered for a server that does not log this way', async () => {
    open(offering([]), 'log')
    await screen.findByText('Nothing found.')
    expect(screen.queryByRole('combobox', { name: 'Log level' })).toBeNull()
  })
})

describe('what a server says of what it offers', () => {
  const odd = 'a\u202eb\u001b[2J'
  const tool = { modelName: 'raw__odd', tokens: 1, enabled: true, fingerprint: 'f', inputSchema: {} }
  const listed: Catalogue = {
    tools: [{ ...tool, name: odd, description: odd }],
    resources: [],
    resourceTemplates: [],
    prompts: [],
    fetchedAt: 1,
    stale: odd,
  }

  it('is shown with its hidden characters named, among the tools', async () => {
    open(offering([]), 'tools', listed)
    const shown = document.body
    await waitFor(() => expect(shown.querySelectorAll('.reveal').length).toBeGreaterThan(2))
    expect([...'\u202e\u001b'].filter((hidden) => shown.textContent?.includes(hidden))).toEqual([])
  })
})

describe('what there is to read about a server', () => {
  it('is counted where it can be read, whichever tab is open', async () => {
    open(offering([], { warnings: ['“a” was left out: it is not an object.', 'Another.'] }), 'tools')
    fireEvent.click(await screen.findByRole('tab', { name: /^Details.*2/ }))
    expect(await screen.findByText(/“a” was left out/)).toBeTruthy()
  })

  it('is not spoken of where there is nothing', async () => {
    open(offering([]), 'tools')
    expect((await screen.findByRole('tab', { name: /^Details/ })).textContent?.trim()).toBe('Details')
  })
})

describe('resources and prompts', () => {
  it.each(['resources', 'prompts'])('of a server lead to the library: %s', async (tab) => {
    open(offering([], { counts: { tools: 0, enabledTools: 0, resources: 1200, prompts: 1200 } }), tab)
    expect(await screen.findByText(new RegExp(`1,200 ${tab}`))).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open the library' }).getAttribute('href')).toBe(`#/library/${tab}/raw`)
  })
})
