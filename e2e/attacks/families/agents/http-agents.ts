// Agents, pages and programs of other accounts at the port for agents. Written from SECURITY.md's row alone.
import { spawn } from 'node:child_process'
import { once as event } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { JsonObject } from '#app/json.ts'
import { systemClock } from '#main/base/clock.ts'
import { silentLog } from '#main/base/host-log.ts'
import { listenForAgents } from '#main/shell/mcp/agent-http.ts'
import { type GateStage, onGate, version, waits } from '../../agent.ts'
import { type Attack, bank, no, once, same, stolen, unless } from '../../attack.ts'
import { tool } from '../../puppet.ts'
import { type HeaderLine, openSocket, send } from '../../raw-client.ts'
import { until } from '../../stage.ts'
import { money, sent, toolCalls } from './agent-row.ts'

const revision = '2025-11-25'
const initialize = {
  method: 'initialize',
  params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'agent', version: '1' } },
}
const transfer = { method: 'tools/call', params: { name: 'transfer', arguments: money } }
const modern = (request: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...request,
  params: {
    ...(request['params'] as JsonObject),
    ...more,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    },
  },
})

interface Port {
  readonly port: number
  readonly token: string
  readonly id: string
  /** Headers as a good client sends them. */
  headers(change?: Readonly<Record<string, string | undefined>>): HeaderLine[]
  /** Posts a message with these headers, and resolves with the status and what came back. */
  post(
    message: JsonObject,
    headers?: Readonly<Record<string, string>>,
    method?: string,
  ): Promise<{ status: number; text: string; session: string }>
  /** Begins a session, and resolves with its id. */
  session(token?: string): Promise<string>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await event(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function openPort({ host, add }: GateStage): Promise<Port> {
  await host.listenForAgents((port, onOther) => listenForAgents({ host, port, version, log: silentLog, clock: systemClock, onOther }))
  await host.request('settings.set', { gateHttp: true, gatePort: await freePort() })
  let url = ''
  for (let at = 0; url === '' && at < 200; at += 1) {
    url = (await host.request('gate.list', {})).http.url ?? ''
    if (url === '') await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const { token, id } = await add()
  const port = Number(new URL(url).port)
  const good = {
    Host: `127.0.0.1:${port}`,
    Authorization: `Bearer ${token}`,
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
  }
  let last = 0
  const post: Port['post'] = async (message, headers = {}, method = 'POST') => {
    const { Host: _, ...usual } = good
    const answer = await fetch(url, {
      method,
      headers: { ...usual, ...headers },
      ...(method === 'POST' ? { body: JSON.stringify({ jsonrpc: '2.0', id: ++last, ...message }) } : {}),
    })
    return { status: answer.status, text: await answer.text(), session: answer.headers.get('mcp-session-id') ?? '' }
  }
  return {
    port,
    token,
    id,
    headers: (change = {}) =>
      Object.entries({ ...good, ...change }).flatMap(([name, value]): HeaderLine[] => (value === undefined ? [] : [[name, value]])),
    post,
    session: async (of = token) => (await post(initialize, { Authorization: `Bearer ${of}` })).session,
  }
}

/** Plays an attack at the port; then the same call of an agent that may make it. */
const row = (name: string, play: (stage: GateStage, port: Port) => Promise<readonly string[]>): Attack => ({
  family: 'agents',
  name: `over HTTP ${name}`,
  run: () =>
    onGate(
      () => ({ bank, mail: { tools: () => [tool('send'), tool('inbox')] } }),
      async (stage) => {
        const at = await openPort(stage)
        const wrong = await play(stage, at)
        stage.effects.length = 0
        stage.setPerson(once)
        const { token } = await stage.add({ name: 'Control' })
        const session = await at.session(token)
        await at.post(transfer, { Authorization: `Bearer ${token}`, 'Mcp-Session-Id': session })
        return [...wrong, ...same('control', stage.effects, [stolen])]
      },
    ),
})

/** A request that is refused, with nothing asked, run or told of who is there. */
const refused = (name: string, change: (at: Port) => Readonly<Record<string, string | undefined>>, statuses: readonly number[]): Attack =>
  row(`${name} is refused`, async (stage, at) => {
    stage.setPerson(once)
    const session = await at.session()
    const headers = [...at.headers(change(at)), ['Mcp-Session-Id', session] as const]
    const found: string[] = []
    for (const message of [initialize, { method: 'tools/list' }, transfer, modern(transfer)]) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })
      const {
        status,
        headers: told,
        body: said,
      } = await send(at.port, {
        method: 'POST',
        target: '/mcp',
        headers: [...headers, ['Content-Length', String(Buffer.byteLength(body))]],
        body,
      })
      found.push(
        ...unless(statuses.includes(status), `${message.method}: ${status}`),
        ...unless(!said.includes('transfer') && !told.has('mcp-session-id'), `${message.method}: ${said}`),
        ...unless(![...told.keys()].some((header) => header.startsWith('access-control')), 'other origins are let in'),
      )
    }
    return [...found, ...same('happened', stage.effects, []), ...same('asked', toolCalls(stage), 0)]
  })

