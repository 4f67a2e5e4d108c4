import { expect, test } from 'vitest'
import type { ShellCommand } from '#app/contract/channels.ts'
import type { PreloadBridge } from '#app/contract/host-connection.ts'
import { followShellCommands } from '#renderer/navigation/shortcuts.ts'
import { createViewStore } from '#renderer/stores/view-state.ts'

test.each([
  ['#/settings', '#/settings'],
  ['#/chat/c%201%2F2', '#/chat/c%201%2F2'],
  ['javascript:alert(1)', '#/chat'],
])('%s leads to %s', (to, hash) => {
  const command: ShellCommand = { kind: 'go', hash: to }
  const listeners = new Set<(command: ShellCommand) => void>()
  const bridge: PreloadBridge = {
    request: () => Promise.resolve({ result: undefined }),
    onEvent: () => () => undefined,
    onCommand(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const stop = followShellCommands(bridge, createViewStore())
  for (const listener of listeners) listener(command)
  stop()
  expect([window.location.hash, listeners.size]).toEqual([hash, 0])
})

test('without a bridge there is nothing to follow', () => {
  expect(followShellCommands(undefined, createViewStore())()).toBeUndefined()
})
