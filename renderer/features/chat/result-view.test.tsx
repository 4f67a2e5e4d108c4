import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { ResultBlock, ToolResult } from '#app/chat/content.ts'
import { blockNotes } from './block-notes.ts'
import { ResultView } from './result-view.tsx'

afterEach(cleanup)

const sha256 = 'a'.repeat(64)
const result = (change: Partial<ToolResult>): ToolResult => ({ content: [], isError: false, bytes: 1, ...change })
const link: ResultBlock = {
  type: 'resource-link',
  uri: 'https://example.com/report.pdf',
  name: 'report',
  title: 'The report',
  description: 'All of it',
  mimeType: 'application/pdf',
  more: { size: 2048, icons: [{ src: 'https://example.com/icon.png' }], annotations: { audience: ['user'], priority: 1 } },
}

describe('a result', () => {
  it('fetches nothing from elsewhere, whatever it names', () => {
    const { container } = render(
      <ResultView
        result={result({
          content: [
            link,
            { type: 'image', blob: { sha256, bytes: 3, mimeType: 'image/png' } },
            { type: 'audio', blob: { sha256, bytes: 3, mimeType: 'audio/wav' } },
            { type: 'resource', uri: 'https://example.com/a', text: 'hi', more: { resource: { _meta: { a: 1 } } } },
          ],
        })}
      />,
    )
    const sources = [...container.querySelectorAll('[src], [href]')].map((one) => one.getAttribute('src') ?? one.getAttribute('href'))
    expect(sources).toEqual([`/blob/${sha256}`, `/blob/${sha256}`])
    expect(screen.getByText('The report')).toBeTruthy()
  })

  it('shows what came with it, as it came', () => {
    render(<ResultView result={result({ more: { _meta: { 'example.com/cost': 7 } } })} />)
    expect(screen.getByText(/example\.com\/cost/)).toBeTruthy()
  })
})

describe('what is said beside a part', () => {
  it.each<[string, Parameters<typeof blockNotes>[0], string[]]>([
    ['of a link', link, ['All of it', 'application/pdf', '2.0 KB', 'meant for you', 'needed, says the server']],
    ['of nothing', { type: 'text', text: 'a' }, []],
    [
      'of both readers and a date',
      { type: 'text', text: 'a', more: { annotations: { audience: ['user', 'assistant'], priority: 0.4, lastModified: '2026-01-01' } } },
      ['meant for you and the model', 'last changed 2026-01-01'],
    ],
    ['that is of no known form', { type: 'text', text: 'a', more: { annotations: { audience: 'all', lastModified: 7 } } }, []],
  ])('%s', (_title, block, notes) => {
    expect(blockNotes(block)).toEqual(notes)
  })
})
