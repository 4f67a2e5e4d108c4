import { expect, it } from 'vitest'
import type { DoctorStep } from '#app/server/doctor.ts'
import { notReached, stepLabel } from './start-trace.tsx'

const step = (name: string, ok = true): DoctorStep => ({ name, ms: 1, ok, detail: '' })

it('names the host’s own steps as a sentence would, and leaves the protocol’s names alone', () => {
  expect([stepLabel('server/discover'), stepLabel('initialize')]).toEqual(['server/discover', 'initialize'])
  expect(stepLabel('find command')).not.toBe('find command')
})

it.each([
  ['a command that was not found', [step('values'), step('find command', false)], true, true],
  ['a process that did not start', [step('find command'), step('start process', false)], true, false],
  ['a server that refused', [step('start process'), step('initialize', false)], true, false],
  ['an address whose secret is missing', [step('values', false)], false, true],
  ['an address that was asked', [step('values'), step('server/discover', false)], false, false],
  ['a start that went well', [step('values')], false, false],
  ['none at all', [], true, false],
] as const)('says what was not reached, of %s', (_title, steps, local, expected) => {
  expect(notReached({ steps: [...steps] }, local) !== undefined).toBe(expected)
})
