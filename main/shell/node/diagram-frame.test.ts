import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createDiagramFrame, diagramDocument } from './page-content.ts'

const scriptIn = (html: string): string => /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? ''

describe('the document that draws diagrams', () => {
  test('holds its script whole, whatever stands in it, and allows that one by its hash', () => {
    const { bytes, policy } = diagramDocument('const a = "</script>x", b = /<!--/,\r\n c = `</SCRIPT`')
    const script = scriptIn(bytes.toString())
    expect(script).toBe('const a = "\\x3c/script>x", b = /\\x3c!--/,\n c = `\\x3c/SCRIPT`')
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  })

  test('may make no request, run no other script and has an origin of its own', () => {
    const directives = new Map(
      diagramDocument('')
        .policy.split('; ')
        .map((one) => {
          const [name = '', ...values] = one.split(' ')
          return [name, values.join(' ')]
        }),
    )
    expect([directives.get('default-src'), directives.get('sandbox'), directives.get('frame-ancestors')]).toEqual([
      "'none'",
      'allow-scripts',
      "'self'",
    ])
    expect([...directives.keys()].filter((name) => name.endsWith('-src'))).toEqual(['default-src', 'script-src', 'style-src'])
    expect(directives.get('script-src')).toMatch(/^'sha256-[^' ]+'$/)
  })

  test('is not there where it was not built', () => {
    expect(createDiagramFrame('/nowhere/frame.js')()).toBeUndefined()
  })
})
