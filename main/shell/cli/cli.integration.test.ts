// The command line over real servers, as scripts use it: shapes, exit codes, and nothing on stdout but what was promised.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditRow } from '#app/consent/audit-row.ts'
import { defaultSettings } from '#app/settings.ts'
import { call, fail, say } from '../../../e2e/model-server/reply.ts'
import { startModelServer } from '../../../e2e/model-server/server.ts'
import { type CliBench, everythingServer, jsonLines, makeCliBench, onlyJson } from './cli.testing.ts'

let bench: CliBench
let config: string
beforeAll(() => {
  bench = makeCliBench()
  config = bench.config({ everything: everythingServer })
})
afterAll(() => bench.remove())

const all = (...args: string[]): string[] => [...args, '--config', config, '--approve', 'all', '--json']

describe('call', () => {
  it('prints one JSON value, and leaves no profile behind', async () => {
    const run = await bench.run(all('call', 'everything', 'echo', '{"message":"hello"}'))
    expect(onlyJson(run)).toMatchObject({
      server: 'everything',
      tool: 'echo',
      era: expect.stringMatching(/^(modern|legacy)$/),
      protocolVersion: expect.any(String),
      transport: 'stdio',
      durationMs: expect.any(Number),
      result: { content: [{ type: 'text', text: expect.stringContaining('hello') }] },
    })
    expect([run.code, bench.leftovers()]).toEqual([0, []])
  })

  it('prints the text alone for people', async () => {
    const run = await bench.runShared(['call', 'everything', 'echo', '{"message":"hello"}', '--config', config, '--approve', 'all'])
    expect([run.code, run.stdout]).toEqual([0, 'Echo: hello\n'])
  })

  it('exits 3 when nobody is there to allow the server, or when it is refused', async () => {
    for (const approve of [[], ['--approve', 'none']]) {
      const run = await bench.run(['call', 'everything', 'echo', '{"message":"x"}', '--config', config, '--json', ...approve])
      expect([run.code, onlyJson(run)]).toMatchObject([3, { error: { code: 'server.refused', message: expect.any(String) } }])
    }
  })

  it.each<[string, string[], string]>([
    ['the server is unknown', ['nowhere', 'echo'], 'server.unknown'],
    ['the tool is unknown', ['everything', 'nothing'], 'tool.unknown'],
  ])('exits 1 when %s, and says so in JSON', async (_title, args, code) => {
    const run = await bench.runShared(all('call', ...args))
    expect([run.code, onlyJson(run)]).toMatchObject([1, { error: { code } }])
  })

  it('exits 1 when a server does not start, and names its command', async () => {
    const broken = bench.config({ broken: { command: 'no-such-program-here' } })
    const run = await bench.run(['call', 'broken', 'x', '--config', broken, '--approve', 'all', '--json'])
    expect([run.code, onlyJson(run)]).toMatchObject([1, { error: { code: 'server.command-not-found' } }])
    expect(run.stderr).toContain('no-such-program-here')
  })

  it.each<[string, string[]]>([
    ['an unknown command', ['cal', 'everything', 'echo']],
    ['an unknown option', ['call', 'everything', 'echo', '--jsn']],
    ['arguments that are not JSON', ['call', 'everything', 'echo', '{message}']],
    ['a missing argument', ['call', 'everything']],
  ])('exits 2 for %s, with nothing on stdout', async (_title, args) => {
    const run = await bench.run(args)
    expect([run.code, run.stdout, run.stderr === '']).toEqual([2, '', false])
  })

  it('exits 1 when the config file is not there', async () => {
    const run = await bench.runShared(['servers', '--config', 'not-there.json', '--json'])
    expect([run.code, onlyJson(run)]).toMatchObject([1, { error: { code: 'config.unreadable' } }])
  })

  it.each<[string, string, string]>([
    ['is not JSON', '{ "mcpServers": {', 'config.syntax'],
    ['names no servers', '{ "servers": {} }', 'config.syntax'],
  ])('exits 1 for each command when the config file %s', async (_title, text, code) => {
    const path = join(bench.folder, `${code}-${text.length}.json`)
    writeFileSync(path, text)
    for (const args of [['servers'], ['tools'], ['call', 'x', 'y']]) {
      const run = await bench.runShared([...args, '--config', path, '--json'])
      expect([run.code, onlyJson(run)]).toMatchObject([1, { error: { code, message: expect.any(String), data: { file: path, line: 1 } } }])
    }
    expect(bench.leftovers()).toEqual([])
  })

  it('exits 1 when the config file cannot be read', async () => {
    const run = await bench.runShared(['tools', '--config', bench.folder, '--json'])
    expect([run.code, onlyJson(run)]).toMatchObject([1, { error: { code: 'config.unreadable', data: { reason: 'EISDIR' } } }])
  })

  it('takes the good servers of a file with a bad entry, and names the bad one on stderr', async () => {
    const run = await bench.runShared(['servers', '--config', bench.config({ off: { command: 'x', disabled: true }, wrong: 7 }), '--json'])
    expect([run.code, onlyJson(run), run.stderr.includes('wrong')]).toMatchObject([0, [{ name: 'off' }], true])
  })

  it('answers forms with --elicit', async () => {
    const tools = onlyJson(await bench.runShared(all('tools', 'everything'))) as { name: string }[]
    const elicits = tools.map(({ name }) => name).find((name) => name.includes('elicitation'))
    if (elicits === undefined) throw new Error('the server has no tool that elicits')
    const run = await bench.runShared([...all('call', 'everything', elicits), '--elicit', '{"name":"Ada"}'])
    expect([run.code, run.stdout.includes('Ada')]).toEqual([0, true])
    const unanswered = await bench.runShared(all('call', 'everything', elicits))
    expect([run, unanswered].map(({ stderr }) => stderr.includes('--elicit'))).toEqual([false, true])
  })

  it('names the option that decided, where no person did', async () => {
    const run = await bench.runShared(['call', 'everything', 'echo', '{"message":"x"}', '--config', config, '--approve', 'none'])
    expect([run.code, run.stderr.includes('--approve')]).toEqual([3, true])
  })
})

