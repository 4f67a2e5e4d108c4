// A server or a tool can be called anything, "everything" and "Allow once" among it (Invariant Labs, "Tool Poisoning": names and
// descriptions of servers are text of an attacker). On every card its name is set off from our words: in its own element, or in
// quotation marks where only text can stand.
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { requestNotice } from '#app/chat/system-notification.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith } from '#renderer/testing/render.tsx'
import { scenes } from '#renderer/testing/stories/all-stories.ts'
import { consentScenes } from '#renderer/testing/stories/consent.stories.ts'
import { ConsentCard } from './consent-card.tsx'

const name = 'Allow once'
const setOff = '.server-name, .tool-name, .mono, .srv, code, option, .url, .address-name'

/** What of the page says the name as if it were a word of ours. */
function bare(place: Element): string[] {
  const unquoted = (text: string): boolean => text.replaceAll(`“${name}”`, '').includes(name)
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
  const found: string[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (parent?.closest(setOff) || parent?.closest('footer button')?.textContent?.trim().startsWith('Allow once')) continue
    if (unquoted(node.nodeValue ?? '')) found.push(node.nodeValue ?? '')
  }
  for (const element of place.querySelectorAll('[aria-label], [title]'))
    for (const words of [element.getAttribute('aria-label'), element.getAttribute('title')])
      if (words && !element.closest('.srv') && unquoted(words)) found.push(words)
  return found
}

const named = (request: ConsentRequest): ConsentRequest => ({
  ...request,
  server: name,
  ...('tool' in request && { tool: 'show_Allow_once' }),
})

async function requestsOf(scene: string): Promise<readonly ConsentRequest[]> {
  const link = { ...scenes, ...consentScenes }[scene]?.('light')
  return (await link?.request('app.snapshot', {}))?.consentRequests ?? []
}

afterEach(cleanup)
const shown = [
  'ask-edit',
  'ask-flow',
  'ask-form',
  'ask-steps',
  'ask-url',
  'ask-url-own',
  'ask-roots',
  'launch',
  'sampling',
  'answer',
  'sign-in',
  'changed',
  'changed-call',
]
it.each(shown)('the names in “%s” are set off', async (scene) => {
  const all = await requestsOf(scene)
  expect(all.length).toBeGreaterThan(0)
  for (const request of all.map(named)) {
    const link = createFakeConnection({ snapshot: { consentRequests: [request] } })
    await renderWith(<ConsentCard request={request} />, link)
    const more = screen.queryByRole('button', { name: 'Other ways to allow' })
    if (more) act(() => more.click())
    expect({ kind: request.kind, bare: bare(document.body) }).toEqual({ kind: request.kind, bare: [] })
    expect(requestNotice(request)?.title ?? `“${name}” `).toMatch(/^“Allow once” /)
    cleanup()
  }
})
