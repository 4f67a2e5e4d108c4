import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { countHouse, isProductionFile, opensBare } from './count-house.ts'

function withFiles<T>(files: Readonly<Record<string, string>>, use: (root: string) => T): T {
  const root = mkdtempSync(join(tmpdir(), 'assent-count-'))
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), text)
    }
    return use(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

const long = `export function long() {\n${'  void 0\n'.repeat(120)}}\n`

it('counts files, lines, importers, folders, names, long functions, shared exports and docstrings', () => {
  const counts = withFiles(
    {
      'app/a.ts': "import { b } from './b.ts'\n/** Of a kind. */\nexport const name = b\n",
      'app/b.ts': '/** Returns one. */\nexport const b = 1\nexport interface Place {}\n',
      'app/deep/c.ts': 'export interface Place {} /** Opens it; rejects when it is not there. */ /** Opens it. @throws {Error} */\n',
      'app/a.test.ts': long,
      'main/long.ts': `import { name } from '../app/a.ts'\nvoid name\n${long}`,
      'renderer/page.css': 'p {\n}\n',
      ...Object.fromEntries(Array.from({ length: 26 }, (_, at) => [`main/many/f${at}.ts`, ''])),
      ...Object.fromEntries(['x', 'y', 'z', 'w'].map((folder) => [`main/${folder}/types.ts`, ''])),
      'renderer/testing/link.ts': long,
    },
    countHouse,
  )
  expect(counts).toMatchObject({
    productionFiles: 34,
    lines: 131,
    styleSheets: { files: 1, lines: 2 },
    medianLines: 0,
    percentile90Lines: 1,
    filesOver300Lines: 0,
    filesOver400Lines: [],
    singleImporterFiles: 2,
    singleImporterFilesInSameFolder: 1,
    foldersOver25Files: [['main/many', 26]],
    basenamesOver3: [['types.ts', 4]],
    functionsOver100Lines: [{ file: 'main/long.ts', name: 'long', lines: 122 }],
    exportedNamesInTwoModules: [['Place', 2]],
    docstrings: 4,
    docstringsOnPrepositionOrPronoun: 1,
    docstringsThrowingInProse: 1,
  })
})

it.each([
  ['app/json.ts', true],
  ['renderer/ui/styles/all.css', true],
  ['app/json.test.ts', false],
  ['main/chat/turn.testing.ts', false],
  ['main/shell/electron/navigation.test-corpus.ts', false],
  ['renderer/testing/harness.tsx', false],
  ['main/store/testing-writer.ts', false],
  ['scripts/count-house.ts', false],
])('takes %s for production code: %s', (file, isProduction) => {
  expect(isProductionFile(file)).toBe(isProduction)
})

it.each([
  ['Of a row of a table.', true],
  ['It names no schema.', true],
  ['What each file says.', true],
  ['Returns one.', false],
  ['`countMs`: how long it may count.', false],
  ['Within', true],
])('takes the opening of “%s” for a bare one: %s', (docstring, isBare) => {
  expect(opensBare(docstring)).toBe(isBare)
})

// It parses the whole of the house in one go: on a busy machine the processor is elsewhere for minutes.
it('the house stays within its sizes', { timeout: 300_000 }, () => {
  const house = countHouse(resolve(import.meta.dirname, '..'))
  expect(house).toMatchObject({
    filesOver400Lines: [],
    foldersOver25Files: [],
    basenamesOver3: [],
    functionsOver100Lines: [],
    exportedNamesInTwoModules: [],
    docstringsOnPrepositionOrPronoun: 0,
    docstringsThrowingInProse: 0,
  })
  expect(house.productionFiles).toBeLessThanOrEqual(950)
})
