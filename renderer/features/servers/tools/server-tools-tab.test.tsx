import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Catalogue } from '#app/server/catalogue.ts'
import { makeServer } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

const catalogueOf = (count: number): Catalogue => ({
  tools: Array.from({ length: count }, (_, n) => ({
    name: `tool_${n}`,
    description: `number ${n}`,
    modelName: `files__tool_${n}`,
    tokens: 1,
    enabled: true,
    fingerprint: 'f',
    inputSchema: {},
  })),
  resources: [],
  resourceTemplates: [],
  prompts: [],
  fetchedAt: 1,
})
const drawn = (): string[] => [...document.querySelectorAll<HTMLElement>('[data-tool]')].map(({ dataset }) => dataset['tool'] ?? '')

async function open(count: number): Promise<HTMLElement> {
  const link = createFakeConnection({
    snapshot: { servers: [makeServer()] },
    answers: { 'server.catalogue': () => catalogueOf(count), 'server.log': () => ({ lines: [], dropped: 0 }) },
  })
  renderAt(link, '#/servers/files/tools')
  return screen.findByRole('searchbox', { name: 'Find a tool' })
}

it('a short list is drawn whole', async () => {
  await open(100)
  expect(drawn()).toHaveLength(100)
})

it('of a long list not all is drawn, and each can be found and opened', async () => {
  const search = await open(5000)
  expect(drawn().length).toBeLessThan(100)
  fireEvent.change(search, { target: { value: 'number 4321' } })
  await waitFor(() => expect(drawn()).toEqual(['tool_4321']))
  fireEvent.click(screen.getByRole('button', { name: /tool_4321/, expanded: false }))
  expect(screen.getByText('files__tool_4321')).toBeTruthy()
})

it.each([
  ['resources', 'invoices://2026/vendors.csv', 'vendors.csv'],
  ['prompts', 'monthly-close', 'Closes a month'],
])('%s are named, found by words, and lead to the library', async (tab, item, word) => {
  const link = createFakeConnection({
    snapshot: { servers: [makeServer()] },
    answers: {
      'server.log': () => ({ lines: [], dropped: 0 }),
      'library.listing': () => ({
        templates: [],
        prompts: [{ name: 'triage' }, { name: 'monthly-close', description: 'Closes a month' }],
        resources: 2,
      }),
      'library.resources': () => ({
        resources: ['book-notes.md', 'vendors.csv'].map((name) => ({ uri: `invoices://2026/${name}`, name })),
        revision: 1,
      }),
    },
  })
  renderAt(link, `#/servers/files/${tab}`)
  fireEvent.change(await screen.findByRole('searchbox', { name: 'Search' }), { target: { value: word } })
  const shown = (): (string | null)[] => [...document.querySelectorAll('a.tool-open')].map((one) => one.getAttribute('href'))
  await waitFor(() => expect(shown()).toEqual([`#/library/${tab}/files/${encodeURIComponent(item)}`]))
})

it('a title that only repeats the name of its tool is left out', async () => {
  const [tool] = catalogueOf(1).tools
  const link = createFakeConnection({
    snapshot: { servers: [makeServer()] },
    answers: {
      'server.catalogue': () => ({
        tools: tool
          ? [
              { ...tool, title: 'Tool 0' },
              { ...tool, name: 'other', title: 'Tool 0' },
            ]
          : [],
      }),
      'server.log': () => ({ lines: [], dropped: 0 }),
    },
  })
  renderAt(link, '#/servers/files/tools')
  expect(await screen.findAllByText(/number 0/)).toHaveLength(2)
  expect(screen.getAllByText(/^Tool 0: /)).toHaveLength(1)
})
