import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findRoots } from './run-command-line.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-roots-'))
  mkdirSync(join(folder, 'one'))
  writeFileSync(join(folder, 'file'), '')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('finds folders from where it is called, each once', () => {
  expect(findRoots(['one', '.', './one/', folder], folder)).toEqual({ kind: 'folders', paths: [join(folder, 'one'), folder] })
})
it.each(['two', 'file', 'file/one'])('refuses %s, which is no folder', (path) => {
  expect(findRoots(['one', path], folder).kind).toBe('wrong')
})