const noToken = [401] as const
const strangers = [
  refused('a request without a token', () => ({ Authorization: undefined }), noToken),
  refused('an empty token', () => ({ Authorization: 'Bearer ' }), noToken),
  refused('a token that is none', () => ({ Authorization: `Bearer assent_mcp_${'A'.repeat(43)}` }), noToken),
  refused('a token cut by one letter', ({ token }) => ({ Authorization: `Bearer ${token.slice(0, -1)}` }), noToken),
  refused('a token in capitals', ({ token }) => ({ Authorization: `Bearer ${token.toUpperCase()}` }), noToken),
  refused('a token without its scheme', ({ token }) => ({ Authorization: token }), noToken),
  refused(
    'a token as a password',
    ({ token }) => ({ Authorization: `Basic ${Buffer.from(`agent:${token}`).toString('base64')}` }),
    noToken,
  ),
  refused(
    'a token in a cookie',
    ({ token }) => ({ Authorization: undefined, Cookie: `Authorization=Bearer ${token}; token=${token}` }),
    noToken,
  ),
  refused('a token in another header', ({ token }) => ({ Authorization: undefined, 'X-Api-Key': token }), noToken),
  refused('the id of an entry for its token', ({ id }) => ({ Authorization: `Bearer ${id}` }), noToken),
  refused('two tokens', ({ token }) => ({ Authorization: `Bearer ${token}, Bearer ${token}` }), noToken),
]

const evil = 'evil.example'
const rebound = [
  ...(
    [
      ['the name of a site', () => evil],
      ['the name of a site with the port', ({ port }) => `${evil}:${port}`],
      ['a name that begins like ours', ({ port }) => `127.0.0.1.${evil}:${port}`],
      ['a name below localhost', ({ port }) => `${evil}.localhost:${port}`],
      ['our name with a dot', ({ port }) => `localhost.:${port}`],
      ['our name with another port', ({ port }) => `127.0.0.1:${port + 1}`],
      ['our name without a port', () => '127.0.0.1'],
      ['0.0.0.0', ({ port }) => `0.0.0.0:${port}`],
      ['our address as one number', ({ port }) => `2130706433:${port}`],
      ['a user before our name', ({ port }) => `${evil}@127.0.0.1:${port}`],
    ] satisfies [string, (at: Port) => string][]
  ).map(([name, host]) => refused(`${name} as Host, with a good token,`, (at) => ({ Host: host(at) }), [400, 421])),
  refused('no Host', () => ({ Host: undefined }), [400, 421]),
  ...(
    [
      ['that of a site', () => `https://${evil}`],
      ['null', () => 'null'],
      ['that of a file', () => 'file://'],
      ['that of an extension', () => 'chrome-extension://abcdefghijklmnopabcdefghijklmnop'],
      ['that of another port', ({ port }) => `http://127.0.0.1:${port + 1}`],
      ['ours over TLS', ({ port }) => `https://127.0.0.1:${port}`],
      ['one that begins like ours', ({ port }) => `http://127.0.0.1:${port}.${evil}`],
      ['an empty one', () => ''],
    ] satisfies [string, (at: Port) => string][]
  ).map(([name, origin]) => refused(`${name} as Origin, with a good token,`, (at) => ({ Origin: origin(at) }), [403])),
  refused('a request that a browser marks as of another site', () => ({ 'Sec-Fetch-Site': 'cross-site' }), [403]),
  refused('a request that claims to be forwarded', () => ({ 'X-Forwarded-Host': evil }), [403]),
  refused('a body that a page may send unasked', () => ({ 'Content-Type': 'text/plain', Origin: `https://${evil}` }), [403]),
  row('a page’s question whether it may is answered with no', async (stage, at) => {
    const { status, headers } = await send(at.port, {
      method: 'OPTIONS',
      target: '/mcp',
      headers: at.headers({ Origin: `https://${evil}`, 'Access-Control-Request-Method': 'POST', Authorization: undefined }),
    })
    return [
      ...unless(status === 403 || status === 405, `status ${status}`),
      ...unless(![...headers.keys()].some((header) => header.startsWith('access-control')), 'other origins are let in'),
      ...same('happened', stage.effects, []),
    ]
  }),
]

