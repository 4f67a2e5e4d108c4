// Bytes that no server should write, in the midst of a call: the call is answered all the same, and the log keeps what
// there is to keep. Written as they go over the pipe, not as an encoder would make them.
import { describe, expect, it } from 'vitest'
import { eventually } from '#main/servers/lifecycle/servers.testing.ts'
import { called, error, result } from '../http/raw-http.ts'
import { call, closeAfterEach, fails, started } from './raw-stdio.ts'
import { type Message, older, type Wire } from './relayed.ts'

closeAfterEach()

const version = '2025-06-18'
const calling = (onCall: (message: Message, wire: Wire) => void) =>
  older(version, (message, wire) => {
    if (message.method === 'tools/call') onCall(message, wire)
    return message.method === 'tools/call'
  })
const line = (message: object): string => `${JSON.stringify(message)}\n`
const deep = 100_000
const nested = `${'['.repeat(deep)}${']'.repeat(deep)}`
const nestedObjects = `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`

describe('a line before the answer', () => {
  it.each<[string, string | Buffer]>([
    ['is text', 'Listening on stdin…\n'],
    ['is blank', '\n\r\n \t \n'],
    ['is a number, a text, null or nothing but brackets', '1\n"text"\nnull\n{}\n[]\n[[]]\n[null]\n'],
    ['is half of a message', '{"jsonrpc":"2.0","id":1,"resu\n'],
    ['is two messages', `${JSON.stringify({ jsonrpc: '2.0', method: 'a' })}${JSON.stringify({ jsonrpc: '2.0', method: 'b' })}\n`],
    ['has a NUL in it', Buffer.from('\0\0{"jsonrpc":"2.0","method":"x"}\0\n')],
    ['is no UTF-8', Buffer.from([0xff, 0xfe, 0x80, 0xc3, 0x28, 0x0a])],
    [
      'has no UTF-8 within a text',
      Buffer.concat([
        Buffer.from('{"jsonrpc":"2.0","method":"x","params":{"a":"'),
        Buffer.from([0xc3, 0x28, 0xed, 0xa0, 0x80]),
        Buffer.from('"}}\n'),
      ]),
    ],
    ['is of another version of JSON-RPC', '{"jsonrpc":"1.0","method":"x","params":[]}\n{"method":"x"}\n'],
    ['has a lone surrogate in its method', '{"jsonrpc":"2.0","method":"notifications/\\ud800"}\n'],
    ['is nested deeply, as a list', `${nested}\n`],
    [
      'is nested deeply, as a notification',
      `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":${nested}}}\n`,
    ],
    ['is nested deeply, as one of objects', `{"jsonrpc":"2.0","method":"x","params":${nestedObjects}}\n`],
    ['is nested deeply, and not closed', `${'['.repeat(deep)}\n`],
    [
      'is a notification of prototypes',
      '{"jsonrpc":"2.0","method":"__proto__","params":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}\n',
    ],
    [
      'is for a prototype’s progress',
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"__proto__","progress":1}}\n',
    ],
    ['has numbers beyond measure', '{"jsonrpc":"2.0","id":1e999,"result":{}}\n{"jsonrpc":"2.0","method":"x","params":{"n":1e999}}\n'],
  ])('%s', async (_, bytes) => {
    const { servers } = await started(
      calling((message, wire) => {
        wire.write(bytes)
        wire.send(called(message, 'done'))
      }),
    )
    expect(await call(servers, 'echo')).toBe('done')
    expect([servers.state('raw').kind, ({} as { polluted?: boolean }).polluted]).toEqual(['ready', undefined])
  })

  it('that is no protocol is in the log', async () => {
    const { servers } = await started(
      calling((message, wire) => {
        wire.write('Loading…\n{"level":"info"}\n')
        wire.send(called(message, 'done'))
      }),
    )
    await call(servers, 'echo')
    expect(servers.log('raw').lines.map(({ source, text }) => [source, text])).toEqual([
      ['stdout', 'Loading…'],
      ['stdout', '{"level":"info"}'],
    ])
  })
})

