// Servers that really fail, each in its own way, and what the doctor says of them.

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { StdioDefinition } from '#app/server/definition.ts'
import type { DiagnosisCode, DoctorReport } from '#app/server/doctor.ts'
import { closeServers, eventually, makeServers, raw } from '../lifecycle/servers.testing.ts'
import { resolveCommand } from '../process/environment/environment.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assent-doctor-')))
const path = process.env['PATH'] ?? ''
/** A registry of packages that has none. */
const registry = createServer((_request, response) => void response.writeHead(404, { 'content-type': 'application/json' }).end('{}'))
let registryUrl = ''
/** A port where nothing listens. */
let closedUrl = ''

beforeAll(async () => {
  chmodSync(folder, 0o755)
  const listen = (): Promise<void> => new Promise((resolve) => registry.listen(0, '127.0.0.1', resolve))
  const url = (): string => `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
  await listen()
  closedUrl = url()
  await new Promise((resolve) => registry.close(resolve))
  await listen()
  registryUrl = url()
})
afterAll(() => {
  registry.closeAllConnections()
  registry.close()
  rmSync(folder, { recursive: true, force: true })
})
afterEach(async () => expect(await closeServers()).toEqual([]))

function write(name: string, content: string | Buffer, mode = 0o644): string {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  chmodSync(file, mode)
  return file
}
const run = (command: string, args: string[] = [], more: Partial<StdioDefinition> = {}): StdioDefinition => ({
  transport: 'stdio',
  command,
  args,
  env: {},
  enabled: true,
  start: 'needed',
  trusted: false,
  ...more,
})
/** A program of these lines, run by the Node that runs the tests. */
const program = (name: string, lines: string, more: Partial<StdioDefinition> = {}): StdioDefinition =>
  run(process.execPath, [write(`${name}.mjs`, lines)], more)
const npx = (pack: string, npmRegistry: string): StdioDefinition =>
  run('npx', ['-y', pack], {
    env: {
      npm_config_registry: npmRegistry,
      npm_config_fetch_retries: '0',
      npm_config_cache: join(folder, 'npm'),
      npm_config_update_notifier: 'false',
    },
  })
const isThere = (command: string): boolean => {
  try {
    return resolveCommand(command, { path, pathSource: 'terminal', cwd: folder, home: folder, platform: process.platform }) !== ''
  } catch {
    return false
  }
}
const hasPip = isThere('python3') && spawnSync('python3', ['-m', 'pip', '--version']).status === 0

/** What the last start of a server was like that does not start. */
async function failed(definition: StdioDefinition): Promise<DoctorReport> {
  const servers = makeServers({ a: definition }, { variables: process.env })
  await expect(servers.start('a')).rejects.toBeDefined()
  const report = servers.doctor('a')
  expect([report.ok, report.diagnosis?.actions.length !== 0]).toEqual([false, true])
  await servers.stop('a')
  return report
}
const words = ({ diagnosis }: DoctorReport): string => JSON.stringify(diagnosis)

/** Of another processor than this one's. */
const elf = (): Buffer => {
  const bytes = Buffer.alloc(128)
  bytes.write('\x7fELF\x02\x01\x01', 'latin1')
  bytes.writeUInt16LE(2, 16)
  bytes.writeUInt16LE(process.arch === 'arm64' ? 0x3e : 0xb7, 18)
  return bytes
}
const answers = (answer: string): string => `
  let rest = ''
  process.stdin.on('data', (chunk) => {
    rest += chunk
    for (let end; (end = rest.indexOf('\\n')) >= 0; rest = rest.slice(end + 1)) {
      const { id, method } = JSON.parse(rest.slice(0, end))
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ${answer} }))
    }
  })`

describe('before it runs', () => {
  it.each<[string, DiagnosisCode, () => StdioDefinition, string]>([
    ['a command that is not there', 'command-not-found', () => run('no-such-program-here'), 'no-such-program-here'],
    ['a launcher that is not there', 'command-not-found', () => run('uvx', ['x'], { env: { PATH: folder } }), 'uvx comes with uv'],
    ['a path to nothing', 'wrong-path', () => run(join(folder, 'gone/tool')), 'gone/tool'],
    ['a command that is a folder', 'command-is-a-folder', () => run(folder), folder],
    ['a file that may not be executed', 'not-executable', () => run(write('plain.sh', '#!/bin/sh\n')), 'chmod +x'],
    [
      'the same, found on the PATH',
      'not-executable',
      () => run('plain-tool', [], { env: { PATH: dirname(write('no-x/plain-tool', '#!/bin/sh\n')) } }),
      'plain-tool',
    ],
    [
      'a first line that names nothing',
      'missing-interpreter',
      () => run(write('odd', '#!/nowhere/interpreter\n', 0o755)),
      '/nowhere/interpreter',
    ],
    [
      'a first line that asks env in vain',
      'missing-interpreter',
      () => run(write('env', '#!/usr/bin/env no-such-node\n', 0o755)),
      'no-such-node',
    ],
    [
      'a program for another processor',
      'wrong-architecture',
      () => run(write('elf', elf(), 0o755)),
      process.platform === 'linux' ? 'Get the build' : '',
    ],
    ['a folder that is gone', 'working-folder-missing', () => run('sh', [], { cwd: join(folder, 'gone') }), 'gone'],
    ['a folder that is a file', 'working-folder-missing', () => run('sh', [], { cwd: write('file', '') }), 'is a file'],
    ['a variable that is not set', 'variable-missing', () => run('sh', [], { env: { A: `\${env:ASSENT_NOT_SET}` } }), 'ASSENT_NOT_SET'],
    ['a secret that nobody entered', 'secret-missing', () => run('sh', [], { env: { A: `\${input:key-of-mine}` } }), 'key-of-mine'],
    ['a line break in an argument', 'bad-command-line', () => run('sh', ['a', 'a\nb']), 'argument 2'],
    ['a NUL in a variable', 'bad-command-line', () => run('sh', [], { env: { A: 'a\0b' } }), '“env”'],
    ['an argument that is too long', 'bad-command-line', () => run('sh', ['x'.repeat(1_100_000)]), 'longer'],
    ['a reference to nothing', 'unknown-reference', () => run('sh', [`\${config:x}`]), `\${config:x}`],
    ['a variable among the arguments', 'unknown-reference', () => run('sh', [`\${env:HOME}`]), `\${env:HOME}`],
  ])('%s', async (_title, code, definition, word) => {
    const report = await failed(definition())
    expect(report.diagnosis?.code).toBe(code)
    expect(words(report)).toContain(word)
  })

  it('a folder that nobody set: leads to where one is set, and to where it is named', async () => {
    const { diagnosis } = await failed(run('sh', [`\${workspaceFolder}`]))
    expect(diagnosis?.actions).toMatchObject([{ kind: 'folders' }, { kind: 'edit', field: 'args' }, { kind: 'retry' }])
  })

  it('a slip of the fingers: offers what is on the PATH, and says where it looked', async () => {
    write('bin/ledger-tool', '#!/bin/sh\n', 0o755)
    const bin = join(folder, 'bin')
    const report = await failed(run('ledger-tol', [], { env: { PATH: bin } }))
    expect(report).toMatchObject({
      resolved: null,
      path: bin,
      pathSource: 'config',
      cwd: expect.any(String),
      exit: null,
      diagnosis: {
        code: 'command-not-found',
        actions: [{ kind: 'use-command', command: 'ledger-tool' }, { kind: 'edit' }, { kind: 'retry' }],
      },
    })
    expect(report.steps.at(-1)).toMatchObject({ name: 'find command', ok: false })
  })
})

describe('it runs, and ends', () => {
  const near = (): StdioDefinition => {
    write('near/server.mjs', '')
    return run(process.execPath, [join(folder, 'near/sever.mjs')])
  }
  const required = 'console.error("Error: LEDGER_API_KEY environment variable is required"); process.exit(1)'
  const unprivileged = 'if (process.getuid?.() === 0) process.setuid(65534);'
  it.each<[string, DiagnosisCode, () => StdioDefinition, string]>([
    ['a script that is not there', 'script-not-found', () => run(process.execPath, [join(folder, 'gone.js')]), 'gone.js'],
    ['a shell that finds no program', 'command-not-found', () => run('sh', ['-c', 'no-such-ledger']), 'no-such-ledger'],
    ['one with a name like another', 'script-not-found', () => near(), 'Did you mean'],
    ['a package that npm does not know', 'package-not-found', () => npx('@assent-test/none', registryUrl), '@assent-test/none'],
    [
      'a package without a program',
      'program-not-in-package',
      () => {
        write('bare/package.json', '{ "name": "bare", "version": "1.0.0" }')
        return npx(`file:${join(folder, 'bare')}`, registryUrl)
      },
      'executable',
    ],
    ['a registry that is away', 'registry-unreachable', () => npx('@assent-test/none', closedUrl), 'npx'],
    ['a module that is not installed', 'module-missing', () => program('imports', 'import "no-such-package-here"'), 'no-such-package-here'],
    ['a key that it wants', 'variable-required', () => program('keyless', required), 'LEDGER_API_KEY'],
    ['a module of a newer Node', 'needs-newer-node', () => program('newer', 'import "node:not-yet"'), 'newer'],
    ['words of a newer JavaScript', 'needs-newer-node', () => program('syntax', '@decorated class A {}'), 'newer'],
    [
      'an option that it does not take',
      'wrong-arguments',
      () => program('strict', 'import { parseArgs } from "node:util"; parseArgs({ args: ["--stdio"], options: {} })'),
      '--stdio',
    ],
    [
      'a file that it may not write',
      'permission-denied',
      () => program('denied', `import fs from "node:fs"; ${unprivileged} fs.writeFileSync("/usr/bin/assent-test", "")`),
      'EACCES',
    ],
    [
      'a port that is taken',
      'port-in-use',
      () => program('listens', `import net from "node:net"; net.createServer().listen(${new URL(registryUrl).port}, "127.0.0.1")`),
      'EADDRINUSE',
    ],
    [
      'a database that is not there',
      'service-not-running',
      () => program('lonely', `import net from "node:net"; net.connect(${new URL(closedUrl).port}, "127.0.0.1")`),
      'ECONNREFUSED',
    ],
    [
      'a heap that is full',
      'out-of-memory',
      () =>
        run(process.execPath, [
          '--max-old-space-size=16',
          write('eats.mjs', 'const all = []; for (;;) all.push(new Array(1e4).fill("x"))'),
        ]),
      'memory',
    ],
    ['a kill', 'killed-by-signal', () => program('killed', 'process.kill(process.pid, "SIGKILL")'), 'SIGKILL'],
    ['a fault of the program', 'killed-by-signal', () => program('faulty', 'process.kill(process.pid, "SIGSEGV")'), 'SIGSEGV'],
    ['an end without a word', 'ended-by-itself', () => program('quiet', ''), 'exit code 0'],
    ['a crash', 'crashed-at-once', () => raw('crash-on-start'), 'cannot find the ledger'],
    ['a greeting where MCP was expected', 'not-mcp', () => program('hello', 'console.log("Hello there!")'), 'Hello there!'],
  ])('%s', { timeout: 60_000 }, async (_title, code, definition, word) => {
    const report = await failed(definition())
    expect(report.diagnosis?.code).toBe(code)
    expect(words(report)).toContain(word)
    expect(report.resolved).not.toBeNull()
  })

  it.skipIf(!isThere('python3'))('a script that Python does not find', async () => {
    expect((await failed(run('python3', [join(folder, 'gone.py')]))).diagnosis?.code).toBe('script-not-found')
  })

  it.skipIf(!isThere('python3'))('a module that Python does not have', async () => {
    expect((await failed(run('python3', [write('a.py', 'import no_such_module\n')]))).diagnosis?.code).toBe('module-missing')
  })

  it.skipIf(!isThere('python3'))('a module that is not installed where Python is to run it', async () => {
    const report = await failed(run('python3', ['-m', 'assent_test_none']))
    expect([report.diagnosis?.code, words(report).includes('assent_test_none')]).toEqual(['package-not-found', true])
  })

  it.skipIf(!hasPip)('a package that pip does not know', async () => {
    const pip = run('python3', ['-m', 'pip', 'download', '--no-deps', '--index-url', registryUrl, 'assent-test-none'])
    const report = await failed(pip)
    expect([report.diagnosis?.code, words(report).includes('assent-test-none')]).toEqual(['package-not-found', true])
  })

  it.skipIf(!isThere('uvx'))('a package that uv does not know, and an index that is away', { timeout: 60_000 }, async () => {
    const uvx = (index: string): StdioDefinition =>
      run('uvx', ['assent-test-none'], {
        env: { UV_DEFAULT_INDEX: index, UV_CACHE_DIR: join(folder, 'uv'), UV_NO_CONFIG: '1', UV_HTTP_RETRIES: '0', PATH: path },
      })
    expect((await failed(uvx(registryUrl))).diagnosis?.code).toBe('package-not-found')
    expect((await failed(uvx(closedUrl))).diagnosis?.code).toBe('registry-unreachable')
  })

  it.skipIf(!isThere('docker'))('an image that no registry has', async () => {
    const socket = join(folder, 'engine.sock')
    const engine = createServer((request, response) => {
      const image = /fromImage=([^&]+)/.exec(request.url ?? '')?.[1]
      if (request.url?.endsWith('/_ping')) return void response.writeHead(200, { 'api-version': '1.44' }).end('OK')
      const message = image
        ? `pull access denied for ${decodeURIComponent(image)}, repository does not exist or may require 'docker login'`
        : 'No such image: assent-test/none:latest'
      response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ message }))
    })
    await new Promise<void>((resolve) => engine.listen(socket, resolve))
    try {
      const env = { DOCKER_HOST: `unix://${socket}`, DOCKER_CONFIG: join(folder, 'docker'), PATH: path }
      const report = await failed(run('docker', ['run', '-i', 'assent-test/none'], { env }))
      expect([report.diagnosis?.code, words(report).includes('assent-test/none')]).toEqual(['package-not-found', true])
    } finally {
      engine.closeAllConnections()
      engine.close()
    }
  })

  it.skipIf(!isThere('docker'))('a Docker that is not running', async () => {
    const env = { DOCKER_HOST: `unix://${join(folder, 'no.sock')}`, PATH: path }
    expect((await failed(run('docker', ['run', '-i', 'x'], { env }))).diagnosis?.code).toBe('docker-not-running')
  })

  it('keeps how it ended and its last words, colours and all, without its secrets', async () => {
    const lines = 'console.error("\\u001b[31mno such book\\u001b[0m for " + process.env.BOOK_TOKEN); process.exit(4)'
    const report = await failed(program('colours', lines, { env: { BOOK_TOKEN: 'hush-hush-hush', PATH: [folder, path].join(delimiter) } }))
    expect(report).toMatchObject({
      command: expect.stringContaining('colours.mjs'),
      resolved: process.execPath,
      pathSource: 'config',
      cwd: expect.any(String),
      exit: { code: 4, signal: null },
      stderr: ['\u001b[31mno such book\u001b[0m for •••'],
    })
    expect(JSON.stringify(report)).not.toContain('hush-hush-hush')
  })
})

