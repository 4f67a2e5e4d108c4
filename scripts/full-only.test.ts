// Tests that run in `npm run test:full` alone, or not on Windows: each is there, and so is what covers its parts.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { fullOnly } from '../e2e/full-only.ts'
import { leftOutHere, posixOnly } from '../e2e/posix-only.ts'

const root = resolve(import.meta.dirname, '..')
const whole = new Set(fullOnly.filter(({ titles }) => !titles).map(({ file }) => file))

it.each(fullOnly)('$file: names tests that exist, and others that npm test runs of the same parts', ({ file, titles, covered }) => {
  const source = readFileSync(join(root, file), 'utf8')
  for (const title of titles ?? []) expect(source).toContain(title)
  expect(covered.length).toBeGreaterThan(0)
  for (const other of covered) {
    expect(existsSync(join(root, other)), other).toBe(true)
    expect(whole.has(other), other).toBe(false)
  }
})

it.each(posixOnly)('$file: stands on POSIX, and other tests of the same parts run on Windows', ({ file, windows }) => {
  expect(existsSync(join(root, file))).toBe(true)
  const here = leftOutHere('win32')
  expect(
    windows.map((other) => [other, existsSync(join(root, other)), here.some((left) => other.startsWith(left.replace('**', '')))]),
  ).toEqual(windows.map((other) => [other, true, false]))
  expect(windows.length).toBeGreaterThan(0)
})
