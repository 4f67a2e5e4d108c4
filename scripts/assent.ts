// `npm run -s assent -- COMMAND …`: the command line from a checkout, on a fresh build.
import { resolve } from 'node:path'
import { buildIfNeeded } from './build-if-needed.ts'
import { fileModule } from './module-address.ts'

await buildIfNeeded()
await import(fileModule(resolve(import.meta.dirname, '../dist/main/cli.js')))
