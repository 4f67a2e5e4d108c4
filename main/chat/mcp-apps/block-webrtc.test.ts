import { expect, it } from 'vitest'
import { unconnected } from './mcp-apps.ts'

/** What stands before and behind what was put in. */
const around = (html: string): string[] => {
  const [, before = '', after = ''] = /^([\s\S]*?)<script>\(\(\) => \{[\s\S]*?\}\)\(\)<\/script>([\s\S]*)$/.exec(unconnected(html)) ?? []
  return [before, after]
}

it.each([
  ['<!doctype html><p>a', '<!doctype html>', '<p>a'],
  ['\uFEFF\n <!DOCTYPE html>\n<p>a', '\uFEFF\n <!DOCTYPE html>', '\n<p>a'],
  ['<!-- by me --><!-- - -- -><x> --!><!doctype html><p>a', '<!-- by me --><!-- - -- -><x> --!><!doctype html>', '<p>a'],
  ['<p>a', '', '<p>a'],
  ['', '', ''],
])('comes before everything that runs in %j, and leaves its kind as it is', (html, before, after) => {
  expect(around(html)).toEqual([before, after])
})

it.each([
  '<script>mine</script><!doctype html>',
  '<!--><script>mine</script>--><!doctype html>',
  '<!---><script>mine</script>--><!doctype html>',
  '<!-- --!><script>mine</script>--><!doctype html>',
  '<!-- open <!doctype html>',
])('comes first where %j would run before the kind of document is told', (html) => {
  expect(around(html)).toEqual(['', html])
})

it('no shadow tree is written into the document', () => {
  expect(around('<p><template ShadowRootMode=closed><b>')).toEqual(['', '<p><template data-shadow=closed><b>'])
})

it('no frame is written with a document of its own, whatever case its words have', () => {
  expect(around('<template><IFRAME SrcDoc="<b>"></template>')).toEqual(['', '<template><IFRAME SrcD0c="<b>"></template>'])
})

it('a script that only speaks of such frames is left as it is', () => {
  const html = "<script>const known = { srcDoc: 'srcdoc' }</script>"
  expect(around(html)).toEqual(['', html])
})
