import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { makeCliBench } from '#main/shell/cli/cli.testing.ts'
import { startModelServer } from '../../../model-server/server.ts'
import { rawResource } from '../../../servers/http/oauth.ts'
import { type Attack, once, same, unless } from '../../attack.ts'
import { order } from '../../obey.ts'
import { saying, tool } from '../../puppet.ts'
import { onStage, until } from '../../stage.ts'
import { signInAt } from '../sign-in.ts'
import { base64, family, filesOf, found, hex, keep, kept, more, plain, secret } from './kept-secrets.ts'

/** A remote server that says the header back which only the person's secret can be. */
const remote = (name: string, answer: (token: string, request: IncomingMessage, response: ServerResponse) => void): Attack => ({
  family,
  name: `of a remote server: ${name}`,
  async run() {
    const value = 'Tk4-Bq8-Vn2-Xs6-Jd1-Lp9'
    const heard: string[] = []
    const server = createServer((request, response) => {
      const token = String(request.headers['x-api-key'] ?? '')
      heard.push(token)
      answer(token, request, response)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    try {
      const { port } = server.address() as AddressInfo
      return await onStage(
        () => ({}),
        async (stage) => {
          await keep(stage, value)
          await stage.host.request('server.inspect', { name: 'hostile', mode: 'on' })
          const error = await stage.host.request('server.start', { name: 'hostile' }).then(
            () => '',
            (thrown: Error) => JSON.stringify([thrown.message, thrown]),
          )
          const doctor = await stage.host.request('server.doctor', { name: 'hostile' }).catch(() => '')
          const places = { ...(await kept(stage)), error, doctor: JSON.stringify(doctor) }
          return [
            ...found(places, [value, base64(value), hex(value)]),
            ...unless(heard.includes(value), 'control: it was not given the value'),
            ...unless(JSON.stringify(places).includes('PWN'), `control: nothing that it said is kept: ${error}`),
          ]
        },
        {
          others: { hostile: { url: `http://127.0.0.1:${port}/mcp`, headers: { 'x-api-key': `\${input:token}` } } },
          starts: [],
        },
      )
    } finally {
      server.closeAllConnections()
      server.close()
    }
  },
})

/** The access token of a sign-in, said back by the server that it was presented to. */
const accessToken: Attack = {
  family,
  name: 'of a remote server: the access token of a sign-in, in log and result',
  async run() {
    const resource = await rawResource()
    try {
      return await onStage(
        () => ({}),
        async (stage) => {
          await signInAt(stage)
          await stage.host.request('server.inspect', { name: 'remote', mode: 'on' })
          stage.setPerson(once)
          const [header = ''] = resource.presented('tools/list').filter((one) => one !== undefined)
          const token = header.replace('Bearer ', '')
          let call = ''
          resource.behave.onCall = async () => {
            call = token
          }
          const id = await stage.turn(order('remote__echo', { text: `PWN ${token} ${base64(token)}` }))
          const { messages } = await stage.host.request('server.messages', { name: 'remote', after: 0 })
          const { text } = await stage.host.request('export.read', { id, format: 'json' })
          const { rows } = await stage.host.request('audit.list', { limit: 500 })
          const places = { inspector: JSON.stringify(messages), export: text, record: JSON.stringify(rows) }
          return [
            ...found(places, [token, base64(token)]),
            ...unless(token.length > 10 && call === token, `control: no token was presented: ${header}`),
            ...unless(places.inspector.includes('PWN'), 'control: the call is not in the inspector'),
          ]
        },
        { others: { remote: { url: resource.url } }, starts: [] },
      )
    } finally {
      await resource.close()
    }
  },
}

/** A model’s key that its endpoint says back in an error. */
const modelKey: Attack = {
  family,
  name: 'of a model: its key in the error of its endpoint',
  async run() {
    const bench = makeCliBench()
    const key = 'sk-live-7Hq2-Vx9b-Kz4m-Tn6w'
    const words = `PWN Incorrect API key provided: ${key}, in base64 ${base64(key)}, in hex ${hex(key)}, ${encodeURIComponent(`x=${key}`)}.`
    const model = await startModelServer({ script: () => ({ kind: 'error', status: 401, type: 'authentication_error', message: words }) })
    try {
      const data = join(bench.folder, 'data')
      const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: model.url }
      const places: Record<string, string> = {}
      for (const more of [[], ['--json'], ['--verbose']]) {
        const { stdout, stderr } = await bench.runShared(
          ['chat', '-p', 'hello', '--model', 'claude-large-1', '--data-dir', data, ...more],
          env,
        )
        places[`chat ${more.join()}`] = `${stdout}${stderr}`
      }
      const audit = await bench.runShared(['audit', '--json', '--data-dir', data])
      const chats = await bench.runShared(['export', '--all', '--data-dir', data], env)
      Object.assign(
        places,
        { audit: audit.stdout, export: chats.stdout },
        filesOf(data, (path) => !path.includes('keyring')),
      )
      return [
        ...found(places, [key, base64(key), hex(key)]),
        ...unless(
          model.requests.some(({ headers }) => JSON.stringify(headers).includes(key)),
          'control: the key was not used',
        ),
      ]
    } finally {
      await model.close()
      await bench.remove()
    }
  },
}

/** What a person saves to show to others: the report of a crash and a copy of the messages. */
const crash: Attack = {
  family,
  name: 'of a server that dies in the middle of a call: its state, its log and the record',
  run: () =>
    onStage(
      () => ({
        hostile: {
          tools: () => [tool('die')],
          call(_call, wire) {
            wire.send({
              jsonrpc: '2.0',
              method: 'notifications/message',
              params: { level: 'error', logger: secret, data: { [secret]: secret, plain } },
            })
            wire.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: secret, message: secret } })
            wire.send({ jsonrpc: '2.0', method: secret, params: { [secret]: secret } })
            return { ...saying(secret), isError: true, _meta: { [secret]: secret } }
          },
        },
      }),
      async (stage) => {
        stage.setPerson(once)
        await keep(stage, secret)
        await stage.host.request('server.inspect', { name: 'hostile', mode: 'on' })
        await stage.host.request('server.start', { name: 'hostile' })
        await stage.turn(order('hostile__die'))
        const places = await kept(stage)
        return [
          ...found(places, [secret]),
          ...unless(String(places['log']).includes('Ab1~c2'), 'control: what is no secret is not in the log either'),
        ]
      },
      { more: { hostile: more }, starts: [] },
    ),
}

