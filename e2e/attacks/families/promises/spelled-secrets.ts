// A secret of the person's in more spellings, cut in two, of many lines or made of fields, and in more places: errors, the doctor's report, the log
// on disk, a backup, what a remote server, its issuer or a model says back. Written from the promise that known secrets are masked, not from the code.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { type CliBench, makeCliBench } from '#main/shell/cli/cli.testing.ts'
import { type Attack, once, unless } from '../../attack.ts'
import { order } from '../../obey.ts'
import { entryOf, type Part, startPuppet, tool } from '../../puppet.ts'
import { onStage } from '../../stage.ts'
import { maskedRow } from '../outsiders/said-back.ts'
import { base64, escaped, family, filesOf, found, hex, keep, kept, more, plain, secret } from './kept-secrets.ts'
import { remoteSecrets } from './remote-secrets.ts'

/** Each has to leave the words of `plain` alone, so that it is seen whether the place is read. */
const spellings: readonly (readonly [name: string, spell: (text: string) => string])[] = [
  ['as JSON, every letter escaped', (text) => escaped(text)],
  ['as JSON, every letter escaped in capitals', (text) => escaped(text, true)],
  ['as JSON with escaped slashes', (text) => JSON.stringify({ t: text }).replaceAll('/', '\\/')],
  ['as JSON thrice over', (text) => JSON.stringify(JSON.stringify(JSON.stringify({ t: text })))],
  ['URL-encoded in small letters', (text) => encodeURIComponent(text).replaceAll(/%../g, (one) => one.toLowerCase())],
  [
    'URL-encoded in letters of both cases',
    (text) => encodeURIComponent(text).replaceAll(/%../g, (one, at: number) => (at % 2 ? one.toLowerCase() : one)),
  ],
  ['URL-encoded twice', (text) => encodeURIComponent(encodeURIComponent(text))],
  ['URL-encoded base64 in small letters', (text) => encodeURIComponent(base64(text)).replaceAll(/%../g, (one) => one.toLowerCase())],
  ['base64 of URL-encoded', (text) => base64(encodeURIComponent(text))],
  ['base64 of its JSON', (text) => base64(JSON.stringify({ token: text }))],
  ['base64 twice', (text) => base64(base64(text))],
  ['in base64 in lines of 76', (text) => base64(`${'x'.repeat(41)}${text}${'y'.repeat(40)}`).replaceAll(/.{76}/g, '$&\r\n')],
  ['in base64 in lines of 16', (text) => base64(text).replaceAll(/.{16}/g, '$&\n')],
  ['in hex, letters of both cases', (text) => hex(text).replaceAll(/[a-f]/g, (one, at: number) => (at % 2 ? one.toUpperCase() : one))],
  ['in hex, byte by byte', (text) => (hex(text).match(/../g) ?? []).join(':')],
  ['hex of its base64', (text) => hex(base64(text))],
  ['within an address', (text) => `https://user:${encodeURIComponent(text)}@example.org/?key=${encodeURIComponent(text)}`],
]

