import { describe, expect, it } from 'vitest'
import { makeAnswer, makeUserMessage } from '#renderer/testing/builders.ts'
import { readFence } from '../markdown/block-pieces.ts'
import { artifactAt, artifactDocument, artifactFileName, artifactsOf, hasCard, readArtifact } from './find-artifacts.ts'

const fence = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\``
const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n')
const read = (info: string, code: string, before?: string) => readArtifact(readFence(fence(info, code)), before)
const answer = (id: string, ...texts: readonly string[]) => makeAnswer({ id, parts: [{ kind: 'text', text: texts.join('\n\n') }] })
const chat = (...messages: readonly (ReturnType<typeof makeAnswer> | ReturnType<typeof makeUserMessage>)[]) =>
  artifactsOf({ ids: messages.map(({ id }) => id), messages: Object.fromEntries(messages.map((one) => [one.id, one])) })

describe('which blocks are artifacts', () => {
  it.each([
    ['html', '<p>', 'html', false],
    ['HTML', lines(15), 'html', true],
    ['svg', '<svg/>', 'svg', false],
    ['xml', '<?xml version="1.0"?>\n<svg viewBox="0 0 1 1"/>', 'svg', false],
    ['mermaid', lines(40), 'mermaid', false],
    ['csv', 'a,b', 'csv', false],
    ['tsv', lines(15), 'csv', true],
    ['markdown', lines(15), 'markdown', true],
    ['ts', lines(15), 'code', false],
    ['', lines(15), 'code', false],
  ])('%j is one', (info, code, kind, card) => {
    const block = read(info, code)
    expect([block?.kind, block && hasCard(block)]).toEqual([kind, card])
  })

  it.each([
    ['ts', lines(14)],
    ['markdown', lines(14)],
    ['xml', '<note/>'],
    ['constructor', '<p>'],
  ])('%j of that length is none', (info, code) => {
    expect(read(info, code)).toBeUndefined()
  })

  it('a page that is being written has a card from its first line', () => {
    const block = readArtifact(readFence('```html\n<p>'))
    expect([block?.closed, block && hasCard(block)]).toEqual([false, true])
  })
})

it.each([
  ['html title="Spend by vendor"', '<p>', '', 'Spend by vendor'],
  ['html:spend.html', '<p>', '', 'spend.html'],
  ['html spend.html', '<p>', '', 'spend.html'],
  ['html', '<!doctype html>\n<title>Spend &amp;\n more</title>', '', 'Spend & more'],
  ['svg', '<svg><title>Logo</title></svg>', '', 'Logo'],
  ['mermaid', '---\ntitle: Approval\n---\nflowchart TD', '', 'Approval'],
  ['markdown', `# Notes\n${lines(15)}`, '', 'Notes'],
  ['python', `# tools/sum.py\n${lines(15)}`, 'In this file:\n', undefined],
  ['python', `# sum.py\n${lines(15)}`, '', 'sum.py'],
  ['html', '<p>', 'Here it is.\n\n**spend.html**\n\n', 'spend.html'],
  ['html', '<p>', '### `spend.html`:\n', 'spend.html'],
  ['html', '<p>', 'Save it as spend.html and open it.\n', undefined],
  ['html', '<title> </title>', '', undefined],
])('names a block of %j', (info, code, before, title) => {
  expect(read(info, code, before)?.title).toBe(title)
})

describe('versions', () => {
  const titled = (text: string) => fence('html', `<title>Spend</title>${text}`)

  it('are blocks of the same language and title, in the order of the chat', () => {
    const found = chat(
      answer('a1', titled('1'), fence('svg', '<svg><title>Spend</title></svg>')),
      makeUserMessage({ id: 'u' }),
      answer('a2', titled('2')),
    )
    expect(found.map(({ versions }) => versions.map(({ kind, messageId }) => [kind, messageId]))).toEqual([
      [
        ['html', 'a1'],
        ['html', 'a2'],
      ],
      [['svg', 'a1']],
    ])
  })

  it('of untitled blocks go by their order in their answers', () => {
    const found = chat(answer('a1', fence('html', 'x1'), fence('html', 'y1')), answer('a2', fence('html', 'x2')))
    expect(found.map(({ versions }) => versions.map(({ code }) => code))).toEqual([['x1', 'x2'], ['y1']])
  })

  it('are found by their place; one that is gone is not', () => {
    const found = chat(answer('a1', 'Text.', titled('1')), answer('a2', titled('2')))
    expect(artifactAt(found, { messageId: 'a2', part: 0, start: 0 })?.index).toBe(1)
    expect(artifactAt(found, { messageId: 'a1', part: 0, start: 7 })?.index).toBe(0)
    expect(artifactAt(found, { messageId: 'a3', part: 0, start: 0 })).toBeUndefined()
  })

  it('a block that the end of its answer cut off is whole', () => {
    const cut = makeAnswer({ id: 'a', state: 'stopped', parts: [{ kind: 'text', text: '```html\n<p>' }] })
    expect(chat(cut)[0]?.versions[0]?.closed).toBe(true)
    expect(chat({ ...cut, state: 'streaming' })[0]?.versions[0]?.closed).toBe(false)
  })
})

it.each([
  [{ kind: 'html', language: 'html', title: 'Spend by vendor' }, 'Spend by vendor.html'],
  [{ kind: 'html', language: 'html', title: 'spend.html' }, 'spend.html'],
  [{ kind: 'svg', language: 'svg', title: undefined }, 'artifact.svg'],
  [{ kind: 'csv', language: 'tsv', title: 'vendors.csv' }, 'vendors.tsv'],
  [{ kind: 'code', language: 'python', title: 'sum.py' }, 'sum.py'],
  [{ kind: 'code', language: 'typescript', title: undefined }, 'artifact.ts'],
  [{ kind: 'code', language: 'bash', title: 'run.sh' }, 'run.txt'],
  [{ kind: 'code', language: 'bat', title: '../../Startup/evil.bat' }, '-..-Startup-evil.txt'],
  [{ kind: 'html', language: 'html', title: 'a\u202elmth.exe' }, 'almth.html'],
] as const)('saves %j as %j', (block, name) => {
  expect(artifactFileName(block)).toBe(name)
})

it('completes a document, and keeps the lines of a drawing', () => {
  expect(artifactDocument({ kind: 'html', code: '<!-- x --><!DOCTYPE html><p>' })).toBe('<!-- x --><!DOCTYPE html><p>')
  expect(artifactDocument({ kind: 'html', code: '<p>' })).toBe('<!doctype html><p>')
  const drawn = artifactDocument({ kind: 'svg', code: '<?xml version="1.0"?>\n<!DOCTYPE svg [\n<!ENTITY x "y">\n]>\n<svg/>' })
  expect([drawn.split('\n').length, drawn.endsWith('<svg/>'), drawn.includes('ENTITY')]).toEqual([5, true, false])
})
