import { writeSync } from 'node:fs'

writeSync(2, 'cannot find the ledger\n')
process.exit(3)
