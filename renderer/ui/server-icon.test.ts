import { expect, it } from 'vitest'
import { ownIcon } from './server-icon.tsx'

const png = 'data:image/png;base64,iVBORw0KGgo='

it.each([
  ['nothing', undefined, undefined],
  ['an address', [{ src: 'https://example.com/icon.png' }], undefined],
  ['a script', [{ src: 'javascript:alert(1)' }], undefined],
  ['a document', [{ src: 'data:image/svg+xml;base64,PHN2Zz4=' }], undefined],
  ['a page', [{ src: 'data:text/html,<b>' }], undefined],
  ['a picture with an address behind it', [{ src: `${png}, https://example.com/icon.png` }], undefined],
  ['a picture that is too large', [{ src: `data:image/png;base64,${'A'.repeat(32_000)}` }], undefined],
  ['a picture among addresses', [{ src: 'https://example.com/icon.png' }, { src: png }], png],
  ['one for any theme', [{ src: 'data:image/png;base64,AAAA', theme: 'dark' }, { src: png }], png],
  ['one for one theme, where that is all', [{ src: png, theme: 'dark' }], png],
])('draws of %s only a picture that came whole', (_, icons, drawn) => {
  expect(ownIcon(icons)).toBe(drawn)
})
