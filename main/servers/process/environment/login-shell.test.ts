import { describe, expect, it } from 'vitest'
import { askedWith, question, readAnswer, shellFlags } from './search-path.ts'

const markers = { start: 'START', between: 'MID', end: 'END' }
const said = (path: string, variables: Readonly<Record<string, string>> = {}): string =>
  `START${path}MID${Object.entries(variables)
    .map(([name, value]) => `${name}MID${value}MID\n`)
    .join('')}END`

describe('the answer of a login shell', () => {
  it('is its PATH and what it exports, whatever stands around it', () => {
    const output = `Welcome!\n\u001b[2J\0${said('/from/rc:/bin', { LANG: 'de_DE.UTF-8', MULTI: 'a\nb=c\nd', EMPTY: '' })}bye`
    expect(readAnswer(output, markers)).toEqual({ PATH: '/from/rc:/bin', LANG: 'de_DE.UTF-8', MULTI: 'a\nb=c\nd', EMPTY: '' })
  })

  it('is not the question, which a shell may repeat', () => {
    expect(readAnswer(question(markers), markers)).toBeUndefined()
    expect(readAnswer(`${question(markers)}\n${said('/usr/bin', { A: '1' })}`, markers)).toEqual({ PATH: '/usr/bin', A: '1' })
  })

  it.each([
    ['is cut off', 'START/bin:/usr/binMIDA'],
    ['has no path', said('nonsense')],
    ['has an empty path', said('')],
    ['is not there', 'command not found'],
  ])('counts for nothing when it %s', (_, output) => {
    expect(readAnswer(output, markers)).toBeUndefined()
  })

  it('leaves out functions, names that are none, what is too long, and what the shell set for itself', () => {
    const variables = { 'BASH_FUNC_x%%': '() { :; }', BAD: '() { :; }', HUGE: 'x'.repeat(200_000), SHLVL: '1', PWD: '/', _: '/bin/sh' }
    const own = Object.fromEntries(Object.keys(askedWith({})).map((name) => [name, '1']))
    expect(readAnswer(said('/bin', { ...variables, ...own, OK: 'yes' }), markers)).toEqual({ PATH: '/bin', OK: 'yes' })
  })

  it('may come without variables, from where there is no awk', () => {
    expect(readAnswer(said('/bin'), markers)).toEqual({ PATH: '/bin' })
  })
})

it.each([
  ['/bin/zsh', ['-ilc'], ['-lc']],
  ['/usr/local/bin/fish', ['-ilc'], ['-lc']],
  ['/bin/tcsh', ['-ic'], ['-c']],
  ['/bin/csh', ['-ic'], ['-c']],
  // “Batches of short flags can't take arguments” (microsoft/vscode issue 167335, nushell/nushell issue 10374).
  ['/opt/homebrew/bin/nu', ['-i', '-l', '-c'], ['-l', '-c']],
  ['/usr/bin/pwsh', ['-Login', '-Command'], ['-Login', '-NonInteractive', '-Command']],
])('%s is told %j, then %j', (shell, first, second) => {
  expect([shellFlags(shell, true), shellFlags(shell, false)]).toEqual([first, second])
})
