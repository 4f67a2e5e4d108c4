import { expect, it } from 'vitest'
import { whereFound } from './recorder.ts'

const launch = { command: '/b/npx', args: [], env: {}, cwd: '/', pathSource: 'terminal' as const }

it('a folder that the PATH names twice counts once, as on the page', () => {
  expect(whereFound({ ...launch, path: '/a:/a::/b:/c' }, false)).toContain('folder 2 of 3 ')
  expect(whereFound({ ...launch, command: '/elsewhere/npx', path: '/a' }, false)).toBe('/elsewhere/npx')
})
