import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { ResultBlock, ToolResult } from '#app/chat/content.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith } from '#renderer/testing/render.tsx'
import { blockNotes, isPlainSvg } from './blob-view.tsx'
import { languageOf } from './content-view.tsx'
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
  it('fetches nothing from elsewhere, whatever it names', async () => {
    const { container } = await renderWith(
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

  it('shows what came with it, as it came', async () => {
    await renderWith(<ResultView result={result({ more: { _meta: { 'example.com/cost': 7 } } })} />)
    expect(screen.getByText(/example\.com\/cost/)).toBeTruthy()
  })
})

describe('a link of a resource', () => {
  const blob = { sha256, bytes: 7, mimeType: 'text/plain' }
  const answers = { 'library.read': () => ({ contents: [{ uri: link.uri, mimeType: 'text/yaml', text: 'a: 1', blob }], left: 0 }) }
  it('is read through its server only after its target was shown', async () => {
    const fake = createFakeConnection({ answers })
    await renderWith(<ResultView result={result({ content: [link] })} server="files" />, fake)
    fireEvent.click(screen.getByRole('button', { name: 'The report' }))
    const dialog = await screen.findByRole('dialog')
    expect([dialog.querySelector('.url')?.textContent, fake.paramsOf('library.read')]).toEqual([link.uri, []])
    fireEvent.click(screen.getByRole('button', { name: 'Read it through files' }))
    await waitFor(() => expect(dialog.querySelector('.content-view pre')?.textContent).toBe('a: 1'))
    expect(fake.paramsOf('library.read')).toMatchObject([{ server: 'files', uri: link.uri }])
  })

  it('that is no web address is never opened in a browser', async () => {
    await renderWith(<ResultView result={result({ content: [{ ...link, uri: 'file:///etc/passwd' }] })} server="files" />)
    fireEvent.click(screen.getByRole('button', { name: 'The report' }))
    await screen.findByRole('dialog')
    expect(screen.queryByRole('button', { name: /Open in browser/ })).toBeNull()
  })
})

describe('structured content', () => {
  it('is a table of which the beginning is shown, then all', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => ({ id: index, name: `n${index}` }))
    const { container } = await renderWith(<ResultView result={result({ structuredContent: rows })} />)
    expect(container.querySelectorAll('tbody tr').length).toBe(20)
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }))
    expect([container.querySelector('table')?.getAttribute('aria-rowcount'), container.querySelector('.tall')]).not.toContain(null)
  })

  it('is a tree that keys open and close, whose path and value can be copied', async () => {
    await renderWith(<ResultView result={result({ structuredContent: { a: { b: [1, 'x'] }, c: true } })} />)
    const tree = screen.getByRole('tree')
    const names = (): string[] => screen.getAllByRole('treeitem').map((one) => one.textContent ?? '')
    expect(names()).toEqual(['a1 member', 'b2 items', 'ctrue'])
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowDown']) fireEvent.keyDown(tree, { key })
    expect(names()).toEqual(['a1 member', 'b2 items', '01', '1x', 'ctrue'])
    expect([document.getElementById(tree.getAttribute('aria-activedescendant') ?? '')?.textContent, screen.getByText('/a/b/1')]).toEqual([
      '1x',
      expect.anything(),
    ])
    fireEvent.keyDown(tree, { key: 'ArrowLeft' })
    fireEvent.keyDown(tree, { key: 'ArrowLeft' })
    expect(names()).toEqual(['a1 member', 'b2 items', 'ctrue'])
  })

  it('is JSON at the press of a button', async () => {
    const { container } = await renderWith(<ResultView result={result({ structuredContent: { a: 1 } })} />)
    fireEvent.click(screen.getByRole('button', { name: 'Show as JSON' }))
    expect([container.querySelector('pre')?.textContent, screen.queryByRole('tree')]).toEqual(['{\n  "a": 1\n}', null])
  })

  it('is shown once where the server sends it as text, too', async () => {
    const twice: ToolResult = result({
      content: [
        { type: 'text', text: '{"b": 2, "a": 1}' },
        { type: 'text', text: 'Two numbers.' },
      ],
      structuredContent: { a: 1, b: 2 },
    })
    const { container } = await renderWith(<ResultView result={twice} />)
    expect([...container.querySelectorAll('pre')].map((one) => one.textContent)).toEqual(['Two numbers.'])
  })
})

