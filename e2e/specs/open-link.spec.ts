// The one-time link on its way to the browser. An argument list is read by every account of the machine: syncthing/syncthing#3357
// (a token in `/proc/*/cmdline` is used by another before the browser), dundee/gdu#659 (seen with xdg-open and Firefox). So the
// opener is given a private file, as Jupyter gives it `jpserver-*-open.html`, and here a real browser opens that file.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { browserArgs, findBrowser } from '../../scripts/browser.ts'
import { expect, test } from '../fixtures/app.ts'
import { composer } from '../fixtures/steps.ts'

test.skip(() => process.env['ASSENT_SHELL'] === 'electron', 'the web shell alone has such a link')

const cli = resolve(import.meta.dirname, '../../dist/main/cli.js')
let folder: string
let served: ChildProcess | undefined

/** Stands for the system's opener: writes down what it was given, as any account could have read it. */
const opener = (log: string): string => `#!/bin/sh\nfor argument in "$0" "$@"; do printf '%s\\n' "$argument"; done >> '${log}'\n`

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-link-'))
})
test.afterEach(async () => {
  if (served && served.exitCode === null) {
    served.kill('SIGKILL')
    await once(served, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

async function serve(): Promise<{ readonly origin: string; readonly argv: () => readonly string[]; readonly child: ChildProcess }> {
  const [bin, log] = [join(folder, 'bin'), join(folder, 'argv')]
  mkdirSync(bin)
  writeFileSync(join(bin, 'xdg-open'), opener(log))
  chmodSync(join(bin, 'xdg-open'), 0o755)
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', '--data-dir', join(folder, 'data')], {
    env: { PATH: `${bin}:/usr/bin:/bin`, HOME: folder, DISPLAY: ':0', ASSENT_NO_KEYRING: '1', ASSENT_LOCAL_MODEL_PORTS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  served = child
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const argv = (): string[] => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [])
  await expect.poll(() => argv().length).toBe(2)
  return { origin: new URL((JSON.parse(line) as { url: string }).url).origin, argv, child }
}

test('the opener is given a private file, whose page opens the app once; then the file is gone', async () => {
  const { origin, argv } = await serve()
  const given = argv()[1] ?? ''
  expect(given).not.toContain('token')
  const file = fileURLToPath(given)
  const html = readFileSync(file, 'utf8')
  expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700])
  const token = /token=([A-Za-z0-9_-]{43})/.exec(html)?.[1] ?? 'none'
  expect(argv().join()).not.toContain(token)

  const browser = await chromium.launch({ executablePath: findBrowser().executablePath, args: [...browserArgs] })
  try {
    const page = await (await browser.newContext()).newPage()
    await page.goto(given)
    await expect(composer(page)).toBeVisible()
    expect(page.url()).toMatch(new RegExp(`^${origin}/`))
    await expect.poll(() => existsSync(dirname(file))).toBe(false)
    // Spent: whoever comes with it now is refused, and nothing leads back to it.
    expect((await fetch(`${origin}/?token=${token}`)).status).toBe(401)
    await page.goBack().catch(() => undefined)
    expect(page.url()).not.toContain(token)
  } finally {
    await browser.close()
  }
})

test('a file that no browser used goes with the process that made it', async () => {
  const { argv, child } = await serve()
  const file = fileURLToPath(argv()[1] ?? '')
  expect(existsSync(file)).toBe(true)
  child.kill('SIGTERM')
  await once(child, 'exit')
  expect(existsSync(dirname(file))).toBe(false)
})
