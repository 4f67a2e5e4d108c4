import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEnvironment, type Environment, type EnvironmentOptions, expandHome, resolveCommand } from './environment.ts'

let home = ''
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'assent-home-')))
})
afterEach(() => rmSync(home, { recursive: true }))

function write(path: string, text = '#!/bin/sh\n', mode = 0o755): string {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}

/** An application that was started from a menu: no terminal, a bare PATH, and the given program for a login shell. */
const fromMenu = (shell: string, options: EnvironmentOptions = {}): Environment =>
  createEnvironment({ env: { PATH: '/usr/bin:/bin', SHELL: shell, HOME: home }, home, isTerminal: false, ...options })

/** Does what a shell does with `-ilc`, after the given start-up file. */
const shell = (startUp: string): string => write('bin/shell', `#!/bin/sh\n${startUp}\n[ "$1" = -ilc ] && eval "$2"\n`)

describe('the search path', () => {
  it('is what the login shell says, whatever its start-up files print, the question included', async () => {
    const noisy = shell('echo "Welcome back"; echo "$2"; PATH=/from/rc:$PATH; export PATH')
    const { path, source, folders, shell: report } = await fromMenu(noisy).searchPath()
    expect(path).toMatch(/^\/from\/rc:\/usr\/bin:\/bin(?::|$)/)
    expect(folders.slice(0, 2)).toEqual([
      { folder: '/from/rc', source: 'login-shell' },
      { folder: '/usr/bin', source: 'login-shell', manager: 'the system' },
    ])
    expect([source, report]).toEqual(['login-shell', { shell: noisy, outcome: 'answered', attempts: 1, tookMs: expect.any(Number) }])
  })

  it('is asked for once, and not before it is needed', async () => {
    const environment = fromMenu(shell(`echo asked >> "${home}/asked"`))
    const ask = (): Promise<unknown> => environment.prepare({ command: 'cat', args: [], env: {} })
    await expect(createEnvironment({ env: { PATH: '' }, home, isTerminal: true }).searchPath()).resolves.toBeDefined()
    await Promise.all([ask(), ask(), environment.searchPath()])
    expect(readFileSync(join(home, 'asked'), 'utf8')).toBe('asked\n')
  })

  it('is asked for again on request, and then counts for each further start', async () => {
    const file = join(home, 'changed')
    const environment = fromMenu(shell(`. "${file}"; echo asked >> "${home}/asked-again"`))
    writeFileSync(file, 'PATH=/one:$PATH; export TOKEN=first')
    expect(await environment.variables()).toMatchObject({ TOKEN: 'first' })
    writeFileSync(file, 'PATH=/two:$PATH; export TOKEN=second')
    expect(await environment.variables()).toMatchObject({ TOKEN: 'first' })
    await Promise.all([environment.readAgain(), environment.readAgain()])
    const { path } = await environment.prepare({ command: 'cat', args: [], env: {} })
    expect([path.split(':')[0], (await environment.variables())['TOKEN']]).toEqual(['/two', 'second'])
    expect(readFileSync(join(home, 'asked-again'), 'utf8')).toBe('asked\nasked\n')
  })

  it('stays as it was when the shell does not answer the second time', async () => {
    const file = join(home, 'changed')
    const environment = fromMenu(shell(`. "${file}"`), { shellTimeoutMs: [20_000, 20_000] })
    writeFileSync(file, 'export TOKEN=first')
    await environment.searchPath()
    writeFileSync(file, 'exit 1')
    await expect(environment.readAgain()).rejects.toMatchObject({ code: 'environment.no-answer', data: { outcome: 'no-answer' } })
    expect(await environment.variables()).toMatchObject({ TOKEN: 'first' })
  })

  it('is the shell’s before the terminal’s once it is asked for again', async () => {
    const environment = createEnvironment({ env: { PATH: '/mine:/usr/bin', SHELL: shell('PATH=/other:/usr/bin') }, home, isTerminal: true })
    expect((await environment.searchPath()).path).toBe('/mine:/usr/bin')
    const { path, source } = await environment.readAgain()
    expect([source, path.split(':').slice(0, 3)]).toEqual(['login-shell', ['/other', '/usr/bin', '/mine']])
  })

  it('does not wait for a job that a start-up file leaves behind', async () => {
    expect(await fromMenu(shell('sleep 600 &'), { shellTimeoutMs: [20_000, 20_000] }).searchPath()).toMatchObject({ source: 'login-shell' })
  })

  it.each([
    ['fails', 'exit 1'],
    ['hangs', 'sleep 600'],
    ['says nothing that is a path', 'PATH=nonsense'],
    ['never stops talking', 'yes'],
  ])('falls back to what is usual when the shell %s', async (_, startUp) => {
    mkdirSync(join(home, '.cargo/bin'), { recursive: true })
    mkdirSync(join(home, '.nvm/versions/node/v9.1.0/bin'), { recursive: true })
    mkdirSync(join(home, '.nvm/versions/node/v24.1.0/bin'), { recursive: true })
    const { path, source } = await fromMenu(shell(startUp), { shellTimeoutMs: [300, 300] }).searchPath()
    expect(source).toBe('fallback')
    expect(path.split(':').slice(0, 2)).toEqual(['/usr/bin', '/bin'])
    expect(
      path
        .split(':')
        .filter((folder) => folder.startsWith(home))
        .sort(),
    ).toEqual(['.cargo/bin', '.nvm/versions/node/v24.1.0/bin', 'bin'].map((folder) => join(home, folder)))
  })

  it('falls back when there is no such shell', async () => {
    expect(await fromMenu('/nowhere/zsh').searchPath()).toMatchObject({ source: 'fallback' })
  })

  it('is ours when we were started from a terminal', async () => {
    const forbidden = shell(`echo asked >> "${home}/asked"; PATH=/other`)
    const environment = createEnvironment({ env: { PATH: '/mine', SHELL: forbidden, SHLVL: '1', TERM: 'xterm' }, home })
    const folders = [{ folder: '/mine', source: 'terminal' }]
    expect(await environment.searchPath()).toEqual({ path: '/mine', source: 'terminal', folders })
  })

  it('ends with the usual places, which are named', async () => {
    mkdirSync(join(home, '.volta/bin'), { recursive: true })
    const { folders } = await fromMenu(shell('')).searchPath()
    expect(folders.find(({ folder }) => folder.endsWith('.volta/bin'))).toEqual({
      folder: join(home, '.volta/bin'),
      source: 'usual-place',
      manager: 'Volta',
    })
    expect(new Set(folders.map(({ folder }) => folder)).size).toBe(folders.length)
  })
})