/** A value of another form than one line, said back in another way than it was given. */
const formed = (name: string, value: string, says: (value: string) => readonly string[], parts: readonly string[]): Attack => ({
  family,
  name,
  run: () =>
    onStage(
      () => ({
        hostile: {
          tools: () => [tool('say')],
          call(_call, wire) {
            for (const text of says(value))
              wire.send({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', data: `${text} ${plain}` } })
            return says(value).join('\n')
          },
        },
      }),
      async (stage) => {
        stage.setPerson(once)
        await keep(stage, value)
        await stage.host.request('server.inspect', { name: 'hostile', mode: 'on' })
        await stage.host.request('server.start', { name: 'hostile' })
        const id = await stage.turn(order('hostile__say'))
        const { text } = await stage.host.request('export.read', { id, format: 'json' })
        const places: Record<string, string> = { ...(await kept(stage)), export: text }
        return [
          ...found(places, parts),
          ...unless(found({ log: String(places['log']) }, [plain]).length > 0, 'control: what is no secret is not in the log either'),
        ]
      },
      { more: { hostile: more }, starts: [] },
    ),
})

const pem = `-----BEGIN PRIVATE KEY-----\n${['MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEA', 'AoIBAQC7VJTUt9Us8cKjMzEfYyjiWA4R4/M2bS1GB4t7', 'NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvuNMoS'].join('\n')}\n-----END PRIVATE KEY-----\n`
const pemLines = pem.split('\n').slice(1, 4)
const fields = {
  type: 'service_account',
  client_email: 'bot@lab-1.example',
  private_key_id: '9f3c1be07a5d',
  private_key: pem,
  token: 'Qx9-Lm2-Tz7-Wp4-Rk8',
}

/** A server whose stderr comes in these pieces. */
const stderrOf = (name: string, pieces: readonly string[], parts: readonly string[]): Attack => ({
  family,
  name,
  async run() {
    const bench = makeCliBench()
    const file = join(bench.folder, 'says.mjs')
    writeFileSync(
      file,
      `const pieces = ${JSON.stringify(pieces)}
      const next = () => {
        const piece = pieces.shift()
        if (piece === undefined) return setTimeout(() => process.exit(3), 200)
        process.stderr.write(piece, () => setTimeout(next, 60))
      }
      next()`,
    )
    try {
      const data = join(bench.folder, 'data')
      const mcpServers = { hostile: { command: process.execPath, args: [file], ...more } }
      const config = join(bench.folder, 'c.json')
      writeFileSync(config, JSON.stringify({ mcpServers }))
      const env = { ASSENT_INPUT_TOKEN: secret }
      const runs = {
        doctor: await bench.runShared(['doctor', 'hostile', '--config', config, '--approve', 'all', '--verbose', '--data-dir', data], env),
        'doctor --json': await bench.runShared(
          ['doctor', 'hostile', '--config', config, '--approve', 'all', '--json', '--data-dir', data],
          env,
        ),
        'servers --json': await bench.runShared(['servers', '--config', config, '--approve', 'all', '--json', '--data-dir', data], env),
        call: await bench.runShared(['call', 'hostile', 'x', '--config', config, '--approve', 'all', '--verbose', '--data-dir', data], env),
      }
      const places = {
        ...Object.fromEntries(Object.entries(runs).map(([where, { stdout, stderr }]) => [where, `${stdout}${stderr}`])),
        ...filesOf(data, () => true),
      }
      return [
        ...found(places, parts),
        ...unless(
          found({ doctor: places['doctor --json'] ?? '' }, ['PWN']).length > 0,
          `control: its stderr is not in the report: ${places['doctor --json']}`,
        ),
      ]
    } finally {
      await bench.remove()
    }
  },
})

const said = (bench: CliBench, name: string, part: Part, args: readonly string[], control: string): Promise<readonly string[]> =>
  (async () => {
    const puppet = await startPuppet('s', part, () => {})
    try {
      const config = join(bench.folder, 'c.json')
      writeFileSync(config, JSON.stringify({ mcpServers: { s: { ...entryOf(puppet), ...more } } }))
      const data = join(bench.folder, 'data')
      const line = [...args, '--config', config, '--approve', 'all', '--data-dir', data]
      const run = await bench.runShared(line, { ASSENT_INPUT_TOKEN: secret })
      const json = await bench.runShared([...line, '--json'], { ASSENT_INPUT_TOKEN: secret })
      const audit = await bench.runShared(['audit', '--json', '--data-dir', data])
      const places = {
        [name]: `${run.stdout}${run.stderr}`,
        [`${name} --json`]: `${json.stdout}${json.stderr}`,
        'audit --json': `${audit.stdout}${audit.stderr}`,
        ...filesOf(join(data, 'logs'), () => true),
      }
      return [
        ...found(places, [secret, base64(secret), encodeURIComponent(secret), hex(secret)]),
        ...unless(`${run.stdout}${run.stderr}`.includes(control), `control: it was not said: ${run.stdout}${run.stderr}`),
      ]
    } finally {
      await puppet.close()
    }
  })()
const onCommandLine = (name: string, part: (words: string) => Part, args: readonly string[]): Attack => ({
  family,
  name: `on the command line: ${name}`,
  async run() {
    const bench = makeCliBench()
    try {
      const words = `PWN ${secret} ${base64(secret)} ${encodeURIComponent(secret)} ${hex(secret)} END`
      return await said(bench, args.join(' '), part(words), args, 'PWN')
    } finally {
      await bench.remove()
    }
  },
})
const failing =
  (method: string) =>
  (words: string): Part => ({
    tools: () => [tool('say')],
    own(message, wire) {
      if (message.method !== method) return false
      wire.send({ jsonrpc: '2.0', id: message.id, error: { code: -32000, message: words, data: { [words]: words } } })
      return true
    },
  })

const halves = [secret.slice(0, 14), secret.slice(14)] as const
export const spelledSecrets: readonly Attack[] = [
  ...spellings.map(([name, spell]) => maskedRow([`more: ${name}`, spell])),
  formed('a key of several lines, said line by line', pem, (value) => value.split('\n'), pemLines),
  formed(
    'a key of several lines, said as one line',
    pem,
    (value) => [value.replaceAll('\n', ''), value.replaceAll('\n', '\\n'), value.replaceAll('\n', '\r\n')],
    pemLines,
  ),
  formed(
    'JSON with its fields in another order and spacing',
    JSON.stringify(fields),
    (value) => {
      const read = JSON.parse(value) as JsonObject
      return [JSON.stringify(Object.fromEntries(Object.entries(read).reverse()), null, 2), `token: ${String(read['token'])}`]
    },
    [fields.token, ...pemLines],
  ),
  formed(
    'two words of a key pair, said in the other order',
    'AKIAZQ7XV9KM:9hT2/wLq+Zr4Xb8Nd6Vc',
    (value) => [value.split(':').reverse().join(':'), value.split(':').join(' / ')],
    ['9hT2/wLq+Zr4Xb8Nd6Vc'],
  ),
  formed('a key with a scheme before it, said without', 'Bearer Gx5-Tm8-Qw1-Zr9-Hb3', (value) => [value.replace('Bearer ', 'token=')], [
    'Gx5-Tm8-Qw1-Zr9-Hb3',
  ]),
  formed(
    'letters outside of ASCII',
    'Grüße-Ключ-密码-9xT4',
    (value) => [escaped(value), encodeURIComponent(value), base64(value), hex(value), value.normalize('NFD')],
    [
      escaped('Grüße-Ключ-密码-9xT4'),
      encodeURIComponent('Grüße-Ключ-密码-9xT4'),
      base64('Grüße-Ключ-密码-9xT4'),
      hex('Grüße-Ключ-密码-9xT4'),
      'Grüße-Ключ-密码-9xT4'.normalize('NFD'),
    ],
  ),
  stderrOf('stderr in two pieces of one line', [`PWN ${halves[0]}`, `${halves[1]} END\n`], [secret, ...halves]),
  stderrOf('stderr in two lines', [`PWN ${halves[0]}\n`, `${halves[1]} END\n`], [...halves]),
  stderrOf(
    'stderr, base64 in two pieces of one line',
    [`PWN ${base64(secret).slice(0, 20)}`, `${base64(secret).slice(20)} END\n`],
    [base64(secret)],
  ),
  stderrOf('stderr without a line end', [`PWN ${secret}`], [secret]),
  stderrOf('stderr with a code between its letters', [`PWN ${halves[0]}\u001b[0m${halves[1]}\u001b[K END\n`], [secret, ...halves]),
  stderrOf('stderr in a line of 100,000 letters', [`PWN ${'x'.repeat(50_000)}${secret}${'y'.repeat(50_000)}\n`], [secret]),
  onCommandLine('a call that is refused', failing('tools/call'), ['call', 's', 'say', '{}']),
  onCommandLine('a handshake that is refused', failing('initialize'), ['doctor', 's']),
  onCommandLine('a list that is refused', failing('tools/list'), ['servers']),
  ...remoteSecrets,
]
