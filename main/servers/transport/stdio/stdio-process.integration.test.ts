import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { eventually } from '#main/base/eventually.testing.ts'
import { isProcessRunning, launch, launchProgram, pidsIn, program, quickGrace } from './stdio.testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'assent-stdio-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the end of a server', () => {
  it('is noticed with its exit code, its last words and the close of the transport', async () => {
    const server = launchProgram('exits.mjs', ['7'])
    await server.transport.start()
    expect(await server.exited).toEqual({ code: 7, signal: null })
    expect(server.output.map(({ source, line }) => [source, line])).toEqual([
      ['stderr', 'Error: no such database'],
      ['stderr', '    at start'],
    ])
    await server.closed
    await expect(server.transport.send({ jsonrpc: '2.0', method: 'x' })).rejects.toMatchObject({ code: 'server.connection-lost' })
  })

  it('comes with what it had written, though the client hung up before that was read', async () => {
    const server = launch({ command: process.execPath, args: ['-e', 'console.log("Hello there!\\n{}")'] })
    await server.transport.start()
    // The server ends before the host reads from it, as on a busy machine: the host sees the broken stdin first.
    while (isProcessRunning(server.pid ?? 0));
    void server.transport.close()
    expect(await server.exited).toEqual({ code: 0, signal: null })
    expect(server.output.map(({ line }) => line)).toEqual(['Hello there!'])
  })

  it('is noticed also when nobody has started the transport', async () => {
    const server = launchProgram('exits.mjs', ['0'])
    await server.closed
    await expect(server.transport.start()).rejects.toMatchObject({ code: 'server.connection-lost' })
  })

  it('is noticed while a child of its own holds stdout, and that child is ended too', async () => {
    const server = launchProgram('leaves-child.mjs')
    await server.transport.start()
    await eventually(() => expect(pidsIn(server.output.map(({ line }) => line))).toHaveLength(1))
    const [grandchild = 0] = pidsIn(server.output.map(({ line }) => line))
    expect(await server.exited).toEqual({ code: 3, signal: null })
    await server.closed
    await server.stop()
    expect(isProcessRunning(grandchild)).toBe(false)
  })
})

describe('stopping a server', () => {
  it('ends its stdin, and that is enough for a server that is well-behaved', async () => {
    // On a busy machine it may not have begun to run.
    const server = launchProgram('echo.mjs', [], { limits: { grace: { ...quickGrace, stdin: 20_000 } } })
    await server.transport.start()
    expect(await server.stop()).toEqual({ code: 0, signal: null })
  })

  it('sends SIGTERM to one that takes no notice of the end of its stdin', async () => {
    const server = launchProgram('lingers.mjs')
    await eventually(() => expect(server.output).toHaveLength(1))
    expect(await server.stop()).toEqual({ code: null, signal: 'SIGTERM' })
  })

  it('sends SIGKILL to one that ignores SIGTERM as well', async () => {
    const server = launchProgram('lingers.mjs', ['stubborn'])
    await eventually(() => expect(server.output).toHaveLength(1))
    expect(await server.stop()).toEqual({ code: null, signal: 'SIGKILL' })
    expect(server.output.map(({ line }) => line).at(-1)).toBe('no')
  })

  it('kills at once when asked twice', async () => {
    const server = launchProgram('lingers.mjs', ['stubborn'], { limits: { grace: { stdin: 60_000, terminate: 60_000, kill: 1000 } } })
    await eventually(() => expect(server.output).toHaveLength(1))
    const exits = await Promise.all([server.stop(), server.stop()])
    expect(exits).toEqual([
      { code: null, signal: 'SIGKILL' },
      { code: null, signal: 'SIGKILL' },
    ])
  })

  it.each(['before', 'after'])('does not take a close of the transport %s it for a second asking', async (when) => {
    const server = launchProgram('lingers.mjs')
    await eventually(() => expect(server.output).toHaveLength(1))
    await server.transport.start()
    const asked = when === 'after' ? [server.stop(), server.transport.close()] : [server.transport.close(), server.stop()]
    await Promise.all(asked)
    expect(await server.exited).toEqual({ code: null, signal: 'SIGTERM' })
  })

  it('reaches the server behind a shell, and what that started', async () => {
    const line = `"${process.execPath}" "${program('leaves-child.mjs')}" stays; true`
    const server = launch({ command: '/bin/sh', args: ['-c', line] })
    await eventually(() => expect(pidsIn(server.output.map((output) => output.line))).toHaveLength(2))
    const pids = pidsIn(server.output.map((output) => output.line))
    expect(pids.map(isProcessRunning)).toEqual([true, true])
    await server.stop()
    expect(pids.map(isProcessRunning)).toEqual([false, false])
  })

  it.runIf(process.platform === 'linux').each([[[]], [['stubborn']]])(
    'finds what has left its group, if the server is %s',
    async (args) => {
      const server = launchProgram('strays.mjs', args, { env: { PATH: '/usr/bin:/bin' } })
      await eventually(() => expect(pidsIn(server.output.map((output) => output.line))).toHaveLength(2))
      const pids = pidsIn(server.output.map((output) => output.line))
      expect(pids.map(isProcessRunning)).toEqual([true, true])
      await server.stop()
      expect(pids.map(isProcessRunning)).toEqual([false, false])
    },
  )

  it('can be asked of one that has ended long ago', async () => {
    const server = launchProgram('exits.mjs', ['1'])
    await server.exited
    expect(await server.stop()).toEqual({ code: 1, signal: null })
  })
})