describe('the variables', () => {
  it('are the login shell’s over ours; of them a server gets the harmless ones', async () => {
    const own = shell('export GITHUB_TOKEN=ghp_x NODE_EXTRA_CA_CERTS=/etc/ca.pem LANG=C.UTF-8 DEBUG=1')
    const environment = fromMenu(own)
    expect(await environment.variables()).toMatchObject({ GITHUB_TOKEN: 'ghp_x', HOME: home, LANG: 'C.UTF-8' })
    const { env } = await environment.prepare({ command: 'cat', args: [], env: {} })
    expect(env).toEqual({
      HOME: home,
      SHELL: own,
      NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
      LANG: 'C.UTF-8',
      PATH: expect.any(String),
      SHLVL: '1',
    })
  })

  it('are ours when the shell says nothing', async () => {
    expect(await fromMenu('/nowhere/zsh').variables()).toEqual({ PATH: '/usr/bin:/bin', SHELL: '/nowhere/zsh', HOME: home })
  })
})

describe('a prepared launch', () => {
  const terminal = (path: string): Environment =>
    createEnvironment({ env: { PATH: path, HOME: home, SECRET: 'x' }, home, isTerminal: true })

  it('does not make a server that is a line for bash read the start-up file of bash', async () => {
    write('.bashrc', 'echo Welcome back')
    const launch = await fromMenu('/bin/sh').prepare({ command: 'bash', args: ['-c', 'echo hello'], env: {} })
    // With pipes, as servers have them: Node's are sockets.
    const child = spawn(launch.command, launch.args, { env: launch.env })
    expect(await text(child.stdout)).toBe('hello\n')
  })

  it('has the whole path of the command, the folder and the environment', async () => {
    const file = write('tools/serve')
    expect(await terminal(`/usr/bin:${join(home, 'tools')}`).prepare({ command: 'serve', args: ['~/a'], env: { A: '1' } })).toEqual({
      command: file,
      args: ['~/a'],
      env: { HOME: home, PATH: `/usr/bin:${join(home, 'tools')}`, A: '1', SHLVL: '1' },
      cwd: home,
      path: `/usr/bin:${join(home, 'tools')}`,
      pathSource: 'terminal',
      foundIn: { folder: join(home, 'tools'), source: 'terminal' },
    })
  })

  it('looks in the PATH of the definition when it has one', async () => {
    const file = write('own/serve')
    const definition = { command: 'serve', args: [], env: { PATH: join(home, 'own') } }
    expect(await terminal('/usr/bin').prepare(definition)).toMatchObject({ command: file, pathSource: 'config' })
  })

  it('expands ~ in the command and the folder', async () => {
    const file = write('servers/run.sh')
    const prepared = terminal('/usr/bin').prepare({ command: '~/servers/run.sh', args: [], env: {}, cwd: '~/servers' })
    expect(await prepared).toMatchObject({ command: file, cwd: join(home, 'servers') })
    expect([expandHome('~', '/h'), expandHome('~ada/x', '/h'), expandHome('a~/x', '/h')]).toEqual(['/h', '~ada/x', 'a~/x'])
  })

  it('takes a relative command from the folder of the server', async () => {
    const file = write('servers/run.sh')
    const prepared = terminal('/usr/bin').prepare({ command: './run.sh', args: [], env: {}, cwd: join(home, 'servers') })
    expect(await prepared).toMatchObject({ command: file })
  })

  it('is refused for a folder that is not there', async () => {
    const prepared = terminal('/usr/bin').prepare({ command: 'cat', args: [], env: {}, cwd: '~/no' })
    await expect(prepared).rejects.toMatchObject({ code: 'server.cwd-not-found', data: { cwd: join(home, 'no') } })
  })

  it('says where it looked for a command in vain, and what is close to it', async () => {
    write('tools/npx')
    const path = `${join(home, 'tools')}:${join(home, 'not-there')}`
    const prepared = terminal(path).prepare({ command: 'npxx', args: [], env: {} })
    await expect(prepared).rejects.toMatchObject({
      code: 'server.command-not-found',
      data: { command: 'npxx', path, pathSource: 'terminal', didYouMean: 'npx' },
    })
  })
})

