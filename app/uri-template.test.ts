import { expect, test } from 'vitest'
import { expandTemplate, templateVariables } from './uri-template.ts'

test.each([
  ['invoice://{number}', { number: '04/17' }, 'invoice://04%2F17'],
  ['file:///{+path}', { path: 'a b/c' }, 'file:///a%20b/c'],
  ['r://x{/a,b}', { a: '1', b: '2' }, 'r://x/1/2'],
  ['r://x{?q,page}', { q: 'a&b' }, 'r://x?q=a%26b'],
  ['r://x{?q}{&page}', { page: '2' }, 'r://x&page=2'],
  ['r://{name:3}', { name: 'letters' }, 'r://let'],
  ['r://{list*}{#end}', { list: 'a', end: 'z!' }, 'r://a#z!'],
])('%s', (template, values, uri) => {
  expect(expandTemplate(template, values)).toBe(uri)
})

test('names its variables once, in their order', () => {
  expect(templateVariables('r://{b}/{a*}{?b,c:4}')).toEqual(['b', 'a', 'c'])
})
