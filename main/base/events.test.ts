import { describe, expect, test } from 'vitest'
import { defaultSettings } from '#app/settings.ts'
import { createEventHub } from './events.ts'

const settings = { settings: defaultSettings }

describe('the stream of events', () => {
  test('gives each the next revision, to every listener until it leaves', () => {
    const hub = createEventHub(() => {})
    const heard: string[] = []
    const leave = hub.onEvent(({ name, revision }) => heard.push(`a ${name} ${revision}`))
    hub.onEvent(({ name, revision }) => heard.push(`b ${name} ${revision}`))
    hub.emit('config.changed', {})
    leave()
    hub.emit('settings.changed', settings)
    expect([heard, hub.revision]).toEqual([['a config.changed 1', 'b config.changed 1', 'b settings.changed 2'], 2])
  })

  test('keeps its order for everybody when a listener emits', () => {
    const hub = createEventHub(() => {})
    const heard: number[] = []
    hub.onEvent(({ name }) => {
      if (name === 'config.changed') hub.emit('settings.changed', settings)
    })
    hub.onEvent(({ revision }) => heard.push(revision))
    hub.emit('config.changed', {})
    expect(heard).toEqual([1, 2])
  })

  test('a listener that throws costs the others nothing', () => {
    const failures: unknown[] = []
    const hub = createEventHub((error) => failures.push(error))
    let heard = 0
    hub.onEvent(() => {
      throw new Error('mine alone')
    })
    hub.onEvent(() => {
      heard += 1
    })
    hub.emit('config.changed', {})
    hub.emit('config.changed', {})
    expect([heard, failures.length]).toEqual([2, 2])
  })
})
