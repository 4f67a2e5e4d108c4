// A host that is to be killed: `host.ts DATA-DIR` starts every server of its profile, and says when it begins and when all
// of them are ready.
import { flushCompileCache } from 'node:module'
import { openHost } from './open-host.ts'
import { shapes } from './shapes.ts'

const [, , dataDir = ''] = process.argv
const { host } = openHost({ dataDir, sandboxed: true })
process.stdout.write('starting\n')
await Promise.all(shapes.map((shape) => host.context.servers.start(shape)))
process.stdout.write('ready\n')
flushCompileCache() // It is killed before it could do so at its end.
