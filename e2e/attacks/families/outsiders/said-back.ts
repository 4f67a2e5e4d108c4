// A secret of the person's that a server says back, in every spelling that it might choose: it is in no log, record,
// recording or exported chat.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { JsonObject } from '#app/json.ts'
import { makeCliBench } from '#main/shell/cli/cli.testing.ts'
import { type Attack, once } from '../../attack.ts'
import { order } from '../../obey.ts'
import { type Part, saying, tool } from '../../puppet.ts'
import { onStage, type Stage } from '../../stage.ts'

const family = 'secrets said back'
/** Long, with what each encoding has to change. */
const secret = 'Zq7~v9/Kx+3=Wm&8t"Lr5 Hy2?Nb6'
/** Text of the same form that is nobody's secret. It shows that the place is read at all. */
const plain = 'Ab1~c2/De+4=Fg&6h"Ij7 Kl8?Mn9'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const percent = (text: string): string => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const spellings: readonly (readonly [name: string, spell: (text: string) => string])[] = [
  ['plain', (text) => text],
  ['in base64', base64],
  ['in base64 without its end', (text) => base64(text).replace(/=+$/, '')],
  ['in base64 behind one letter', (text) => base64(`u${text}`)],
  ['in base64 behind two letters', (text) => base64(`us${text}`)],
  ['in base64 behind a name', (text) => base64(`user:${text}`)],
  ['in base64 with more behind it', (text) => base64(`${text}\n`)],
  ['in base64url', (text) => Buffer.from(text).toString('base64url')],
  ['in base64url behind a name', (text) => Buffer.from(`x:${text}:y`).toString('base64url')],
  ['in hex', (text) => Buffer.from(text).toString('hex')],
  ['in hex of capitals', (text) => Buffer.from(text).toString('hex').toUpperCase()],
  ['URL-encoded', (text) => encodeURIComponent(text)],
  ['URL-encoded as a form', (text) => new URLSearchParams({ t: text }).toString()],
  ['URL-encoded, every byte', percent],
  ['URL-encoded, every byte in capitals', (text) => percent(text).replaceAll(/%../g, (part) => part.toUpperCase())],
  ['URL-encoded base64', (text) => encodeURIComponent(base64(text))],
  ['as JSON', (text) => JSON.stringify({ t: text })],
  ['as JSON within JSON', (text) => JSON.stringify(JSON.stringify({ t: text }))],
  ['within a word', (text) => `abc${text}def`],
  ['twice, side by side', (text) => text + text],
]

const letters = (text: string): string[] => {
  const forms = new Set([text])
  for (const form of [...forms]) forms.add(JSON.stringify(form).slice(1, -1))
  for (const form of [...forms]) forms.add(JSON.stringify(form).slice(1, -1))
  return [...forms]
}
const holds = (place: string, words: string): boolean => letters(words).some((form) => place.includes(form))

/** The letters before and behind it. */
function excerpt(text: string, wanted: readonly string[]): string {
  const at = Math.max(...wanted.flatMap(letters).map((form) => text.indexOf(form)))
  return text.slice(Math.max(0, at - 120), at + 120)
}

const more = (where: 'env' | 'plain-env'): JsonObject => ({ env: { API_TOKEN: where === 'env' ? `\${input:token}` : secret } })
const inputs = (stage: Stage): Promise<unknown> => stage.host.request('server.setSecret', { name: 'hostile', id: 'token', value: secret })

