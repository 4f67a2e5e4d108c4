import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { StoresProvider } from '#renderer/stores/store-hooks.tsx'
import { createStores } from '#renderer/stores/stores.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { LongBox, mostAtOnce, mostCharacters } from '#renderer/ui/visible-text.tsx'
import { hostileTexts } from '../../../../bench/chat/page/hostile-text.ts'
import { mostFootnotes } from './document-facts.ts'
import { Markdown } from './markdown.tsx'

const stores = createStores(createFakeConnection())
const show = (text: string) =>
  render(
    <StoresProvider stores={stores}>
      <Markdown text={text} />
    </StoresProvider>,
  )

afterEach(cleanup)

/** Elements that run or fetch something, and attributes that do. */
const dangerous = 'script,img,iframe,object,embed,svg:not(.i),video,audio,source,link,style,form,input,a,base,meta'
const corpus = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<iframe src="https://evil.example"></iframe>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](vbscript:msgbox(1))',
  '[x](file:///etc/passwd)',
  '![x](https://evil.example/pixel.png?data=secret)',
  '![x](javascript:alert(1))',
  '<a href="javascript:alert(1)">x</a>',
  '<style>*{background:url(https://evil.example)}</style>',
  '<details open ontoggle=alert(1)>',
  '[x]: javascript:alert(1)\n\n[x]',
  '```html\n<script>alert(1)</script>\n```',
  '| a |\n|---|\n| <img src=x onerror=alert(1)> |',
  '<javascript:alert(1)>',
  '[<img src=x onerror=alert(1)>](https://ok.example)',
  '"><script>alert(1)</script>',
  '<base href="https://evil.example/">',
  '<form action="https://evil.example"><input name=x></form>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<math><mtext></table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
]

describe('Markdown', () => {
  it.each(corpus)('shows %s as text and nothing else', (text) => {
    const { container } = show(text)
    expect([...container.querySelectorAll(dangerous)].map((element) => element.outerHTML)).toEqual([])
    const attributes = [...container.querySelectorAll('*')].flatMap((element) => [...element.attributes])
    expect(attributes.filter(({ name }) => name.startsWith('on') || name === 'href' || name === 'src' || name === 'srcdoc')).toEqual([])
  })

  it('names an image and where it would come from, and loads nothing', () => {
    const { container } = show('![a cat](https://pics.example/cat.png)')
    expect(container.textContent).toContain('a cat')
    expect(container.textContent).toContain('https://pics.example/cat.png')
  })

  it('opens a link only after its whole target was shown', async () => {
    const link = createFakeConnection({ answers: { 'app.openUrl': () => ({ by: 'host' }) } })
    const own = createStores(link)
    render(
      <StoresProvider stores={own}>
        <Markdown text="[your bank](https://login.northbank.example.evil.example/a?b=c)" />
      </StoresProvider>,
    )
    fireEvent.click(screen.getByRole('button', { name: 'your bank' }))
    expect(link.paramsOf('app.openUrl')).toEqual([])
    const dialog = await screen.findByRole('dialog')
    expect(dialog.querySelector('.url')?.textContent).toBe('https://login.northbank.example.evil.example/a?b=c')
    expect(dialog.querySelector('.url b')?.textContent).toBe('evil.example')
    fireEvent.click(screen.getByRole('button', { name: /Open in browser/ }))
    expect(link.paramsOf('app.openUrl')).toEqual([{ url: 'https://login.northbank.example.evil.example/a?b=c' }])
    own.dispose()
  })

  it('spells out characters that cannot be seen', () => {
    const { container } = show('pay\u200bpal and `a\u202eb`')
    expect([...container.querySelectorAll('.reveal')].map((one) => one.textContent)).toEqual(['zero-width space', 'right-to-left override'])
  })

  it('renders tables, task lists, headings and code', () => {
    const { container } = show('# T\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n\n```ts\nlet x\n```')
    const tags = ['h2', 'table', 'td.r', 'li.task', '.tick.done', 'figure pre'].map(
      (selector) => container.querySelectorAll(selector).length,
    )
    expect(tags).toEqual([1, 1, 1, 2, 1, 1])
  })

  it('leads from a mark to its footnote and back, and shares no id with another message', () => {
    const text = 'see[^n] and[^m]\n\n[^m]: the *second*\n\n[^n]: the first\n\n    with more\n\n[^x]: never named'
    const { container } = render(
      <StoresProvider stores={stores}>
        <Markdown text={text} />
        <Markdown text={text} />
      </StoresProvider>,
    )
    const [notes] = container.querySelectorAll('.footnotes')
    expect([...(notes?.querySelectorAll('li') ?? [])].map((one) => one.textContent)).toEqual(['the firstwith more↩', 'the second↩'])
    const ids = [...container.querySelectorAll('[id]')].map(({ id }) => id)
    expect([ids.length, new Set(ids).size]).toEqual([8, 8])
    const mark = container.querySelector<HTMLElement>('.note-mark button')
    mark?.click()
    expect(document.activeElement).toBe(notes?.querySelector('li'))
    notes?.querySelector<HTMLElement>('li .link')?.click()
    expect(document.activeElement).toBe(mark)
  })

  it('shows a note within the text below the message, and what is none as it is written', () => {
    const { container } = show('see^[the *note*] and[^a], 2^[ ] and ^[open\n\n[^a]: A')
    expect([...container.querySelectorAll('.footnotes li')].map((one) => one.textContent)).toEqual(['the note↩', 'A↩'])
    expect(container.querySelector('.footnotes em')?.textContent).toBe('note')
    expect(container.querySelector('.prose-run')?.textContent).toContain('see1 and2, 2^[ ] and ^[open')
  })

  it('makes a mark of a footnote whose definition comes later', async () => {
    const view = show('see[^n]\n\nmore')
    expect(view.container.querySelector('.note-mark')).toBeNull()
    view.rerender(
      <StoresProvider stores={stores}>
        <Markdown text={'see[^n]\n\nmore\n\n[^n]: the note'} />
      </StoresProvider>,
    )
    await waitFor(() => expect(view.container.querySelector('.note-mark')?.textContent).toBe('1'))
  })

  it('begins its headings below the page’s own, whatever the first of them is', () => {
    const { container } = show('### A\n\n#### B\n\n### C')
    expect([...container.querySelectorAll('h2, h3, h4')].map(({ tagName }) => tagName)).toEqual(['H2', 'H3', 'H2'])
  })

  it('lets each block have the direction of its own words', () => {
    const { container } = show('שלום\n\nhello\n\n- مرحبا\n\n> x\n\n`code`')
    const blocks = [...container.querySelectorAll('ul, blockquote')]
    expect(blocks.map((one) => one.getAttribute('dir'))).toEqual(['auto', 'auto'])
    // A paragraph with a direction of its own would not count for the quote around it; the style sheet gives it one.
    expect([...container.querySelectorAll('p')].filter((one) => one.hasAttribute('dir'))).toEqual([])
  })

  it('keeps the elements of earlier blocks while text is added', () => {
    const view = show('first\n\nsecond\n\nthird')
    const before = [...view.container.querySelectorAll('p')]
    view.rerender(
      <StoresProvider stores={stores}>
        <Markdown text={'first\n\nsecond\n\nthird and more'} />
      </StoresProvider>,
    )
    const after = [...view.container.querySelectorAll('p')]
    expect([after[0] === before[0], after[1] === before[1], after[2]?.textContent]).toEqual([true, true, 'third and more'])
  })
})

