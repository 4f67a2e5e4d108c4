import { describe, expect, test } from 'vitest'
import type { Json } from '#app/json.ts'
import type { Session } from '#app/server/server-state.ts'
import { callsAsTask, madeTask, mayCancel, readTask } from './task.ts'

const core = { taskId: 't', status: 'working', createdAt: '', lastUpdatedAt: 'l', ttl: 60_000, pollInterval: 500 }
const extension = { taskId: 't', status: 'working', createdAt: '', lastUpdatedAt: 'l', ttlMs: 60_000, pollIntervalMs: 500 }

describe('a task', () => {
  test.each([
    ['the core', core],
    ['the extension', extension],
  ])('is read the same from %s', (_form, raw) => {
    expect(readTask(raw)).toEqual({
      taskId: 't',
      status: 'working',
      statusMessage: undefined,
      lastUpdatedAt: 'l',
      ttlMs: 60_000,
      pollMs: 500,
      raw,
    })
  })

  test.each<[string, Json | undefined, number]>([
    ['at once', 0, 100],
    ['never', 10 ** 9, 60_000],
    ['unsaid', undefined, 1000],
    ['in words', 'soon', 1000],
  ])('is asked for within bounds when the server says %s', (_title, pollInterval, pollMs) => {
    const { pollInterval: _, ...rest } = core
    expect(readTask(pollInterval === undefined ? rest : { ...rest, pollInterval })?.pollMs).toBe(pollMs)
  })

  test.each<[string, Json]>([
    ['a text', 'working'],
    ['no id', { ...core, taskId: '' }],
    ['an id that is a number', { ...core, taskId: 7 }],
    ['a state that is not known', { ...core, status: 'resting' }],
  ])('is none that is %s', (_title, raw) => {
    expect(readTask(raw)).toBeUndefined()
  })

  test('is not heard out when it says too much', () => {
    expect(readTask({ ...core, statusMessage: 'x'.repeat(1_000_000) })?.statusMessage).toHaveLength(2001)
  })

  test('without end has no end', () => {
    expect(readTask({ ...core, ttl: null })?.ttlMs).toBeUndefined()
  })

  test.each([
    ['core', { task: core }, true],
    ['core', { resultType: 'task', ...extension }, false],
    ['extension', { resultType: 'task', ...extension }, true],
    ['extension', { resultType: 'complete', ...extension }, false],
    ['extension', { task: core }, false],
  ] as const)('is made in the form %s: %j', (form, result, made) => {
    expect(madeTask(result, form) !== undefined).toBe(made)
  })
})

const session = (era: Session['era']): Session => ({ era, protocolVersion: '2025-11-25', foundBy: 'initialize' })
const declared = { tasks: { requests: { tools: { call: {} } } } }

test.each([
  ['required', 'legacy', declared, true],
  ['optional', 'legacy', declared, false],
  ['forbidden', 'legacy', declared, false],
  ['required', 'legacy', {}, false],
  ['required', 'legacy', { tasks: {} }, false],
  ['required', 'modern', declared, false],
] as const)(
  'a tool whose support is %s (%s) on a server that declares %j is called as a task: %s',
  (taskSupport, era, capabilities, expected) => {
    expect(callsAsTask(session(era), capabilities, { execution: { taskSupport } })).toBe(expected)
  },
)

test('a tool that may be a task is called as one where that is wanted', () => {
  const optional = { execution: { taskSupport: 'optional' } } as const
  const wanted = [session('legacy'), session('modern')].map((one) => callsAsTask(one, declared, optional, true))
  expect([...wanted, callsAsTask(session('legacy'), {}, optional, true)]).toEqual([true, false, false])
  expect(callsAsTask(session('legacy'), declared, { execution: { taskSupport: 'forbidden' } }, true)).toBe(false)
})

test('who did not declare that tasks can be cancelled is not asked to', () => {
  expect([mayCancel('core', declared), mayCancel('core', { tasks: { cancel: {} } }), mayCancel('extension', {})]).toEqual([
    false,
    true,
    true,
  ])
})
