// The demo server inside Electron's utility process, where there is no stdin: the same server over the parent's port.
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { failToStart, readOptions } from './options.ts'
import { portTransport } from './port-transport.ts'
import { createDemoServer } from './server.ts'

const transport = portTransport(process.parentPort)

readOptions(process.env).then((options) => {
  serveStdio(({ era }) => createDemoServer(options, era), {
    transport,
    onerror: (error) => process.stderr.write(`assent-demo: ${error.message}\n`),
  })
}, failToStart)