describe('folders', () => {
  it('are told to a server that asks, by --roots', async () => {
    const run = await bench.runShared([...all('call', 'everything', 'get-roots-list'), '--roots', `${bench.folder},.`])
    expect([run.code, run.stdout.includes(pathToFileURL(bench.folder).href)]).toEqual([0, true])
  })

  it('that are not there are bad usage', async () => {
    const run = await bench.runShared([...all('call', 'everything', 'get-roots-list'), '--roots', 'no-such-folder'])
    expect([run.code, run.stdout, run.stderr.includes('no-such-folder')]).toEqual([2, '', true])
  })
})

describe('doctor', () => {
  it('says of each server what was tried and why it failed, in the documented shape', async () => {
    const both = bench.config({ everything: everythingServer, broken: { command: 'no-such-program-here' } })
    const run = await bench.runShared(['doctor', '--config', both, '--approve', 'all', '--json'])
    const steps = expect.arrayContaining([{ name: expect.any(String), ms: expect.any(Number), ok: true, detail: expect.any(String) }])
    expect([run.code, onlyJson(run)]).toMatchObject([
      1,
      [
        {
          server: 'broken',
          ok: false,
          diagnosis: { code: 'command-not-found', message: expect.any(String), remedy: expect.any(String) },
          command: 'no-such-program-here',
          resolved: null,
          path: expect.any(String),
          cwd: expect.any(String),
          exit: null,
          stderr: '',
          steps,
        },
        { server: 'everything', ok: true, diagnosis: null, resolved: process.execPath, cwd: expect.any(String), exit: null, steps },
      ],
    ])
  })

  it('tells people the same as text, of the one that they name', async () => {
    const config = bench.config({
      crash: { command: process.execPath, args: ['-e', 'console.error("no such book"); process.exit(4)'] },
      b: { command: 'x' },
    })
    const run = await bench.runShared(['doctor', 'crash', '--config', config, '--approve', 'all'])
    expect([
      run.code,
      ['crashed-at-once', 'no such book', process.execPath, 'code 4'].filter((word) => !run.stdout.includes(word)),
    ]).toEqual([1, []])
    expect(run.stdout).not.toContain('command-not-found')
  })

  it('exits 0 when all start, 3 when they were refused, 1 for a name that is none', async () => {
    const codes = []
    for (const args of [
      ['--approve', 'all'],
      ['--approve', 'none'],
      ['nowhere', '--approve', 'all'],
    ])
      codes.push((await bench.runShared(['doctor', ...args, '--config', config, '--json'])).code)
    expect(codes).toEqual([0, 3, 1])
  })
})

