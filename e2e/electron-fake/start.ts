// Runs the Electron shell over the fake in a Node process of its own: `node e2e/electron-fake/start.ts DATA-DIR DIST`. What is
// written to its standard input is done: `reject` and `throw` fail where nobody catches it.
import { registerHooks } from 'node:module'
import { createInterface } from 'node:readline'

const fake = new URL('./electron.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) => (specifier === 'electron' ? { url: fake, shortCircuit: true } : next(specifier, context)),
})
const { app } = await import('./electron.ts')
const { runShell } = await import('#main/shell/electron/shell.ts')

const [dataDir = '', dist = ''] = process.argv.slice(2)
app.exit = (code) => process.exit(code)
app.ready.resolve()
await runShell({
  dist,
  icon: undefined,
  os: process.platform,
  args: ['--data-dir', dataDir],
  places: { dataDir },
  folder: dataDir,
  env: { PATH: process.env['PATH'], ASSENT_NO_KEYRING: '1' },
  stderr: process.stderr,
  process,
  onShown: () => undefined,
})
process.stdout.write('up\n')
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'reject') void Promise.reject(new Error('rejected in vain'))
  if (line === 'throw')
    setTimeout(() => {
      throw new Error('thrown in vain')
    })
  // The answer comes after what was asked for has had its turn.
  setTimeout(() => process.stdout.write(`${line}\n`), 50)
})