const otherSessions = [
  row('a session of another agent is not there, whatever is asked of it', async (stage, at) => {
    stage.setPerson(once)
    const other = await stage.add({ name: 'Mail', servers: ['mail'] })
    const session = await at.session(other.token)
    const found: string[] = []
    for (const method of ['GET', 'DELETE'])
      found.push(...same(method, (await at.post({}, { 'Mcp-Session-Id': session, Accept: 'text/event-stream' }, method)).status, 404))
    const call = await at.post({ method: 'tools/call', params: { name: 'send', arguments: money } }, { 'Mcp-Session-Id': session })
    const answered = await at.post({ id: 1, result: {} }, { 'Mcp-Session-Id': session })
    found.push(...same('call', call.status, 404), ...same('answer', answered.status, 404), ...same('happened', stage.effects, []))
    await at.post(
      { method: 'tools/call', params: { name: 'send', arguments: money } },
      { 'Mcp-Session-Id': session, Authorization: `Bearer ${other.token}` },
    )
    return [...found, ...same('its own', stage.effects, [sent])]
  }),
  row('guessed sessions are not there', async (stage, at) => {
    stage.setPerson(once)
    const session = await at.session()
    const guesses = [session.slice(0, -1), `${session}A`, session.toUpperCase(), '0', 'undefined', '__proto__', '*']
    const found = await Promise.all(guesses.map(async (guess) => (await at.post(transfer, { 'Mcp-Session-Id': guess })).status))
    return [...same('statuses', [...new Set(found)], [404]), ...same('happened', stage.effects, [])]
  }),
  row('a session ends with its token, and its stream too', async (stage, at) => {
    stage.setPerson(once)
    const session = await at.session()
    const stream = at.post({}, { 'Mcp-Session-Id': session, Accept: 'text/event-stream' }, 'GET')
    await at.post({ method: 'ping' }, { 'Mcp-Session-Id': session })
    await stage.host.request('gate.renewToken', { id: at.id })
    const ended = await stream
    const { status } = await at.post(transfer, { 'Mcp-Session-Id': session })
    return [...same('stream', ended.status, 200), ...same('status', status, 401), ...same('happened', stage.effects, [])]
  }),
  row('tools of a server that is not offered are not there in either era', async (stage, at) => {
    stage.setPerson(once)
    const session = await at.session()
    const send_ = { method: 'tools/call', params: { name: 'send', arguments: money } }
    await at.post(send_, { 'Mcp-Session-Id': session })
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'send' }
    const { text } = await at.post(modern(send_), headers)
    return [...same('happened', stage.effects, []), ...unless(!text.includes('ran'), text), ...same('asked', toolCalls(stage), 0)]
  }),
  row('a denied call runs in neither era', async (stage, at) => {
    stage.setPerson(no)
    await at.post(transfer, { 'Mcp-Session-Id': await at.session() })
    await at.post(modern(transfer), { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'transfer' })
    return [...same('happened', stage.effects, []), ...same('asked', toolCalls(stage), 2)]
  }),
  row('a state that another agent was given goes on with nothing', async (stage, at) => {
    stage.setPerson(once)
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'transfer' }
    const { text } = await at.post(modern(transfer, { requestState: 'A'.repeat(32), inputResponses: { x: { action: 'accept' } } }), headers)
    return [...unless(text.includes('requestState'), text), ...same('happened', stage.effects, [])]
  }),
]

