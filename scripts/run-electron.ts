// Electron as a child of `npm start`, until its window is closed. Where it cannot run (no usable sandbox, run as root, a
// library that is missing, no display that answers) it ends before it has shown a window: then the reason is returned.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

interface ElectronEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** A window was there, or a box that said why there is none. */
  readonly shown: boolean
  /** Somebody told it to end. */
  readonly asked: boolean
  /** The last of what it wrote. */
  readonly stderr: string
}

type Ran = { readonly kind: 'ran'; readonly code: number } | { readonly kind: 'cannot'; readonly why: string }

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const tailLength = 20_000

export async function runElectron(binary: string, args: readonly string[]): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'assent-start-'))
  const shownFile = join(folder, 'shown')
  // A group of its own: Ctrl-C reaches a whole group, and a second SIGINT would end Electron without its disposal.
  const child = spawn(binary, args, {
    stdio: ['inherit', 'inherit', 'pipe'],
    detached: process.platform !== 'win32',
    env: { ...process.env, ASSENT_SHOWN_FILE: shownFile },
  })
  let asked = false
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk)
    stderr = `${stderr}${chunk}`.slice(-tailLength)
  })
  const passOn = (signal: NodeJS.Signals): void => {
    asked = true
    child.kill(signal)
  }
  for (const signal of signals) process.on(signal, passOn)
  try {
    const closed = once(child, 'close').catch(() => undefined)
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    // Its last words; a process of Chromium's that stays behind may hold the pipe.
    await Promise.race([closed, pause(500)])
    return judgeEnd({ code, signal, shown: existsSync(shownFile), asked, stderr })
  } catch (error) {
    return { kind: 'cannot', why: `Electron does not start here (${error instanceof Error ? error.message : String(error)})` }
  } finally {
    for (const signal of signals) process.off(signal, passOn)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Ending early with 0 is handing over to the instance that runs already. */
function judgeEnd({ code, signal, shown, asked, stderr }: ElectronEnd): Ran {
  if (shown || asked || code === 0) return { kind: 'ran', code: code ?? 128 + (signal ? constants.signals[signal] : 0) }
  const library = /error while loading shared libraries: ([^\s:]{1,100})/.exec(stderr)?.[1]
  if (library !== undefined) return { kind: 'cannot', why: `the system lacks ${library}, which Electron needs` }
  const fatal = /FATAL:[^\]]*\] ?(.*)/.exec(stderr)?.[1] ?? ''
  if (fatal.startsWith('Running as root')) return { kind: 'cannot', why: 'Electron does not run as root' }
  if (/sandbox/i.test(fatal)) return { kind: 'cannot', why: 'Chromium has no usable sandbox here' }
  return { kind: 'cannot', why: `Electron ${signal ? `was ended by ${signal}` : `ended with code ${code}`} before it had a window` }
}
