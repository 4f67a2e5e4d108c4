import { expect, test } from 'vitest'
import { readWebUrl } from '#app/text/host-name.ts'

test.each([
  ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
  ['http://localhost:3000', 'http://localhost:3000/'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://example.com/a\n\tb', 'https://example.com/ab'],
  ['https://example.com/@user', 'https://example.com/@user'],
  ['https://example.com/?to=a@b', 'https://example.com/?to=a@b'],
  ['https://example.com/\u202efdp', 'https://example.com/%E2%80%AEfdp'],
])('%j is opened as %s', (text, url) => {
  expect(readWebUrl(text)).toEqual({ ok: true, url })
})

test.each([
  ['javascript:alert(1)', 'scheme'],
  ['JaVaScRiPt:alert(1)', 'scheme'],
  [' java\nscript:alert(1)', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['data:text/html,x', 'scheme'],
  ['vscode://open?x', 'scheme'],
  ['ms-settings:', 'scheme'],
  ['blob:https://example.com/x', 'scheme'],
  ['ftp://example.com', 'scheme'],
  ['https://bank.example@evil.test/', 'credentials'],
  ['https://:pw@evil.test/', 'credentials'],
  ['https:\\\\@evil.test', 'credentials'],
  ['example.com', 'not-an-address'],
  ['//example.com', 'not-an-address'],
  ['https://', 'not-an-address'],
  ['', 'not-an-address'],
  [`https://example.com/${'x'.repeat(9000)}`, 'not-an-address'],
])('%j is refused: %s', (text, reason) => {
  expect(readWebUrl(text)).toEqual({ ok: false, reason })
})