const floods = [
  row('a flood of calls opens no more than sixteen questions, and nothing runs', async (stage, at) => {
    stage.setPerson(() => undefined)
    const session = await at.session()
    const stop = new AbortController()
    for (let count = 0; count < 300; count += 1)
      void fetch(`http://127.0.0.1:${at.port}/mcp`, {
        method: 'POST',
        headers: Object.fromEntries([...at.headers({ Host: undefined }), ['Mcp-Session-Id', session]]),
        body: JSON.stringify({ jsonrpc: '2.0', id: count, ...transfer }),
        signal: stop.signal,
      }).catch(() => undefined)
    await waits(stage)
    await new Promise((resolve) => setTimeout(resolve, 2000))
    const open = stage.host.context.broker.open().length
    stop.abort()
    await until('no question', () => stage.host.context.broker.open().length === 0)
    return [...same('happened', stage.effects, []), ...unless(open <= 16, `${open} questions at once`)]
  }),
  row('one entry holds no more than 32 connections, and others still get in', async (stage, at) => {
    await Promise.all(Array.from({ length: 60 }, () => at.session()))
    const { clients } = await stage.host.request('gate.list', {})
    const held = Math.max(...clients.map(({ connections }) => connections.length))
    return unless(held <= 32 && held > 20, `connections: ${held}`)
  }),
  row('200 silent connections keep nobody out', async (_stage, at) => {
    const sockets = await Promise.all(Array.from({ length: 200 }, () => openSocket(at.port)))
    const { status } = await at.post(initialize)
    for (const socket of sockets) socket.destroy()
    return same('status', status, 200)
  }),
  row('a body of 64 MB is refused, said or not, with a token and without', async (stage, at) => {
    const found: string[] = []
    const before = process.memoryUsage().rss
    for (const token of [at.token, 'none'])
      for (const length of [[['Content-Length', '64000000']], [['Transfer-Encoding', 'chunked']]] as const) {
        const chunk = `10000\r\n${'m'.repeat(0x10000)}\r\n`
        const body = length[0][0] === 'Content-Length' ? '{' : chunk.repeat(200)
        const { status } = await send(at.port, {
          method: 'POST',
          target: '/mcp',
          headers: [...at.headers({ Authorization: `Bearer ${token}` }), ...length],
          body,
        })
        found.push(...unless([413, 401, 0].includes(status), `status ${status}`))
      }
    const grown = (process.memoryUsage().rss - before) / 1_000_000
    return [...found, ...unless(grown < 200, `${grown} MB more`), ...same('happened', stage.effects, [])]
  }),
  row('a batch of calls, lists within lists and what is no message run nothing', async (stage, at) => {
    stage.setPerson(no)
    const session = await at.session()
    const bodies = [
      JSON.stringify(Array.from({ length: 1000 }, (_, id) => ({ jsonrpc: '2.0', id, ...transfer }))),
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      '{"jsonrpc":"2.0","id":1,"method":',
      'null',
      '{"jsonrpc":"1.0"}',
    ]
    const found: string[] = []
    for (const body of bodies) {
      const headers = [...at.headers(), ['Mcp-Session-Id', session], ['Content-Length', String(body.length)]] as const
      const { status } = await send(at.port, { method: 'POST', target: '/mcp', headers, body })
      found.push(...unless(status >= 400 && status < 500, `status ${status} for ${body.slice(0, 30)}`))
    }
    return [...found, ...same('happened', stage.effects, [])]
  }),
]

/** `nobody` of Linux. */
const otherAccount = 65_534
const canSwitch = process.platform === 'linux' && process.getuid?.() === 0
const accounts: Attack[] = [
  {
    ...row('a program of another account is refused with a good token', async (stage, at) => {
      stage.setPerson(once)
      const session = await at.session()
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...transfer })
      const headers = [...at.headers(), ['Mcp-Session-Id', session], ['Content-Length', String(body.length)], ['Connection', 'close']]
      const lines = ['POST /mcp HTTP/1.1', ...headers.map(([name, value]) => `${name}: ${value}`), '', body]
      const child = spawn('/bin/bash', ['--norc', '-c', `exec 3<>/dev/tcp/127.0.0.1/${at.port}; cat >&3; timeout 5 cat <&3`], {
        ...{ uid: otherAccount, gid: otherAccount, cwd: '/', env: { PATH: '/usr/bin:/bin' } },
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      let said = ''
      child.stdout.setEncoding('latin1').on('data', (more: string) => {
        said += more
      })
      child.stdin.end(lines.join('\r\n'))
      await event(child, 'close')
      const { rows } = await stage.host.request('audit.list', { limit: 50 })
      return [
        ...same('status', said.slice(9, 12), '403'),
        ...same('happened', stage.effects, []),
        ...unless(
          rows.some(({ detail }) => detail['account'] === otherAccount),
          'it is not on record',
        ),
      ]
    }),
    ...(canSwitch ? {} : { skip: 'only root of Linux can become another account' }),
  },
]

export const httpAgents = [...strangers, ...rebound, ...otherSessions, ...floods, ...accounts]