describe('a command that cannot be started', () => {
  const refusal = async (command: string, cwd = '/'): Promise<unknown> => {
    const server = launch({ command, args: [], cwd })
    const error = await server.transport.start().then(
      () => 'started',
      (reason: unknown) => reason,
    )
    await server.closed
    expect(await server.exited).toEqual({ code: null, signal: null })
    expect(await server.stop()).toEqual({ code: null, signal: null })
    return error
  }

  it('says which of its causes it was', async () => {
    const plain = join(folder, 'plain')
    const script = join(folder, 'script')
    writeFileSync(plain, 'text')
    writeFileSync(script, '#!/nowhere/python\n')
    chmodSync(script, 0o755)
    expect(await refusal('/nowhere/npx')).toMatchObject({ code: 'server.command-not-found' })
    expect(await refusal(plain)).toMatchObject({ code: 'server.spawn-failed', data: { reason: 'EACCES' } })
    expect(await refusal(script)).toMatchObject({ code: 'server.spawn-failed', data: { reason: 'ENOENT' } })
    expect(await refusal(process.execPath, join(folder, 'no'))).toMatchObject({ code: 'server.cwd-not-found' })
  })

  it.each([
    ['a NUL', 'a\0b'],
    ['a newline', 'a\nrm'],
    ['a carriage return', 'a\rb'],
  ])('is refused for %s in it', (_, text) => {
    expect(() => launch({ command: '/bin/echo', args: [text] })).toThrow(expect.objectContaining({ code: 'server.spawn-failed' }))
    expect(() => launch({ command: text, args: [] })).toThrow(expect.objectContaining({ code: 'server.spawn-failed' }))
  })
})

describe('what a server is given', () => {
  it('is its own environment with our tag, its folder and arguments, byte for byte and through no shell', async () => {
    const code = 'console.error(JSON.stringify([process.env, process.cwd(), process.argv.slice(1)]))'
    const args = ['$HOME; rm -rf "x" `id` %PATH% *', '']
    const server = launch({ command: process.execPath, args: ['-e', code, '--', ...args], env: { ONLY: 'this' }, cwd: folder })
    await server.exited
    expect(JSON.parse(server.output[0]?.line ?? '')).toEqual([{ ONLY: 'this', ASSENT_PROCESS_TAG: expect.any(String) }, folder, args])
  })
})
