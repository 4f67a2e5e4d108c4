import { describe, expect, it } from 'vitest'
import { commands, readCommandLine } from './command-line.ts'
import { usageOf } from './help.ts'

const read = (text: string) => readCommandLine(text.split(' ').filter((word) => word !== ''))

describe('what is right is read', () => {
  it('a call with everything', () => {
    expect(
      readCommandLine(['call', 'files', 'read', '{"a":1}', '--config=x.json', '--json', '--approve', 'all', '--elicit', '{"b":2}']),
    ).toEqual({
      kind: 'run',
      command: 'call',
      positionals: ['files', 'read', '{"a":1}'],
      options: { json: true, verbose: false, verify: false, open: true, port: 0, config: 'x.json', approve: 'all', elicit: { b: 2 } },
    })
  })
  it('serve with a port and no browser', () => {
    expect(read('serve --port 8080 --no-open --data-dir here')).toMatchObject({
      kind: 'run',
      options: { port: 8080, open: false, dataDir: 'here' },
    })
  })
  it('folders for servers', () => {
    expect(read('serve --roots one,../two')).toMatchObject({ kind: 'run', options: { roots: ['one', '../two'] } })
  })
  it('the sandbox of local servers', () => {
    expect(['serve --sandbox on', 'servers --sandbox off'].map(read)).toMatchObject([
      { kind: 'run', options: { sandbox: 'on' } },
      { kind: 'run', options: { sandbox: 'off' } },
    ])
    expect(read('servers --sandbox maybe')).toMatchObject({ kind: 'wrong' })
  })
  it('how long a call may take', () => {
    expect(read('call files read --timeout 1.5')).toMatchObject({ kind: 'run', options: { timeoutMs: 1500 } })
  })
  it('chat with its text', () => {
    expect(readCommandLine(['chat', '-p', 'two words', '--model', 'a/b'])).toMatchObject({
      kind: 'run',
      options: { prompt: 'two words', model: 'a/b' },
    })
  })
  it.each([
    ['', { kind: 'help' }],
    ['--help', { kind: 'help' }],
    ['help call', { kind: 'help', command: 'call' }],
    ['call --help', { kind: 'help', command: 'call' }],
    ['--version', { kind: 'version' }],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })
})

describe('what is wrong is refused, with what was meant', () => {
  it.each([
    ['cal', '“call”'],
    ['sevrers', '“servers”'],
    ['nonsense', '“nonsense”'],
    ['call files', 'TOOL'],
    ['call', 'SERVER'],
    ['call files --from', '--from'],
    ['call files read --from calls.jsonl', '--from'],
    ['read files', 'URI'],
    ['servers extra', '“extra”'],
    ['call files read [1]', 'JSON takes'],
    ['call files read {', 'JSON takes'],
    ['serve --port 70000', '--port'],
    ['serve --port x', '--port'],
    ['call files read --timeout soon', '--timeout'],
    ['call files read --timeout=-1', '--timeout'],
    ['call files read --timeout 1e9', '--timeout'],
    ['servers --aprove all', '“--approve”'],
    ['servers --approve maybe', '“maybe”'],
    ['servers --elicit [1]', '--elicit'],
    ['servers --port 1', '“--port”'],
    ['servers --roots a,,b', '--roots'],
    ['audit --roots a', '“--roots”'],
    ['audit --since yesterday-ish', '--since'],
    ['export', '--all'],
    ['export one --all', 'CONVERSATION'],
    ['export one --format pdf', '--format'],
    ['import', 'FILE'],
    ['import chats.zip --from cursor', '--from'],
    ['import chats.zip --approve all', '--approve'],
    ['audit --verify --expect abc', '--expect'],
    [`audit --expect ${'a'.repeat(64)}`, '--verify'],
    ['serve --port', '--port'],
    ['chat', '-p'],
    ['chat -p', '-p'],
  ])('%s', (text, named) => {
    const line = read(text)
    expect([line.kind, line.kind === 'wrong' && line.message.includes(named)]).toEqual(['wrong', true])
  })
})

it('every command has its usage, which names each of its options', () => {
  for (const [name, { options }] of Object.entries(commands))
    for (const option of options.filter((one) => one !== 'help' && one !== 'verbose'))
      expect(usageOf(name as keyof typeof commands), `${name} --${option}`).toContain(`--${option}`)
})

it.each<[string[], 'run' | 'wrong']>([
  [['secret', 'list'], 'run'],
  [['secret', 'set', 'a', 'b'], 'run'],
  [['secret', 'remove', 'a', 'b', '--config', 'f'], 'run'],
  [['secret'], 'wrong'],
  [['secret', 'show', 'a', 'b'], 'wrong'],
  [['secret', 'set', 'a'], 'wrong'],
  [['secret', 'list', 'a'], 'wrong'],
  [['secret', 'set', 'a', 'b', 'the-value'], 'wrong'],
])('%j is %s', (argv, kind) => {
  expect(readCommandLine(argv).kind).toBe(kind)
})