describe('servers and tools', () => {
  it('lists each server with what it offers, and one that fails with why', async () => {
    const both = bench.config({ everything: everythingServer, broken: { command: 'no-such-program-here' } })
    const run = await bench.runShared(['servers', '--config', both, '--approve', 'all', '--json'])
    expect(run.code).toBe(0)
    expect(onlyJson(run)).toMatchObject([
      { name: 'broken', transport: 'stdio', state: { kind: 'failed' }, tools: 0, error: { code: 'server.command-not-found' } },
      {
        name: 'everything',
        transport: 'stdio',
        state: { kind: 'ready' },
        protocolVersion: expect.any(String),
        serverInfo: { name: expect.any(String), version: expect.any(String) },
        tools: expect.any(Number),
        resources: expect.any(Number),
        prompts: expect.any(Number),
        warnings: expect.any(Array),
        error: null,
      },
    ])
  })

  it('tells people what was left out of a list, beside the table', async () => {
    const path = join(bench.folder, 'odd.mjs')
    writeFileSync(
      path,
      `import { createInterface } from 'node:readline'
      const answers = {
        initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } },
        'tools/list': { tools: [{ name: 'good', inputSchema: { type: 'object' } }, { name: 'b\\u202ead' }] },
      }
      createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line)
        const error = { code: -32601, message: 'Method not found' }
        const outcome = answers[method] ? { result: answers[method] } : { error }
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }))
      })`,
    )
    const odd = bench.config({ odd: { command: process.execPath, args: [path] } })
    const run = await bench.runShared(['servers', '--config', odd, '--approve', 'all'])
    expect([run.code, run.stdout.includes('1 tool'), run.stdout.includes('left out')]).toEqual([0, true, false])
    expect([run.stderr.includes('odd: "b'), run.stderr.includes('\u202e')]).toEqual([true, false])
  })

  it('lists tools with the names that a model would see', async () => {
    const run = await bench.runShared(all('tools'))
    const tools = onlyJson(run) as { name: string }[]
    expect(tools.find(({ name }) => name === 'echo')).toMatchObject({
      server: 'everything',
      name: 'echo',
      modelName: 'everything__echo',
      inputSchema: { type: 'object' },
      tokens: expect.any(Number),
      enabled: true,
    })
    expect(run.code).toBe(0)
  })

  it('tools exits 1 or 3 when no server could be asked', async () => {
    const broken = bench.config({ broken: { command: 'no-such-program-here' } })
    const failed = await bench.runShared(['tools', '--config', broken, '--approve', 'all', '--json'])
    const refused = await bench.runShared(['tools', '--config', config, '--json'])
    expect([failed.code, onlyJson(failed), refused.code, onlyJson(refused)]).toEqual([1, [], 3, []])
  })
})

it('reads a resource and gets a prompt', async () => {
  const prompt = await bench.runShared(all('prompt', 'everything', 'simple-prompt'))
  expect([prompt.code, onlyJson(prompt)]).toMatchObject([0, { server: 'everything', result: { messages: expect.any(Array) } }])
  const text = await bench.runShared(all('read', 'everything', 'demo://resource/static/document/architecture.md'))
  expect([text.code, onlyJson(text)]).toMatchObject([0, { uri: expect.any(String), result: { contents: [{ text: expect.any(String) }] } }])
})

