// Real shells where they are on every machine (bash, sh), with start-up files as people have them; others by small
// programs that do with `-ilc` what those do.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '#main/base/eventually.testing.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { isProcessRunning } from '#main/servers/transport/stdio/stdio.testing.ts'
import { askLoginShell, type LoginShellOptions } from './search-path.ts'

let home = ''
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'assent-shell-')))
})
afterEach(() => rmSync(home, { recursive: true }))

const ask = (shell: string, more: Partial<LoginShellOptions> = {}) =>
  askLoginShell({
    shell,
    env: { HOME: home, PATH: '/usr/bin:/bin', ENV: join(home, '.shinit') },
    home,
    timeoutMs: [20_000, 20_000],
    clock: manualClock(),
    ...more,
  })
const startUp = (name: string, text: string): void => writeFileSync(join(home, name), text)
const program = (text: string): string => {
  const file = join(home, 'shell')
  writeFileSync(file, `#!/bin/sh\n${text}\n`)
  chmodSync(file, 0o755)
  return file
}

const shells = [
  ['bash', '/bin/bash', '.bashrc'],
  ['dash', '/bin/dash', '.shinit'],
  ['sh', '/bin/sh', '.shinit'],
] as const

describe.each(shells.filter(([, shell]) => existsSync(shell)))('%s', (name, shell, file) => {
  /** bash reads `.bash_profile` when it is a login shell, and that reads `.bashrc`, as everybody's does. */
  const rc = (text: string): void => {
    if (name === 'bash') startUp('.bash_profile', '. "$HOME/.bashrc"\n')
    startUp(file, text)
  }

  it('tells its PATH and what it exports, not what it keeps to itself', async () => {
    rc('PATH=/from/rc:$PATH\nexport FROM_RC="two\nlines"\nKEPT=1\n')
    const answer = await ask(shell)
    expect(answer).toMatchObject({ outcome: 'answered', attempts: 1, variables: { FROM_RC: 'two\nlines' } })
    expect(answer.variables?.['PATH']).toMatch(/^\/from\/rc:\//)
    expect(answer.variables).not.toHaveProperty('KEPT')
    expect(answer.variables).not.toHaveProperty('ASSENT_RESOLVING_ENVIRONMENT')
  })

  it('is heard through what its start-up files print', async () => {
    rc('echo "Welcome back"; printf "\\033]0;title\\007\\033[2J\\377\\376"; echo oops >&2; export A=1\n')
    expect(await ask(shell)).toMatchObject({ outcome: 'answered', variables: { A: '1' } })
  })

  it('gets no answer to what its start-up files ask, and goes on', async () => {
    rc('printf "Unlock? "; read -r word; export WORD="[$word]"\n')
    expect(await ask(shell)).toMatchObject({ outcome: 'answered', variables: { WORD: '[]' } })
  })

  it('is not waited for by what it left behind', async () => {
    rc('sleep 600 &\nexport A=1\n')
    expect(await ask(shell)).toMatchObject({ outcome: 'answered', variables: { A: '1' } })
  })

  it.each([
    ['exits', 'exit 3'],
    ['becomes another program', 'exec cat'],
    ['becomes another shell', 'exec /bin/sh'],
  ])('whose interactive start-up %s is asked again without being interactive', async (_, takesOver) => {
    rc(`export A=1\ncase $- in *i*) ${takesOver};; esac\n`)
    const answer = await ask(shell)
    expect(answer).toMatchObject({ outcome: 'answered', attempts: 2 })
    if (name === 'bash') expect(answer.variables).toHaveProperty('A', '1')
  })

  it('that always exits gives no answer', async () => {
    rc('exit 0\n')
    startUp('.profile', 'exit 0\n')
    expect(await ask(shell)).toMatchObject({ outcome: 'no-answer', attempts: 2, variables: undefined })
  })
})

describe('the time limit', () => {
  const hangs = async (text: string) => {
    const clock = manualClock()
    const started = clock.now()
    const answer = ask(program(text), { clock, timeoutMs: [7000, 3000] })
    await eventually(() => expect(clock.pending).toBe(1))
    clock.advance(7000)
    await eventually(() => expect([clock.now() - started, clock.pending]).toEqual([7000, 1]))
    clock.advance(3000)
    return [await answer, clock.pending] as const
  }

  it('ends a shell that hangs, and the second attempt', async () => {
    const [answer, pending] = await hangs('exec sleep 600')
    expect([answer, pending]).toEqual([
      { shell: join(home, 'shell'), outcome: 'too-slow', variables: undefined, attempts: 2, tookMs: 10_000 },
      0,
    ])
  })

  it('lets what the shell was at take its lock away', async () => {
    const clock = manualClock()
    const lock = join(home, 'lock')
    startUp('rehash', `trap 'rm -f "${lock}"' EXIT\n: > "${lock}"\nsleep 600 &\nwait\n`)
    const answer = ask(program(`[ "$1" = -lc ] || bash "${home}/rehash"`), { clock })
    await eventually(() => expect(existsSync(lock)).toBe(true))
    clock.advance(20_000)
    expect(await answer).toMatchObject({ outcome: 'no-answer', attempts: 2 })
    await eventually(() => expect(existsSync(lock)).toBe(false))
  })

  it('is not left behind by a host that quits while it is asked', async () => {
    const hung = program('echo $$ > "$HOME/pid"\nexec sleep 600')
    const module = JSON.stringify(join(import.meta.dirname, 'search-path.ts'))
    const clock = JSON.stringify(join(import.meta.dirname, '../../../base/clock.ts'))
    const options = JSON.stringify({ shell: hung, env: { HOME: home, PATH: '/usr/bin:/bin' }, home, timeoutMs: [60_000, 60_000] })
    const host = `const [{ askLoginShell }, { systemClock }, { existsSync }] = await Promise.all([import(${module}), import(${clock}), import('node:fs')])
      void askLoginShell({ ...${options}, clock: systemClock })
      setInterval(() => { if (existsSync(${JSON.stringify(join(home, 'pid'))})) process.exit(0) }, 10)`
    expect(spawnSync(process.execPath, ['--input-type=module', '-e', host], { encoding: 'utf8' })).toMatchObject({ status: 0 })
    await eventually(() => expect(isProcessRunning(Number(readFileSync(join(home, 'pid'), 'utf8')))).toBe(false))
  })

  it('does not count for one that hangs after it has answered', async () => {
    const clock = manualClock()
    expect(await ask(program('eval "$2"; exec sleep 600'), { clock })).toMatchObject({ outcome: 'answered', tookMs: 0 })
    expect(clock.pending).toBe(0)
  })
})

describe('another shell', () => {
  it.each([
    [
      'zsh, with a prompt that draws',
      'printf "\\033[1m%%\\033[0m \\r"; PATH=/zsh:$PATH; eval "$2"; printf "\\033[?2004l"',
      '/zsh:/usr/bin:/bin',
    ],
    ['fish, whose list it exports joined', 'PATH=/fish:/usr/bin:/bin; export PATH; eval "$2"', '/fish:/usr/bin:/bin'],
    ['nushell, which echoes the question', 'echo "> $2"; eval "$2"; echo "exit: 0"', '/usr/bin:/bin'],
  ])('%s', async (_, text, path) => {
    expect(await ask(program(`[ "$1" = -ilc ] || exit 9\nexport PATH\n${text}`))).toMatchObject({ variables: { PATH: path } })
  })

  it('that is not there was not started, and is not asked twice', async () => {
    expect(await ask('/nowhere/zsh')).toMatchObject({ outcome: 'not-started', attempts: 1 })
    expect(await ask('a\0b')).toMatchObject({ outcome: 'not-started', attempts: 1 })
  })

  it('that never stops talking is ended', async () => {
    expect(await ask(program('exec yes'))).toMatchObject({ outcome: 'no-answer' })
  })

  it('that lets nobody in gives no answer', async () => {
    expect(await ask(program('echo "This account is currently not available."; exit 1'))).toMatchObject({
      outcome: 'no-answer',
      attempts: 2,
    })
  })
})
