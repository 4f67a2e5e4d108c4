// As some servers of early SDKs: anything before `initialize` ends it. The argument names a file that counts its starts.
import { appendFileSync } from 'node:fs'
import { legacy, tool } from './lines.ts'

appendFileSync(process.argv[2] ?? '/dev/null', 'started\n')
legacy([tool('noop')], { 'server/discover': () => process.exit(1) })
