// Says 5,000 times that its tools have changed, and counts how often they are then fetched.
import { answer, legacy, send, text, tool } from './lines.ts'

let fetched = 0
legacy(
  [],
  {
    'tools/list'(message) {
      fetched += 1
      answer(message, { tools: [tool('fetched', { description: `fetched ${fetched}` }), tool('storm')] })
    },
    'tools/call'(message) {
      if (message.params?.name === 'storm') for (let i = 0; i < 5000; i += 1) send({ method: 'notifications/tools/list_changed' })
      answer(message, text(String(fetched)))
    },
  },
  { tools: { listChanged: true } },
)
