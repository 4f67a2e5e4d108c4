import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sbom, thirdParties } from './third-party.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assent-third-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Returns the id of a module of a package, in a folder that says how it is read, as many packages have one. */
function install(name: string, about: object, licence?: string): string {
  const folder = join(root, 'node_modules', name)
  mkdirSync(join(folder, 'dist'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.2.3', ...about }))
  writeFileSync(join(folder, 'dist', 'package.json'), '{"type":"module"}')
  if (licence !== undefined) writeFileSync(join(folder, 'LICENSE.md'), licence)
  return join(folder, 'dist', 'index.js')
}

describe('packages of others', () => {
  test('are those of the bundled modules, each once, with the texts of their licences', () => {
    const a = install('@scope/a', { license: 'MIT' }, 'MIT License\n\nCopyright A')
    const b = install('b', { license: '(MPL-2.0 OR Apache-2.0)' })
    install('never-bundled', { license: 'MIT' })
    expect(thirdParties([`${b}?commonjs-proxy`, a, `\0${a}`, join(root, 'main/ours.ts'), '\0rolldown/runtime.js'])).toEqual([
      { name: '@scope/a', version: '1.2.3', license: 'MIT', texts: ['MIT License\n\nCopyright A'] },
      { name: 'b', version: '1.2.3', license: '(MPL-2.0 OR Apache-2.0)', texts: [] },
    ])
  })

  test('whose licence only its text tells are taken by it', () => {
    expect(thirdParties([install('c', {}, 'The MIT License\n')])[0]?.license).toBe('MIT')
  })

  test.each([
    ['EPL-2.0 OR GPL-3.0-or-later', /its licence is EPL-2.0 OR GPL-3.0-or-later/],
    ['MPL-2.0', /its licence is MPL-2.0/],
    [undefined, /its licence is not told/],
  ])('with the licence %s stop the build', (license, said) => {
    expect(() => thirdParties([install('d', license === undefined ? {} : { license })])).toThrow(said)
  })
})

test('the bill of materials names each by its purl, and Electron first', () => {
  const parties = thirdParties([install('@scope/a', { license: 'MIT' })])
  const runtime = { name: 'electron', version: '45.0.0', license: 'MIT', texts: [] }
  expect(sbom(parties, { version: '0.1.0', runtime })).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { type: 'application', name: 'assent', version: '0.1.0' } },
    components: [{ purl: 'pkg:npm/electron@45.0.0' }, { purl: 'pkg:npm/%40scope/a@1.2.3', licenses: [{ license: { id: 'MIT' } }] }],
  })
})