// Counted, not timed: nodes are what a browser pays for. Shapes as in `bench/hostile.ts`, where they are timed.
describe('a text that is made to hold the page up', () => {
  const nodesOf = (text: string): number => {
    const { container } = show(text)
    return container.querySelectorAll('*').length
  }
  it.each(Object.keys(hostileTexts))('draws some thousand nodes of %s in its first task, not more', (name) => {
    expect(nodesOf(hostileTexts[name]?.() ?? '')).toBeLessThan(6000)
  })

  const footnotes = Array.from({ length: 400 }, (_, at) => `word[^${at}]\n\n[^${at}]: note ${at}`).join('\n\n')
  it('numbers the first of 400 footnotes, and leaves the rest as they are written', async () => {
    const { container } = show(footnotes)
    await waitFor(() => expect(container.querySelectorAll('.footnotes li')).toHaveLength(mostFootnotes), { timeout: 20_000 })
    await waitFor(() => expect(container.textContent).toContain('[^399]: note 399'), { timeout: 20_000 })
  })

  it('draws the rest when the person asks for it, a part at a time', async () => {
    const text = 'word '.repeat(80_000)
    const { container } = show(text)
    const more = await screen.findByRole('button', { name: 'Show more of this long text' }, { timeout: 30_000 })
    const before = container.querySelectorAll('p').length
    fireEvent.click(more)
    await waitFor(() => expect(container.querySelectorAll('p').length).toBeGreaterThan(before))
  })

  it.each([100, 250, 600])('draws a table of %s rows as a table', async (rows) => {
    const { container } = show(`|a|b|c|\n|-|-|-|\n${Array.from({ length: rows }, (_, at) => `|${at}|cell|x|\n`).join('')}`)
    await waitFor(() => expect(container.querySelectorAll('tbody tr')).toHaveLength(rows), { timeout: 20_000 })
  })

  it('makes no cells of a table that its rows do not write', () => {
    const { container } = show(`|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n${'|\n'.repeat(2000)}`)
    expect(container.querySelectorAll('td').length).toBeLessThan(2000)
  })

  it('names marks beyond what one letter bears', () => {
    const { container } = show(`a${'\u0301'.repeat(3000)}`)
    expect(container.textContent).toBe(`a${'\u0301'.repeat(16)}2,984 more marks`)
  })

  it('draws text that is no Markdown in parts', async () => {
    const { container } = render(<LongBox text={'word '.repeat(400_000)} label="result" />)
    await drawsPartAfterPart(container, 'Show more of this long text', mostAtOnce, mostCharacters)
  })

  it('draws code in parts, and copies all of it', async () => {
    const { container } = show(`\`\`\`js\n${'const a = 1\n'.repeat(60_000)}\`\`\``)
    await drawsPartAfterPart(container, 'Show more of this long text', mostAtOnce, 'const a = 1\n'.length * 2000 - 1)
  })

  async function drawsPartAfterPart(container: HTMLElement, button: string, atFirst: number, unasked: number): Promise<void> {
    const length = (): number => container.querySelector('pre')?.textContent?.length ?? 0
    expect(length()).toBeLessThanOrEqual(atFirst)
    await waitFor(() => expect(length()).toBe(unasked), { timeout: 20_000 })
    fireEvent.click(screen.getByRole('button', { name: button }))
    await waitFor(() => expect(length()).toBeGreaterThan(unasked), { timeout: 20_000 })
  }
})