describe('it runs, and is not understood', () => {
  const mismatch = 'error: { code: -32022, message: "no", data: { supported: ["1999-01-01"] } }'
  it.each<[string, DiagnosisCode, () => StdioDefinition, string]>([
    ['it never answers', 'too-slow', () => ({ ...raw('silent'), startTimeoutMs: 1000 }), '1.0 s'],
    [
      'it talks, but not MCP',
      'not-mcp',
      () => program('talks', 'console.log("ready on stdin"); process.stdin.resume()', { startTimeoutMs: 1000 }),
      'ready on stdin',
    ],
    ['it speaks no revision of ours', 'version-mismatch', () => program('old', answers(mismatch)), '1999-01-01'],
    ['it refuses to begin', 'not-mcp', () => program('refuses', answers('error: { code: -32603, message: "not today" }')), 'not today'],
  ])('%s', async (_title, code, definition, word) => {
    const report = await failed(definition())
    expect(report.diagnosis?.code).toBe(code)
    expect(words(report)).toContain(word)
  })

  it('says at once what it wrote that is no MCP, and takes it back when MCP comes', async () => {
    const go = join(folder, 'go')
    const banner = `
      import { existsSync } from 'node:fs'
      console.log('Listening, or so')
      while (!existsSync(process.env.GO)) await new Promise((resolve) => setTimeout(resolve, 10))
      await import(process.env.THEN)`
    const definition = program('banner', banner, { env: { GO: go, THEN: raw('tools').args[0] ?? '' } })
    const servers = makeServers({ a: definition })
    const ready = servers.start('a')
    await eventually(() =>
      expect(servers.view('a')?.state).toMatchObject({ kind: 'starting', diagnosis: { code: 'not-mcp', tone: 'warn' } }),
    )
    expect(servers.doctor('a').diagnosis?.why).toContain('Listening, or so')
    writeFileSync(go, '')
    await ready
    expect([servers.view('a')?.state.kind, servers.doctor('a').diagnosis]).toEqual(['ready', null])
  })

  it('offers to wait longer than it did', async () => {
    const { diagnosis } = await failed({ ...raw('silent'), startTimeoutMs: 1000 })
    expect(diagnosis?.actions[0]).toMatchObject({ kind: 'wait', startTimeoutMs: 60_000 })
  })
})