describe('audit', () => {
  it('has every call on record, whole; and a changed row is found', async () => {
    const dataDir = join(bench.folder, 'profile')
    await bench.runShared([...all('call', 'everything', 'echo', '{"message":"kept"}'), '--data-dir', dataDir])
    const whole = await bench.runShared(['audit', '--data-dir', dataDir, '--json', '--verify'])
    const rows = jsonLines(whole)
    expect([whole.code, rows.map((row) => auditRow.safeParse(row).success)]).toEqual([0, rows.map(() => true)])
    expect(rows.map((row) => row['kind'])).toEqual(expect.arrayContaining(['decision', 'call', 'result']))
    expect(rows.find((row) => row['kind'] === 'decision' && row['tool'] === 'echo')).toMatchObject({
      decision: 'allowed',
      by: 'command-line',
    })
    const hash = String(rows.at(-1)?.['hash'])
    const noted = await bench.runShared(['audit', '--data-dir', dataDir, '--json', '--verify', '--expect', hash, '--server', 'nobody'])
    expect([noted.code, jsonLines(noted)]).toEqual([0, []])
    const other = await bench.runShared([
      'audit',
      '--data-dir',
      dataDir,
      '--json',
      '--verify',
      '--expect',
      'a'.repeat(64),
      '--since',
      '2999-01-01',
    ])
    expect([other.code, jsonLines(other)]).toEqual([1, []])

    const database = new DatabaseSync(join(dataDir, 'assent.db'))
    // The record refuses changes; whoever owns the file can lift that first.
    for (const { name } of database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit'").all())
      database.exec(`DROP TRIGGER "${name}"`)
    database.exec("UPDATE audit SET decision = 'denied' WHERE tool = 'echo' AND kind = 'decision'")
    database.close()
    const changed = await bench.runShared(['audit', '--data-dir', dataDir, '--json', '--verify'])
    expect([changed.code, jsonLines(changed).length]).toEqual([1, rows.length])
  })

  it('exits 1 where there is no profile, and makes none', async () => {
    const dataDir = join(bench.folder, 'nowhere')
    const run = await bench.runShared(['audit', '--data-dir', dataDir, '--json'])
    expect([run.code, (await bench.runShared(['audit', '--data-dir', dataDir, '--json'])).code]).toEqual([1, 1])
  })
})

describe('chat', () => {
  it('runs one turn with the practice model, one event a line, done the last', async () => {
    const run = await bench.runShared([...all('chat', '-p', 'echo hello'), '--model', 'practice/practice'])
    const lines = jsonLines(run)
    expect(lines.at(-1)).toMatchObject({ type: 'done', conversationId: expect.any(String), state: 'idle' })
    expect(lines.map(({ type }) => type)).toEqual(expect.arrayContaining(['text', 'done']))
    expect(run.code).toBe(0)
  })

  it('sits through a wait that the model’s API asks for', async () => {
    const server = await startModelServer({
      script: (_request, index) => (index === 0 ? fail(529, 'overloaded_error', { 'retry-after': '1' }) : say('Here it is.')),
    })
    try {
      const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-ant-test' }
      const run = await bench.run(
        ['chat', '--config', bench.config({}), '--model', 'anthropic/claude-small-1', '-p', 'hello', '--json'],
        env,
      )
      const text = jsonLines(run).flatMap((line) => (line['type'] === 'text' ? [line['text']] : []))
      expect([run.code, text.join(''), jsonLines(run).at(-1)]).toMatchObject([0, 'Here it is.', { type: 'done', state: 'idle' }])
    } finally {
      await server.close()
    }
  })

  it('exits 1 with the real reason when the list of models cannot be fetched', async () => {
    const server = await startModelServer({ script: () => say('no'), key: 'sk-ant-right' })
    try {
      const args = ['chat', '--config', bench.config({}), '--model', 'anthropic/claude-small-1', '-p', 'hello', '--json']
      const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-ant-wrong' }
      const refused = await bench.runShared(args, env)
      const offline = await bench.runShared(args, { ...env, ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' })
      expect([refused, offline].map((run) => [run.code, onlyJson(run)])).toMatchObject([
        [1, { error: { code: 'model.key-refused' } }],
        [1, { error: { code: 'model.offline' } }],
      ])
    } finally {
      await server.close()
    }
  })

  it('exits 1 when the turn pauses, and says so', async () => {
    const server = await startModelServer({ script: () => call({ name: 'nothing__here' }) })
    try {
      const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-ant-test' }
      const args = ['chat', '--config', bench.config({}), '--model', 'anthropic/claude-small-1', '-p', 'hello']
      const [json, text] = [await bench.runShared([...args, '--json'], env), await bench.runShared(args, env)]
      expect([json.code, jsonLines(json).at(-1), text.code, text.stderr.split('\n').at(-2)]).toMatchObject([
        1,
        { type: 'done', state: 'paused' },
        1,
        expect.stringContaining(String(defaultSettings.stepLimit)),
      ])
    } finally {
      await server.close()
    }
  })

  it('exits 1 for a model that is not there', async () => {
    const run = await bench.runShared([...all('chat', '-p', 'hi'), '--model', 'no/such'])
    expect([run.code, onlyJson(run)]).toMatchObject([1, { error: { code: 'model.unknown' } }])
  })
})

it('--help and --version exit 0', async () => {
  const [help, version] = await Promise.all([bench.run(['--help']), bench.run(['--version'])])
  expect([help.code, help.stdout.includes('serve'), version.code, /^\d+\.\d+\.\d+\n$/.test(version.stdout)]).toEqual([0, true, 0, true])
})

describe('a value that a --config file leaves open', () => {
  const withInput = (): string =>
    bench.config({ everything: { ...everythingServer, env: { GREETING_TOKEN: '${' + 'input:greeting-token}' } } })
  const environmentOf = (file: string): string[] => ['call', 'everything', 'get-env', '--config', file, '--approve', 'all', '--json']

  it('is taken from the environment, and never said', async () => {
    const run = await bench.runShared([...environmentOf(withInput()), '--verbose'], { ASSENT_INPUT_GREETING_TOKEN: 'from-outside' })
    expect([run.code, JSON.stringify(onlyJson(run)).includes('from-outside'), run.stderr.includes('from-outside')]).toEqual([
      0,
      true,
      false,
    ])
  })

  it('is an error that says how to give it, where nobody can be asked', async () => {
    const run = await bench.runShared(environmentOf(withInput()))
    expect([run.code, onlyJson(run)]).toMatchObject([
      1,
      {
        error: {
          code: 'server.secret-missing',
          data: { server: 'everything', ids: ['greeting-token'], environment: ['ASSENT_INPUT_GREETING_TOKEN'] },
        },
      },
    ])
    expect(run.stderr).toContain('ASSENT_INPUT_GREETING_TOKEN')
  })
})
