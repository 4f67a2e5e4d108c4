// An old server that answers one ping and then nothing any more. With the argument `never` it answers no ping at all, and
// everything else.
import { answer, type Incoming, legacy, tool } from './lines.ts'

let pinged = false

legacy([], {
  'tools/list'(message) {
    if (!pinged) answer(message, { tools: [tool('noop')] })
  },
  ping(message: Incoming) {
    if (process.argv[2] === 'never') return
    if (!pinged) answer(message, {})
    pinged = true
  },
})
