// The documents that lead a newcomer: every relative link, anchor and path of ours that they name must exist.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commands } from '#main/shell/cli/command-line.ts'

const root = resolve(import.meta.dirname, '..')

const documents = [
  ...globSync('*.md', { cwd: root }),
  ...globSync(['docs/*.md', 'docs/{decisions,notes,guide}/*.md', '.github/**/*.md'], { cwd: root }),
].map((path) => path.replaceAll('\\', '/'))

/** Those whose backticked paths are held to the files as well. Records of the past may name what is gone. */
const namesPaths = documents.filter((path) => !/^docs\/(?:decisions\/0|notes\/)/.test(path))

const folders = /^(?:app|main|preload|renderer|resources|e2e|bench|scripts|docs|\.github|\.ci)(?:\/|$)/
/** Files that a command writes and Git does not keep. */
const generated: ReadonlySet<string> = new Set(readFileSync(join(root, '.gitignore'), 'utf8').split(/\r?\n/))
/** Not one path: a pattern, a placeholder, a command. */
const isPattern = (text: string): boolean => /[*<>{}…$ ]/.test(text)

const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '')

/** As GitHub makes them of headings. */
const anchorsIn = (path: string): readonly string[] =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/\]\([^)]*\)|[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** Targets of links and images, Markdown's and HTML's, that lie in this repository. */
function brokenLinks(document: string, text: string): readonly string[] {
  const plain = withoutCode(text)
  const targets = [
    ...[...plain.matchAll(/\]\(([^)\s]+)[^)]*\)/g)].map(([, target = '']) => target),
    ...[...plain.matchAll(/(?:src|srcset|href)="([^"]+)"/g)].map(([, target = '']) => target),
  ].filter((target) => !/^[a-z][a-z+.-]*:/i.test(target))
  return targets.filter((target) => {
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? document : posix.normalize(posix.join(dirname(document), decodeURIComponent(path)))
    if (file.startsWith('..') || !existsSync(join(root, file))) return true
    return anchor !== undefined && file.endsWith('.md') && !anchorsIn(file).includes(anchor)
  })
}

/** Paths of ours in backticks, in text and tables; a trailing `:12` is a line. */
const missingPaths = (text: string): readonly string[] =>
  [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)]
    .map(([, code = '']) => code.replace(/:\d+$/, ''))
    .filter((code) => folders.test(code) && !isPattern(code) && !generated.has(code) && !existsSync(join(root, code)))

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

describe('the documents', () => {
  test('are looked at', () =>
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'ARCHITECTURE.md', 'docs/decisions/README.md', 'docs/guide/README.md'])))
  test.each(documents)('%s links to what exists', (path) => expect(brokenLinks(path, read(path))).toEqual([]))
  test.each(namesPaths)('%s names paths that exist', (path) => expect(missingPaths(read(path))).toEqual([]))
})

describe('what is found', () => {
  test('a link to a file, an anchor and an image that are not there', () =>
    expect(
      brokenLinks(
        'docs/guide/x.md',
        '[a](gone.md) [b](../../README.md#nowhere) ![c](../gone.png) [d](../../../etc) [e](https://example.com) <img src="gone.svg">',
      ),
    ).toEqual(['gone.md', '../../README.md#nowhere', '../gone.png', '../../../etc', 'gone.svg']))
  test('a path that is not there, but no pattern and no file of the profile', () =>
    expect(missingPaths('`main/gone.ts` `main/host.ts:3` `app/**/*.ts` `servers.json` `app/i18n/languages/<tag>.json`')).toEqual([
      'main/gone.ts',
    ]))
})

describe('the one tool call of ARCHITECTURE.md', () => {
  const [, section = ''] = /^## One tool call.*?$([\s\S]*?)^## /m.exec(read('ARCHITECTURE.md')) ?? []
  const [path = '', rest = ''] = section.split('| For what |')
  const pathsIn = (text: string): readonly string[] =>
    [...text.matchAll(/`([^`\n]+\.tsx?)`/g)].map(([, code = '']) => code).filter((code) => folders.test(code))
  const inLine = pathsIn(path.replaceAll(/^(?!\d+\. ).*$/gm, ''))
  const beside = pathsIn(rest.split('\n\n')[0] ?? '')

  test('names each file once', () => {
    expect(new Set([...inLine, ...beside]).size).toBe(inLine.length + beside.length)
  })
  test('counts them', () => {
    expect(section).toContain(`That is **${inLine.length} files** in a line. Functions of **${beside.length} more** run on the way`)
    expect(section).toContain(`${inLine.length + beside.length} in all`)
  })
})

describe('the page of the command line', () => {
  const page = read('docs/guide/command-line.md')

  test('names every command, and no other', () => {
    const named = [...page.matchAll(/^assent (\w+)/gm)].map(([, name]) => name)
    expect(new Set(named)).toEqual(new Set(Object.keys(commands)))
  })
  test('names every option', () => {
    const options = new Set(Object.values(commands).flatMap((command): readonly string[] => command.options))
    const isNamed = (option: string): boolean => page.includes(`--${option}`) || (option === 'prompt' && page.includes('-p TEXT'))
    expect([...options].filter((option) => option !== 'help' && !isNamed(option))).toEqual([])
  })
})

describe('the decisions', () => {
  const index = read('docs/decisions/README.md')
  const decisions = documents.filter((path) => /^docs\/decisions\/\d/.test(path))

  test.each(decisions)('%s has its number, a date and a status, and its row in the index', (path) => {
    const file = path.slice('docs/decisions/'.length)
    const number = file.slice(0, 4)
    expect(read(path)).toMatch(
      new RegExp(
        `^# ${number}\\. .+\\n\\nDate: \\d{4}-\\d\\d-\\d\\d(?:, last changed \\d{4}-\\d\\d-\\d\\d)?\\. Status: (?:accepted|superseded)`,
      ),
    )
    expect(index).toContain(`| ${Number(number)} | [`)
    expect(index).toContain(`](${file}) |`)
  })
  test('are all numbered once', () => {
    const numbers = [...index.matchAll(/^\| (\d+) \|/gm)].map(([, number]) => number)
    expect(new Set(numbers).size).toBe(numbers.length)
  })
})
