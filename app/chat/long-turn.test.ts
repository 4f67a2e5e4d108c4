import { expect, it } from 'vitest'
import type { ConversationActivity } from './conversation.ts'
import { createTurnWatch } from './system-notification.ts'

const working = (turnId = 't'): ConversationActivity => ({ kind: 'working', turnId, since: 0 })
const waiting: ConversationActivity = { kind: 'waiting', turnId: 't', requests: 1 }
const idle: ConversationActivity = { kind: 'idle' }
const failed: ConversationActivity = { kind: 'failed', turnId: 't', error: { code: 'model.offline', message: '' } }
const paused = (reason: 'step-limit' | 'unread'): ConversationActivity => ({ kind: 'paused', turnId: 't', reason })

it.each<[string, (readonly [at: number, activity: ConversationActivity])[], object | undefined]>([
  [
    'a long one that is answered',
    [
      [0, working()],
      [60_000, idle],
    ],
    { how: 'answered', ms: 60_000 },
  ],
  [
    'a short one',
    [
      [0, working()],
      [19_999, idle],
    ],
    undefined,
  ],
  [
    'one that fails',
    [
      [0, working()],
      [30_000, failed],
    ],
    { how: 'failed', ms: 30_000 },
  ],
  [
    'one that comes to a limit',
    [
      [0, working()],
      [30_000, paused('step-limit')],
    ],
    { how: 'paused', ms: 30_000 },
  ],
  [
    'one that the person stopped',
    [
      [0, working()],
      [30_000, paused('unread')],
    ],
    undefined,
  ],
  [
    'one that a restart cut off',
    [
      [0, working()],
      [30_000, { kind: 'interrupted', turnId: 't' }],
    ],
    undefined,
  ],
  [
    'one that was answered a moment ago',
    [
      [0, working()],
      [5000, waiting],
      [90_000, working()],
      [95_000, idle],
    ],
    undefined,
  ],
  [
    'one that went on for long after an answer',
    [
      [0, working()],
      [5000, waiting],
      [90_000, working()],
      [120_000, idle],
    ],
    { ms: 30_000 },
  ],
  [
    'one that ends with the answer',
    [
      [0, working()],
      [5000, waiting],
      [90_000, idle],
    ],
    undefined,
  ],
  ['one that is seen at its end only', [[30_000, idle]], undefined],
  [
    'one that was over already',
    [
      [0, working()],
      [30_000, idle],
      [31_000, idle],
    ],
    undefined,
  ],
])('calls for %s: %j', (_title, steps, expected) => {
  let now = 0
  const watch = createTurnWatch(() => now)
  let last: unknown
  for (const [at, activity] of steps) {
    now = at
    last = watch.see({ id: 'c1', activity })
  }
  expect(last).toEqual(expected && expect.objectContaining({ conversationId: 'c1', turnId: 't', ...expected }))
})
