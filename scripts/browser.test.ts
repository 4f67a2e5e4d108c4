import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { browserArgs, offByPlaywright } from './browser.ts'

it('keeps off what Playwright turns off, since Chromium reads the last --disable-features alone', () => {
  const source = readFileSync(resolve(import.meta.dirname, '../node_modules/playwright-core/lib/coreBundle.js'), 'utf8')
  const list = /disabledFeatures = \[([^\]]+)\]/.exec(source)?.[1] ?? ''
  expect(offByPlaywright).toEqual([...list.matchAll(/^\s+"(\w+)"/gm)].map(([, name]) => name))
  expect(browserArgs.filter((arg) => arg.startsWith('--disable-features='))).toHaveLength(1)
})