describe('an answer', () => {
  it.each<[string, (text: string) => Buffer]>([
    ['after a byte order mark', (text) => Buffer.from(`\uFEFF${text}`)],
    ['that ends with CRLF', (text) => Buffer.from(text.replace('\n', '\r\n'))],
    ['with white space around it', (text) => Buffer.from(` \t${text.replace('\n', ' \t\n')}`)],
    ['with white space within it', (text) => Buffer.from(text.replaceAll(':', ' :\t').replaceAll(',', ' ,\r'))],
    ['all of whose letters are escapes', (text) => Buffer.from(text.replace('done', '\\u0064\\u006f\\u006e\\u0065'))],
  ])('%s is understood', async (_, bytes) => {
    const { servers } = await started(calling((message, wire) => wire.write(bytes(line(called(message, 'done'))))))
    expect(await call(servers, 'echo')).toBe('done')
  })

  it('that comes a byte at a time is understood', async () => {
    const { servers } = await started(
      calling((message, wire) => {
        for (const byte of Buffer.from(line(called(message, 'grüße 🙂')))) wire.write(Buffer.of(byte))
      }),
    )
    expect(await call(servers, 'echo')).toBe('grüße 🙂')
  })

  it.each([
    ['lone surrogates', 'a\\ud800b\\udc00', 'a\ud800b\udc00'],
    ['NUL and other controls', '\\u0000\\u001b[2J\\u2028', '\0\u001b[2J\u2028'],
  ])('with %s in its text is handed on to the letter', async (_, written, text) => {
    const { servers } = await started(
      calling((message, wire) =>
        wire.write(`{"jsonrpc":"2.0","id":${message.id},"result":{"content":[{"type":"text","text":"${written}"}]}}\n`),
      ),
    )
    expect(await call(servers, 'echo')).toBe(text)
  })

  it('with bytes that are no UTF-8 is handed on with a mark in their place', async () => {
    const { servers } = await started(
      calling((message, wire) => {
        const [head = '', tail = ''] = line(called(message, 'a|b')).split('|')
        wire.write(Buffer.concat([Buffer.from(head), Buffer.of(0xff), Buffer.from(tail)]))
      }),
    )
    expect(await call(servers, 'echo')).toBe('a\uFFFDb')
  })

  it('with a key twice counts as the last of the two says', async () => {
    const { servers } = await started(
      calling((message, wire) =>
        wire.write(
          `{"jsonrpc":"2.0","id":-1,"id":${message.id},"result":{"content":[]},"result":{"content":[{"type":"text","text":"last"}]}}\n`,
        ),
      ),
    )
    expect(await call(servers, 'echo')).toBe('last')
  })

  it('with the keys of prototypes changes no prototype, and keeps them as its own', async () => {
    const own = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}'
    const { servers } = await started(
      calling((message, wire) =>
        wire.write(
          `{"jsonrpc":"2.0","id":${message.id},${own},"result":{${own},"_meta":{${own}},"structuredContent":{${own}},"content":[{"type":"text","text":"done",${own}}]}}\n`,
        ),
      ),
    )
    expect(await call(servers, 'echo')).toBe('done')
    expect([({} as { polluted?: boolean }).polluted, servers.state('raw').kind]).toEqual([undefined, 'ready'])
  })

  it.each([
    ['content', `{"content":${nested}}`],
    ['structured content', `{"content":[],"structuredContent":${nestedObjects}}`],
    ['a place that nobody knows', `{"content":[],"x":${nestedObjects}}`],
  ])('that is nested too deeply in its %s fails its call, and that alone', async (_, body) => {
    const { servers } = await started(
      calling((message, wire) => {
        if (message.params?.['name'] === 'echo') wire.write(`{"jsonrpc":"2.0","id":${message.id},"result":${body}}\n`)
        else wire.send(called(message, 'fine'))
      }),
    )
    await expect(call(servers, 'echo')).rejects.toEqual(fails('server.protocol'))
    expect([await call(servers, 'other'), servers.state('raw').kind]).toEqual(['fine', 'ready'])
    expect(servers.audit.entries.map(({ kind, decision }) => [kind, decision])).toEqual([
      ['call', 'sent'],
      ['result', 'failed'],
      ['call', 'sent'],
      ['result', 'done'],
    ])
  })

  it('of an error that is nested too deeply fails its call too', async () => {
    const { servers } = await started(
      calling((message, wire) => wire.write(`{"jsonrpc":"2.0","id":${message.id},"error":{"code":1,"message":"no","data":${nested}}}\n`)),
    )
    await expect(call(servers, 'echo')).rejects.toEqual(fails('server.protocol'))
    expect(servers.state('raw').kind).toBe('ready')
  })
})

