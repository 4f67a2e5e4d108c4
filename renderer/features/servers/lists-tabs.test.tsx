// What a server lists is shown with the characters that cannot be seen named in their place.
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Catalogue } from '#app/server/catalogue.ts'
import { makeServer } from '#renderer/testing/builders.ts'
import { createFakeLink } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

const hidden = '\u202e'
const icons = [{ src: 'https://example.com/icon.png' }, { src: 'data:image/png;base64,iVBORw0KGgo=' }]
const catalogue: Catalogue = {
  tools: [],
  resources: [{ uri: `raw://${hidden}one`, name: `On${hidden}e`, description: `said${hidden}`, icons }],
  resourceTemplates: [],
  prompts: [{ name: `as${hidden}k`, title: `As${hidden}k`, description: `say${hidden}`, arguments: [{ name: `w${hidden}ord` }] }],
  fetchedAt: 1,
}

it.each([
  ['resources', 3],
  ['prompts', 4],
])('%s reveal what cannot be seen', async (tab, times) => {
  const answers = { 'server.catalogue': () => catalogue, 'server.log': () => ({ lines: [], dropped: 0 }) }
  const link = createFakeLink({ snapshot: { servers: [makeServer({ name: 'raw' })] }, answers })
  renderAt(link, `#/servers/raw/${tab}`)
  const list = await screen.findByText((_, element) => element?.matches('ul.lines') === true)
  expect(list.querySelectorAll('.reveal')).toHaveLength(times)
  expect(list.textContent).not.toContain(hidden)
})

it('draws a picture that came with it, and fetches none', async () => {
  const answers = { 'server.catalogue': () => catalogue, 'server.log': () => ({ lines: [], dropped: 0 }) }
  renderAt(createFakeLink({ snapshot: { servers: [makeServer({ name: 'raw' })] }, answers }), '#/servers/raw/resources')
  await screen.findByText((_, element) => element?.matches('ul.lines') === true)
  expect([...document.querySelectorAll('img')].map((image) => image.src)).toEqual([icons.at(1)?.src])
})
