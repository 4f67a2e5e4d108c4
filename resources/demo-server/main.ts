// The demo server over stdio.
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { failToStart, readOptions } from './options.ts'
import { createDemoServer } from './server.ts'

readOptions(process.env).then((options) => {
  serveStdio(({ era }) => createDemoServer(options, era), { onerror: (error) => process.stderr.write(`assent-demo: ${error.message}\n`) })
}, failToStart)