/** Names that a server gives, which the page, the catalogue on disk and the record keep. */
const named: Attack = {
  family,
  name: 'of a server that is called by it: the record, the log and the inspector',
  run: () =>
    onStage(
      () => ({
        hostile: {
          hello: { serverInfo: { name: secret, title: secret, version: secret }, instructions: secret },
          tools: () => [tool('say', { title: secret, description: secret }), tool(`t_${hex(secret)}`.slice(0, 60))],
          call: () => plain,
        },
      }),
      async (stage) => {
        stage.setPerson(once)
        await keep(stage, secret)
        await stage.host.request('server.inspect', { name: 'hostile', mode: 'on' })
        await stage.host.request('server.start', { name: 'hostile' })
        await until('the tools', () => stage.host.context.servers.catalogue('hostile').tools.length > 0)
        await stage.turn(order('hostile__say', { note: secret }))
        const { page: _page, ...places } = await kept(stage)
        return [...found(places, [secret]), ...same('control: it ran', stage.effects.length > 0, true)]
      },
      { more: { hostile: more }, starts: [] },
    ),
}

export const remoteSecrets: readonly Attack[] = [
  remote(
    'in the page of a 500',
    (token, _request, response) =>
      void response.writeHead(500, { 'content-type': 'text/plain' }).end(`PWN ${token} ${base64(token)} ${hex(token)}`),
  ),
  remote(
    'in the challenge of a 401',
    (token, _request, response) =>
      void response
        .writeHead(401, { 'www-authenticate': `Bearer realm="PWN ${token}", error="invalid_token", error_description="${base64(token)}"` })
        .end(`PWN ${token}`),
  ),
  remote(
    'in the status line and the type',
    (token, _request, response) =>
      void response.writeHead(418, `PWN ${token}`, { 'content-type': `text/${token}`, 'x-said': token }).end(`PWN ${token}`),
  ),
  remote(
    'in the address of a redirect',
    (token, _request, response) =>
      void response.writeHead(307, { location: `https://127.0.0.1:1/PWN?key=${token}&b=${base64(token)}` }).end(),
  ),
  remote('in a stream that breaks', (token, _request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(
      `event: PWN ${token}\ndata: {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"PWN ${token} ${base64(token)}"}}\n\n`,
    )
    response.end(`data: {"PWN ${token}`)
  }),
  accessToken,
  modelKey,
  crash,
  named,
]
