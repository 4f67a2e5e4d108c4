// A change of form that does not change the meaning does not change what is read: all public snippets as they stand on a rendered page,
// in HTML, and two on one page. A server that is lost then is lost with a word, but for the few that are counted here.
import { describe, expect, it } from 'vitest'
import { readSnippet } from '#app/server/import/read-snippet.ts'
import { publicSnippets } from './public-snippets.testing.ts'

const snippets = [...publicSnippets('corpus'), ...publicSnippets('held-out')].filter(({ text }) => !/^[ \t>]*(?:```|~~~)/m.test(text))

interface Reading {
  readonly servers: readonly string[]
  readonly said: number
}

const readings = new Map<string, Reading>()

function read(text: string): Reading {
  const before = readings.get(text)
  if (before) return before
  const { servers, problems } = readSnippet(text)
  const reading = {
    servers: servers.map(({ name, definition }) => JSON.stringify([name, definition])),
    said: servers.reduce((sum, server) => sum + server.problems.length, problems.length),
  }
  readings.set(text, reading)
  return reading
}
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const forms: readonly [name: string, form: (text: string) => string, others: number][] = [
  ['between sentences', (text) => `Add this to your settings:\n\n${text}\n\nThen restart the application.`, 10],
  ['below the label of a button', (text) => `Copy\n${text}`, 7],
  ['in HTML', (text) => `<p>Add:</p>\n<pre><code class="language-json">${escaped(text)}\n</code></pre>`, 2],
  ['indented with no-break spaces', (text) => text.replace(/^ +/gm, (indent) => '\u00A0'.repeat(indent.length)), 1],
  ['with line ends of Windows', (text) => text.replaceAll('\n', '\r\n'), 0],
]

describe('the form of a page', () => {
  it.each(forms)('does not change what is read: %s', (_name, form, others) => {
    const changed = snippets.filter(({ text }) => read(text).servers.join() !== read(form(text)).servers.join())
    expect(changed.length).toBeLessThanOrEqual(others)
    const silent = changed.filter(({ text }) => read(form(text)).said === 0)
    expect(silent.length).toBeLessThanOrEqual(1)
  })

  it('does not lose one of two servers', () => {
    const single = snippets.filter(({ text }) => text.length < 1500 && read(text).servers.length === 1)
    const pairs = single.flatMap((one, index) => {
      const other = single[(index * 37 + 11) % single.length]
      const texts = [one.text, other?.text ?? '']
      const wanted = texts.flatMap((text) => read(text).servers)
      const names = wanted.map((server) => String((JSON.parse(server) as unknown[])[0]).toLowerCase())
      return names[0] === names[1] ? [] : [{ texts, wanted }]
    })
    const lost = pairs.filter(({ texts, wanted }) => {
      const { servers, said } = read(`The first server:\n\n${texts[0]}\n\nThe second one, in another way:\n\n${texts[1]}\n`)
      const before = texts.reduce((sum, text) => sum + read(text).said, 0)
      return said <= before && wanted.some((server) => !servers.includes(server))
    })
    expect(lost.length / pairs.length).toBeLessThanOrEqual(0.06)
  })
})