describe('resolveCommand', () => {
  const lookup = (path: string, platform: NodeJS.Platform = 'linux') => ({ path, pathSource: 'terminal', cwd: home, home, platform })

  it('passes over folders, files that may not run, and parts of the path that are relative', () => {
    mkdirSync(join(home, 'a/serve'), { recursive: true })
    write('b/serve', '', 0o644)
    write('serve')
    const file = write('c/serve')
    expect(resolveCommand('serve', lookup(`:.:${['a', 'b', 'c'].map((name) => join(home, name)).join(':')}`))).toBe(file)
  })

  it('says that a script of Windows is there, though it is no program', () => {
    // A whole path of Windows is one name to this system.
    const [before, script] = [process.cwd(), 'C:\\srv\\run.ps1']
    writeFileSync(join(home, script), '')
    process.chdir(home)
    try {
      expect(() => resolveCommand(script, { ...lookup('', 'win32'), cwd: 'C:\\srv' })).toThrow(
        expect.objectContaining({ data: expect.objectContaining({ there: 'file', file: script }) }),
      )
    } finally {
      process.chdir(before)
    }
  })

  it('finds nothing in an empty path', () => {
    expect(() => resolveCommand('sh', lookup(''))).toThrow(expect.objectContaining({ code: 'server.command-not-found' }))
  })
})
