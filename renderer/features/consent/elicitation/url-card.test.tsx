import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { ServerDefinition } from '#app/server/definition.ts'
import { makeServer } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith } from '#renderer/testing/render.tsx'
import { ConsentCard } from '../consent-card.tsx'

afterEach(cleanup)

async function show(url: string, own: string | undefined): Promise<HTMLElement> {
  const shared = { enabled: true, start: 'needed', trusted: false } as const
  const definition: ServerDefinition =
    own === undefined
      ? { ...shared, transport: 'stdio', command: 'x', args: [], env: {} }
      : { ...shared, transport: 'streamable-http', url: own, headers: {} }
  const link = createFakeConnection({ snapshot: { servers: [makeServer({ name: 'ledger', definition })] } })
  const request = {
    id: 'r1',
    createdAt: 1,
    server: 'ledger',
    why: { kind: 'server-asks' },
    kind: 'elicitation-url',
    message: '',
    url,
  } as const
  await renderWith(<ConsentCard request={request} />, link)
  return screen.getByRole('region')
}
const buttonIsPlain = (): boolean => !screen.getByRole('button', { name: /^Open in browser/ }).classList.contains('primary')

it('a page that is not of the server’s own domain names both', async () => {
  const card = await show('https://connect.northbank.example/sca', 'https://mcp.ledger.example/mcp')
  expect(card.querySelector('dl')?.textContent).toMatch(/northbank\.example.*Not the domain of “ledger” \(ledger\.example\)/)
  expect([card.querySelectorAll('.notice').length, buttonIsPlain()]).toEqual([0, false])
})

it.each([
  ['the same host', 'https://mcp.ledger.example/pay', 'https://mcp.ledger.example/mcp'],
  ['the same ending', 'https://pay.ledger.example/', 'https://mcp.ledger.example/mcp'],
  ['a server of this computer', 'https://pay.ledger.example/', undefined],
])('%s is not called another domain', async (_what, url, own) => {
  const card = await show(url, own)
  expect(card.querySelector('dl')?.textContent).not.toContain('Not the domain of')
})

it('a name that is made to look like the server’s own is warned of, letter by letter, and no button asks to be pressed', async () => {
  const card = await show('https://lеdger.example/', 'https://ledger.example/mcp')
  expect(card.querySelector('.notice.bad')?.textContent).toContain('ledger.example')
  expect(card.querySelector('.notice.warn')?.textContent).toContain('U+0435')
  expect(buttonIsPlain()).toBe(true)
})