describe('a start that works', () => {
  it('is kept step by step, with what was asked and how long each answer took', async () => {
    const servers = makeServers({ a: raw('tools') })
    expect(servers.doctor('a')).toMatchObject({ ok: false, startedAt: null, diagnosis: null, steps: [] })
    await servers.start('a')
    const { ok, diagnosis, steps } = servers.doctor('a')
    expect([ok, diagnosis]).toEqual([true, null])
    expect(steps.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'your assent',
        'values',
        'find command',
        'start process',
        'first output',
        'server/discover',
        'initialize',
        'lists',
        'tools/list',
      ]),
    )
    expect(steps.filter(({ ok: done, ms }) => !done || ms < 0)).toEqual([])
  })

  it('is followed by another one, and only that is told of', async () => {
    const servers = makeServers({ a: raw('tools') })
    await servers.start('a')
    const { startedAt, steps } = servers.doctor('a')
    await servers.restart('a')
    const again = servers.doctor('a')
    expect([again.startedAt === startedAt, again.steps.length]).toEqual([false, steps.length])
  })

  it('says of one that is off, or was not allowed, just that', async () => {
    const servers = makeServers({ a: { ...raw('tools'), enabled: false } })
    expect(servers.doctor('a').diagnosis?.code).toBe('disabled')
  })
})
