// A tame old server that notes each `server/discover` in the file of its argument.
import { appendFileSync } from 'node:fs'
import { legacy, refuse, tool } from './lines.ts'

legacy([tool('noop')], {
  'server/discover'(message) {
    appendFileSync(process.argv[2] ?? '/dev/null', 'probed\n')
    refuse(message, -32601, 'Method not found')
  },
})