/** Says it by every way that a server has, once for each call. */
const saysBack = (spell: (text: string) => string): Part => {
  const words = `it is ${spell(secret)} and ${spell(plain)}.`
  return {
    tools: () => [tool('say'), tool('fail'), tool('refuse'), tool('structured')],
    call(call, wire) {
      wire.send({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', data: words } })
      wire.send({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', logger: words, data: { [words]: [words] } } })
      const name = call.params?.['name']
      if (name === 'fail') return { ...saying(words), isError: true }
      if (name === 'structured') return { content: [], structuredContent: { [words]: words } }
      if (name === 'say') return words
      wire.send({ jsonrpc: '2.0', id: call.id, error: { code: -32000, message: words, data: words } })
      return undefined
    },
  }
}

const calls = ['say', 'fail', 'refuse', 'structured']

/** What each place holds, as one text. */
async function places({ host, test }: Stage, conversationId: string): Promise<Record<string, string>> {
  const { messages } = await host.request('server.messages', { name: 'hostile', after: 0 })
  const { lines, earlier } = await host.request('server.log', { name: 'hostile' })
  const markdown = await host.request('export.read', { id: conversationId, format: 'markdown' })
  const json = await host.request('export.read', { id: conversationId, format: 'json' })
  const { rows } = await host.request('audit.list', { limit: 500 })
  const saved = new DatabaseSync(join(test.dataDir, 'assent.db'), { readOnly: true })
  const record = saved.prepare('SELECT * FROM audit').all()
  saved.close()
  return {
    inspector: JSON.stringify(messages),
    log: JSON.stringify([lines, earlier]),
    'exported Markdown': markdown.text,
    'exported JSON': json.text,
    record: JSON.stringify([rows, record]),
    file: (await host.request('config.get', {})).text,
  }
}

export const maskedRow = ([name, spell]: (typeof spellings)[number]): Attack => ({
  family,
  name: `${name}, it is masked in log, record, inspector and exported chat`,
  run: () =>
    onStage(
      () => ({ hostile: saysBack(spell) }),
      async (stage) => {
        stage.setPerson(once)
        await inputs(stage)
        await stage.host.request('server.inspect', { name: 'hostile', mode: 'on' })
        await stage.host.request('server.start', { name: 'hostile' })
        const id = await stage.turn(calls.map((one) => order(`hostile__${one}`)).join('\n'))
        const found = await places(stage, id)
        const said = Object.entries(found).filter(([, text]) => holds(text, spell(secret)) || holds(text, secret))
        const empty = ['inspector', 'log', 'exported Markdown', 'exported JSON'].filter((where) => !holds(found[where] ?? '', spell(plain)))
        return [
          ...said.map(([where, text]) => `it is said in the ${where}: ${excerpt(text, [spell(secret), secret])}`),
          ...empty.map((where) => `control: what is no secret is not in the ${where} either`),
        ]
      },
      { more: { hostile: more('env') }, starts: [] },
    ),
})

/** A chat that holds the secret is exported by a command of its own, which starts no server and so was told no value. */
const exported = ([name, spell]: (typeof spellings)[number]): Attack => ({
  family,
  name: `${name}, it is masked in what the command line exports though no server ran`,
  async run() {
    const bench = makeCliBench()
    try {
      const data = join(bench.folder, 'data')
      mkdirSync(data)
      const mcpServers = {
        s: { command: 'x', env: { API_TOKEN: secret } },
        t: { url: 'https://example.org/mcp', headers: { 'x-api-key': `${secret}2` } },
      }
      writeFileSync(join(data, 'servers.json'), JSON.stringify({ mcpServers }))
      const text = `it is ${spell(secret)} and ${spell(plain)}.`
      const at = '2026-01-01T00:00:00Z'
      const chat_messages = [{ uuid: 'a', sender: 'human', text, content: [{ type: 'text', text }], created_at: at }]
      const file = join(bench.folder, 'chats.json')
      writeFileSync(
        file,
        JSON.stringify([{ uuid: '0c6ba51c-0000-4000-8000-000000000001', name: 'A chat', created_at: at, updated_at: at, chat_messages }]),
      )
      await bench.runShared(['import', file, '--data-dir', data])
      const wrong: string[] = []
      for (const format of ['md', 'json']) {
        const { stdout } = await bench.runShared(['export', '--all', '--format', format, '--data-dir', data])
        if (holds(stdout, spell(secret)) || holds(stdout, secret))
          wrong.push(`it is said in ${format}: ${excerpt(stdout, [spell(secret), secret])}`)
        if (!holds(stdout, spell(plain))) wrong.push(`control: what is no secret is not in ${format} either: ${stdout.slice(0, 300)}`)
      }
      return wrong
    } finally {
      await bench.remove()
    }
  },
})

export const saidBack: readonly Attack[] = [...spellings.map(maskedRow), ...spellings.filter((_, at) => at % 4 === 0).map(exported)]
