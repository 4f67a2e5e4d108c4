// `npm start` over a program in Electron's place that ends as Electron was seen to end. Recorded: "FATAL:setuid_sandbox_host"
// and SIGTRAP on Ubuntu 23.10 and newer (electron/electron issues 42510 and 42343), the same as root ("Running as root
// without --no-sandbox", crbug.com/638180), exit 127 without a library (danielmiessler/LifeOS issue 708). A second SIGINT ends
// Electron at once, without its disposal: "We had one shot at graceful shutdown" (its electron_browser_main_parts_posix.cc).
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildIfNeeded } from './build-if-needed.ts'

const start = resolve(import.meta.dirname, 'start.ts')
let folder: string
let child: ChildProcess | undefined
beforeAll(() => buildIfNeeded(), 120_000)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-start-'))
  mkdirSync(join(folder, 'bin'))
  program(join(folder, 'bin', 'xdg-open'), '#!/bin/sh')
})
afterEach(async () => {
  if (child && child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

function program(file: string, text: string): void {
  writeFileSync(file, `${text}\n`)
  chmodSync(file, 0o755)
}

const directly = (words: readonly string[]): readonly string[] => words
const onTerminal = (words: readonly string[]): readonly string[] =>
  process.platform === 'darwin' ? ['script', '-q', '/dev/null', ...words] : ['script', '-qec', words.join(' '), '/dev/null']

/** `electron`: the body of the program in its place. */
function run(
  electron: string,
  through = directly,
  more: Record<string, string> = {},
): { readonly said: () => string; readonly process: ChildProcess } {
  program(join(folder, 'electron'), electron)
  const [command = '', ...args] = through([process.execPath, start, '--data-dir', join(folder, 'profile')])
  const { DISPLAY: _, WAYLAND_DISPLAY: __, CI: ___, ...env } = process.env
  const started = spawn(command, args, {
    env: {
      ...env,
      PATH: `${join(folder, 'bin')}:${env['PATH']}`,
      DISPLAY: ':99',
      ELECTRON_OVERRIDE_DIST_PATH: folder,
      ASSENT_NO_KEYRING: '1',
      ASSENT_LOCAL_MODEL_PORTS: '',
      OUT: join(folder, 'out'),
      ...more,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child = started
  let said = ''
  for (const stream of [started.stdout, started.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  return { said: () => said, process: started }
}
const out = (): string => (existsSync(join(folder, 'out')) ? readFileSync(join(folder, 'out'), 'utf8') : '')

const sandbox =
  '[13329:0614/163124.425381:FATAL:setuid_sandbox_host.cc(158)] The SUID sandbox helper binary was found, but is not configured correctly. Rather than run without sandboxing I am aborting now.'
const asRoot =
  '[61:0614/163124.425381:FATAL:electron_main_delegate.cc(288)] Running as root without --no-sandbox is not supported. See https://crbug.com/638180.'
const library = 'electron: error while loading shared libraries: libnss3.so: cannot open shared object file: No such file or directory'

describe('an Electron that ends before its window is there', () => {
  test.each([
    ['by SIGTRAP, for want of a sandbox', `echo "${sandbox}" >&2; kill -TRAP $$`, 'sandbox'],
    ['by SIGTRAP, as root', `echo "${asRoot}" >&2; kill -TRAP $$`, 'as root'],
    ['with 133, as a shell tells a SIGTRAP', 'exit 133', 'ended with code 133'],
    ['by SIGSEGV, without a word', 'kill -SEGV $$', 'SIGSEGV'],
    ['with 127, for want of a library', `echo "${library}" >&2; exit 127`, 'libnss3.so'],
    ['with 1, without a display', 'echo "Missing X server or \\$DISPLAY" >&2; exit 1', 'ended with code 1'],
  ])('%s: the page opens in the browser, and one line says why', async (_, body, why) => {
    const { said } = run(`#!/bin/sh\n${body}`)
    await expect.poll(said).toMatch(/"url":\s*"http:/)
    const [line = '', ...others] = said().match(/^In the browser, since .*$/gm) ?? []
    expect([line.includes(why), others]).toEqual([true, []])
  })
})

const graceful = (signal: string) => `#!${process.execPath}
const { appendFileSync, writeFileSync } = require('node:fs')
// As Electron: the first one is heard, the next one ends it.
let asked = 0
process.on('${signal}', () => {
  appendFileSync(process.env.OUT, 'asked ')
  if (++asked > 1) process.exit(1)
  setTimeout(() => { appendFileSync(process.env.OUT, 'disposed'); process.exit(0) }, 400)
})
if (process.env.ASSENT_SHOWN_FILE) writeFileSync(process.env.ASSENT_SHOWN_FILE, '')
appendFileSync(process.env.OUT, 'up ')
setInterval(() => undefined, 1000)`

describe('an Electron that has shown its window', () => {
  test('and crashes then does not come back as a page', async () => {
    const { said, process: started } = run('#!/bin/sh\n[ -z "$ASSENT_SHOWN_FILE" ] || : > "$ASSENT_SHOWN_FILE"\nkill -SEGV $$')
    expect([await once(started, 'exit'), said().includes('In the browser')]).toEqual([[139, null], false])
  })

  test('is told once to end, by a signal to the command', async () => {
    const { said, process: started } = run(graceful('SIGTERM'))
    await expect.poll(out).toBe('up ')
    started.kill('SIGTERM')
    expect([await once(started, 'exit'), out(), said().includes('In the browser')]).toEqual([[0, null], 'up asked disposed', false])
  })

  test('is told once to end, by Ctrl-C on a terminal', async () => {
    // Two signals at the very same time are one: what is passed on comes a little later than what the terminal sends.
    const late = `import { ChildProcess } from 'node:child_process'
      const { kill } = ChildProcess.prototype
      ChildProcess.prototype.kill = function (signal) { setTimeout(() => kill.call(this, signal), 100); return true }`
    const { process: started } = run(graceful('SIGINT'), onTerminal, {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(late)}`,
    })
    await expect.poll(out).toBe('up ')
    started.stdin?.write('\x03')
    await once(started, 'exit')
    expect(out()).toBe('up asked disposed')
  })
})

test('an Electron that ends at once with 0 has handed over to the one that runs', async () => {
  const { said, process: started } = run('#!/bin/sh\nexit 0')
  expect([await once(started, 'exit'), said().includes('In the browser')]).toEqual([[0, null], false])
})
