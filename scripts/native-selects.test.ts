// Native selects stand in one component, which styles them: a `<select>` anywhere else would be drawn by the system.
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const uses = (text: string): number => text.match(/<select\b|createElement\(\s*['"]select['"]/g)?.length ?? 0
const page = globSync('renderer/**/*.{ts,tsx}').map((file) => [file, readFileSync(file, 'utf8')] as const)

it('a select is drawn by the component for it alone, inside of the box that styles it', () => {
  expect(page.flatMap(([file, text]) => (uses(text) > 0 && !file.includes('.test.') ? [[file, uses(text)]] : []))).toEqual([
    ['renderer/ui/field.tsx', 1],
  ])
  const field = page.find(([file]) => file === 'renderer/ui/field.tsx')?.[1] ?? ''
  expect(field.replace(/\s+/g, ' ')).toMatch(/<span className=\{?[^>]*select[^>]*> ?<select /)
  expect(readFileSync('renderer/ui/styles/elements.css', 'utf8')).toMatch(/\.select > select\.input \{[^}]*appearance: (none|base-select)/)
})

it.each([
  ['<select name="a">', 1],
  ["createElement('select')", 1],
  ['<Select value={a} />', 0],
])('finds %s', (text, count) => expect(uses(text)).toBe(count))
