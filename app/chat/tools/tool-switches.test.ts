import { expect, test } from 'vitest'
import { defaultToolShare, isServerOff, isToolOff, type ToolSwitches, toolBudget, withSwitch } from './tool-switches.ts'

const set = (steps: readonly (readonly [string, string | undefined, boolean])[]): ToolSwitches | undefined =>
  steps.reduce<ToolSwitches | undefined>((before, [server, tool, on]) => withSwitch(before, { server, tool }, on), undefined)

test('a tool is off by itself or with its server', () => {
  const off = set([
    ['files', 'write', false],
    ['mail', undefined, false],
  ])
  expect([isToolOff(off, 'files', 'write'), isToolOff(off, 'files', 'read'), isToolOff(off, 'mail', 'send')]).toEqual([true, false, true])
  expect([isServerOff(off, 'files'), isServerOff(off, 'mail')]).toEqual([false, true])
})

test('a server that is switched on again has its tools as they were', () => {
  const off = set([
    ['files', 'write', false],
    ['files', undefined, false],
    ['files', undefined, true],
  ])
  expect(off).toEqual({ servers: [], tools: { files: ['write'] } })
})

test('nothing is kept when nothing is off', () => {
  expect(
    set([
      ['files', 'write', false],
      ['mail', undefined, false],
      ['mail', undefined, true],
      ['files', 'write', true],
    ]),
  ).toBeUndefined()
})

test.each(['constructor', '__proto__', 'toString'])('a server may be called %s', (server) => {
  const off = set([[server, 'a', false]])
  expect([isToolOff(off, server, 'a'), isToolOff(off, server, 'b'), isToolOff({ servers: [], tools: {} }, server, 'a')]).toEqual([
    true,
    false,
    false,
  ])
})

test('the budget is a share of the context, with a bottom, and of a usual one where it is not known', () => {
  expect([10, 25].map((share) => toolBudget(share, 200_000))).toEqual([20_000, 50_000])
  expect(toolBudget(1, 4096)).toBe(1000)
  expect(toolBudget(defaultToolShare, undefined)).toBe(10_000)
})
