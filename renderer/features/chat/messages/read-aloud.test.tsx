import { cleanup, fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeSnapshot } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith } from '#renderer/testing/render.tsx'
import { ReadAloudButton, spokenParagraphs } from './read-aloud.tsx'

const said: string[] = []
beforeEach(() => {
  said.length = 0
  vi.stubGlobal(
    'SpeechSynthesisUtterance',
    class {
      readonly text: string
      constructor(text: string) {
        this.text = text
      }
    },
  )
  vi.stubGlobal('speechSynthesis', {
    getVoices: () => [
      { voiceURI: 'here', name: 'Here', lang: 'en', localService: true },
      { voiceURI: 'cloud', name: 'Cloud', lang: 'en', localService: false },
    ],
    addEventListener: () => {},
    removeEventListener: () => {},
    cancel: () => said.push('(cancelled)'),
    speak: ({ text }: { text: string }) => said.push(text),
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const show = (voice: string) =>
  renderWith(
    <ReadAloudButton text={() => '# One\n\nTwo'} />,
    createFakeConnection({ snapshot: { settings: { ...makeSnapshot().settings, voice } } }),
  )

it.each([
  ['none, by default', ''],
  ['a voice that sends the text away', 'cloud'],
  ['a voice that is gone', 'other'],
])('offers nothing with %s', async (_name, voice) => {
  const page = await show(voice)
  expect(page.queryByRole('button')).toBeNull()
})

it('reads by the chosen local voice, paragraph by paragraph, and stops', async () => {
  const page = await show('here')
  fireEvent.click(page.getByRole('button', { name: 'Read aloud' }))
  const stop = await page.findByRole('button', { name: 'Stop reading' })
  expect(said).toEqual(['(cancelled)', 'One', 'Two'])
  fireEvent.click(stop)
  await page.findByRole('button', { name: 'Read aloud' })
  expect(said.at(-1)).toBe('(cancelled)')
})

it('speaks no code, marks, addresses or lines of tables', () => {
  const answer =
    '## The *total*\n\n- [report](https://a.example/x) and `sum`\n\n```ts\nconst x = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nSee https://a.example/y.\n\n~~~\nopen'
  expect(spokenParagraphs(answer)).toEqual(['The total', 'report and sum', 'a b', '1 2', 'See'])
})
