import { expect, it } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { createRecorder, whereFound } from './start-recorder.ts'

const launch = { command: '/b/npx', args: [], env: {}, cwd: '/', pathSource: 'terminal' as const }

it('a folder that the PATH names twice counts once, as on the page', () => {
  expect(whereFound({ ...launch, path: '/a:/a::/b:/c' }, false)).toContain('folder 2 of 3 ')
  expect(whereFound({ ...launch, command: '/elsewhere/npx', path: '/a' }, false)).toBe('/elsewhere/npx')
})

// The usage text of @sentry/mcp-server 0.36.0 alone has 54 lines; what is missing stands before it.
it('of a long stderr the head is kept, and the tail', () => {
  const recorder = createRecorder(manualClock())
  recorder.begin('x')
  for (let line = 1; line <= 200; line += 1) recorder.wrote('stderr', `line ${line}`)
  const { stderr } = recorder.trace()
  expect([stderr.length, stderr[0], stderr[19], stderr[20], stderr[21], stderr.at(-1)]).toEqual([
    60,
    'line 1',
    'line 20',
    '…',
    'line 162',
    'line 200',
  ])
})
