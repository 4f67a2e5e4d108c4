// A whole host behind its web shell, as a person runs it, but for the page's files: `web-host.ts DATA-DIR` prints one line of
// JSON, `{"url"}` with a one-time token, or `{"error"}` when the profile does not open.
import { flushCompileCache } from 'node:module'
import { toErrorValue } from '#app/errors.ts'
import { silentLog } from '#main/base/host-log.ts'
import { startWebShell } from '#main/shell/web/web-shell.ts'
import { openHost } from './open-host.ts'

const [, , dataDir = ''] = process.argv
const say = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`)
try {
  const { host } = openHost({ dataDir, env: process.env })
  const shell = await startWebShell({
    host: async () => host,
    assets: { files: new Map(), html: '', digests: {} },
    diagramFrame: () => undefined,
    port: 0,
    log: silentLog,
  })
  say({ url: shell.newLink() })
  flushCompileCache() // It is killed before it could do so at its end.
} catch (error) {
  say({ error: toErrorValue(error) })
}