describe('what is nested too deeply', () => {
  it('in a definition loses that one, with a word on why', async () => {
    const { servers } = await started(
      older(version, (message, wire) => {
        if (message.method !== 'tools/list') return false
        wire.write(
          `{"jsonrpc":"2.0","id":${message.id},"result":{"tools":[{"name":"deep","inputSchema":{"type":"object","x":${nestedObjects}}},{"name":"echo","inputSchema":{"type":"object"}}]}}\n`,
        )
        return true
      }),
    )
    expect(servers.catalogue('raw').tools.map(({ name }) => name)).toEqual(['echo'])
    expect(servers.view('raw')?.warnings).toHaveLength(1)
  })

  it('in a question is refused, and the person is not asked', async () => {
    const { made, servers } = await started(older(version, () => false))
    made.wire.write(
      `{"jsonrpc":"2.0","id":"deep","method":"sampling/createMessage","params":{"maxTokens":1,"messages":[],"metadata":${nestedObjects}}}\n`,
    )
    await eventually(() => expect(made.wire.said()).toContain('error deep'))
    expect(servers.state('raw').kind).toBe('ready')
  })
})

describe('names', () => {
  it('of prototypes are names of tools like any other', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    const { servers } = await started(
      older(version, (message, wire) => {
        if (message.method === 'tools/list')
          wire.send(result(message, { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) }))
        else if (message.method === 'tools/call')
          wire.send(
            names.includes(String(message.params?.['name']))
              ? called(message, String(message.params?.['name']))
              : error(message, { code: -32602, message: 'no' }),
          )
        else return false
        return true
      }),
    )
    for (const name of names) expect(await call(servers, name)).toBe(name)
  })
})

it('half a line at the end of a server is in its log, and its call has an unknown outcome', async () => {
  const { servers } = await started(
    calling((message, wire) => {
      wire.write(`{"jsonrpc":"2.0","id":${message.id},"result":{"content":[{"type":"te`)
      wire.exit(9)
    }),
  )
  await expect(call(servers, 'echo')).rejects.toEqual(fails('tool.outcome-unknown', { because: 'server.exited', code: 9 }))
  await eventually(() =>
    expect(
      servers
        .log('raw')
        .lines.map(({ text }) => text)
        .join(),
    ).toContain('"type":"te'),
  )
  await servers.stop('raw')
})

it('a whole answer without a newline at the end of a server is an answer', async () => {
  const { servers } = await started(
    calling((message, wire) => {
      wire.write(line(called(message, 'last words')).trimEnd())
      wire.exit(0)
    }),
  )
  expect(await call(servers, 'echo')).toBe('last words')
  await servers.stop('raw')
})

describe('a call that times out', () => {
  it.each<[string, string, number]>([
    ['lines that are no protocol', 'reading…\nstill reading…\n', 26],
    ['a line without an end', 'x'.repeat(70_000), 70_000],
    ['an answer that never ends', '{"jsonrpc":"2.0","id":1,"result":{"content":[', 0],
  ])('tells how much was written of %s', async (_title, bytes, stray) => {
    const { servers } = await started(calling((_message, wire) => wire.write(bytes)))
    const failure = call(servers, 'echo', {}, { timeoutMs: 400 })
    await expect(failure).rejects.toMatchObject({ code: 'tool.timeout', data: stray === 0 ? {} : { stray } })
    await expect(failure).rejects.toThrow(stray === 0 ? /after \d+ s\.$/ : /B to stdout that is not MCP\.$|kB to stdout that is not MCP\.$/)
  })
})