describe('bytes of a result', () => {
  it('are a picture that opens; a huge one waits for the person', async () => {
    const small: ResultBlock = { type: 'image', blob: { sha256, bytes: 3, mimeType: 'image/png' } }
    const huge: ResultBlock = { type: 'image', blob: { sha256: 'b'.repeat(64), bytes: 20_000_000, mimeType: 'image/png' } }
    const { container } = await renderWith(<ResultView result={result({ content: [small, huge] })} />)
    expect(container.querySelectorAll('img').length).toBe(1)
    fireEvent.click(screen.getByRole('button', { name: /Open full size/ }))
    expect((await screen.findByRole('dialog')).querySelector('img')?.getAttribute('src')).toBe(`/blob/${sha256}`)
  })

  it('can be saved where the browser cannot draw the picture', async () => {
    const block: ResultBlock = { type: 'image', blob: { sha256, bytes: 3, mimeType: 'image/png' } }
    const { container } = await renderWith(<ResultView result={result({ content: [block] })} />)
    fireEvent.error(container.querySelector('img') ?? container)
    expect([container.querySelector('img'), screen.getAllByText(/^Save image/)]).toMatchObject([null, [{}]])
  })

  it('are saved by the host where the window downloads nothing', async () => {
    const fake = createFakeConnection({ snapshot: { shell: { kind: 'electron', os: 'linux', canChooseFolder: true, secrets: 'memory' } } })
    const file: ResultBlock = { type: 'resource', uri: 'file:///a/plan.pdf', blob: { sha256, bytes: 3, mimeType: 'application/pdf' } }
    await renderWith(<ResultView result={result({ content: [file] })} />, fake)
    fireEvent.click(screen.getByRole('button', { name: /^Save file/ }))
    expect(fake.paramsOf('blob.save')).toEqual([{ sha256, name: 'file:///a/plan.pdf' }])
  })
})

describe('the language of a resource', () => {
  it.each([
    ['application/json', 'x:', 'json'],
    ['application/vnd.api+json; charset=utf-8', 'x:', 'json'],
    ['text/x-python', 'x:', 'python'],
    ['text/plain', 'file:///a/b.rs?x', 'rs'],
    ['', 'file:///a/b', ''],
    ['application/pdf', 'a.pdf', ''],
  ])('%s at %s is %j', (type, uri, language) => {
    expect(languageOf(type, uri)).toBe(language)
  })
})

describe('what is said beside a part', () => {
  it.each<[string, Parameters<typeof blockNotes>[0], string[]]>([
    ['of a link', link, ['All of it', 'application/pdf', '2.0 KB', 'required']],
    ['of nothing', { type: 'text', text: 'a' }, []],
    [
      'of a date, and nothing of its readers',
      { type: 'text', text: 'a', more: { annotations: { audience: ['user', 'assistant'], priority: 0.4, lastModified: '2026-01-01' } } },
      ['changed 2026-01-01'],
    ],
    ['that is of no known form', { type: 'text', text: 'a', more: { annotations: { audience: 'all', lastModified: 7 } } }, []],
  ])('%s', (_title, block, notes) => {
    expect(blockNotes(block)).toEqual(notes)
  })
})

describe('an SVG', () => {
  it.each<[string, string, boolean]>([
    ['shapes and letters', '<svg xmlns="http://www.w3.org/2000/svg"><rect width="1"/><text x="1">a used mask</text></svg>', true],
    ['copies of copies', '<svg><g id="a"/><use href="#a"/></svg>', false],
    ['the same by another prefix', '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:use/></s:svg>', false],
    ['entities', '<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', false],
    ['a filter', '<svg><filter id="f"/></svg>', false],
    ['another document', '<svg><foreignObject/></svg>', false],
    ['a script', '<svg><script>1</script></svg>', false],
    ['more than is drawn', `<svg>${'<g/>'.repeat(50_001)}</svg>`, false],
  ])('of %s is drawn or only saved', (_what, text, plain) => expect(isPlainSvg(text)).toBe(plain))
})
