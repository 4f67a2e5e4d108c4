import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { createCliOutput } from './output.ts'

it('JSON holds nothing that a terminal obeys, and is the same value', () => {
  const out = new PassThrough()
  const value = { text: 'a\u001b[2J\u009b2J\u007f\u202egpj.exe\u200b\u2028\u{e0041}\u{1f600}é', 'key\u009b': 1 }
  createCliOutput(true, out).value(value)
  const line = String(out.read())
  expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  expect([JSON.parse(line), line.includes('\u{1f600}é')]).toEqual([value, true])
})
