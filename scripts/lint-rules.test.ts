// What lint must refuse at error. All probes are linted in one run, in a folder laid out like ours. Imports between the parts of
// the house: `check-dependencies.test.ts`.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

const mintBreaches = ['main/servers', 'main/chat', 'main/requests', 'main/shell/electron', 'main/shell/web'] as const
const lines = (count: number): string => Array.from({ length: count }, (_, index) => `export const line${index} = ${index}\n`).join('')
/** `count`: lines of the function, with its first and last; lint counts those between (biome.json: 98). */
const functionOf = (count: number): string => `export function work(): void {\n${'  void 0\n'.repeat(count - 2)}}\n`

let folder: string
const probes = new Map<string, string>()
let errors: ReadonlyMap<string, readonly string[]>

function probe(inFolder: string, code: string): string {
  const file = `${inFolder}/probe-${probes.size}.ts`
  probes.set(file, code)
  return file
}

const cases = {
  mints: mintBreaches.map(
    (where) => [where, probe(where, "import { mint } from '#main/consent/approved.ts'\nexport const used = mint\n")] as const,
  ),
  floating: probe('main/base', 'async function later(): Promise<void> {}\nexport function go(): void {\n  later()\n}\n'),
  long: probe('main/base', lines(401)),
  justRight: probe('main/base', lines(400)),
  longFunction: probe('main/base', functionOf(101)),
  justRightFunction: probe('main/base', functionOf(100)),
}

/** Rules reported at error, by file. */
function lintAll(): Map<string, string[]> {
  const result = spawnSync(
    process.execPath,
    [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'lint', '--vcs-enabled=false', '--max-diagnostics=none', '--reporter=json', '.'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}` },
    },
  )
  const report = JSON.parse(result.stdout) as {
    diagnostics: { category: string; severity: string; location: { path: string | { file: string } } }[]
  }
  const found = new Map<string, string[]>()
  for (const { category, severity, location } of report.diagnostics) {
    if (severity !== 'error') continue
    const path = typeof location.path === 'string' ? location.path : location.path.file
    found.set(path, [...(found.get(path) ?? []), category.split('/').at(-1) ?? ''])
  }
  return found
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-walls-'))
  copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'))
  for (const [file, code] of probes) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), code)
  }
  errors = lintAll()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rules = (file: string): readonly string[] => errors.get(file) ?? []

describe('lint', () => {
  test.each(cases.mints)('%s may not make an approval', (_where, file) => expect(rules(file)).toContain('noRestrictedImports'))
  test('a floating promise is an error', () => expect(rules(cases.floating)).toContain('noFloatingPromises'))
  test('a file of more than 400 lines is an error, one of 400 is not', () => {
    expect(rules(cases.long)).toContain('noExcessiveLinesPerFile')
    expect(rules(cases.justRight)).not.toContain('noExcessiveLinesPerFile')
  })
  test('a function of more than 100 lines is an error, one of 100 is not', () => {
    expect(rules(cases.longFunction)).toContain('noExcessiveLinesPerFunction')
    expect(rules(cases.justRightFunction)).not.toContain('noExcessiveLinesPerFunction')
  })
})
