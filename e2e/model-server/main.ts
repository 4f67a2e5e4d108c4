// The scripted model as a program: `node e2e/model-server/main.ts --port 0 [--rules FILE] [--key KEY]`.
// Its first line on stdout is its URL. It follows its rules, which `PUT /__control/rules` replaces;
// `POST /__control/release {"name"}` lets a hold go on; `GET /__control/requests` shows what was sent.
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseArgs } from 'node:util'
import { defaultRules, type Rule, scriptOf } from './rules.ts'
import { type ModelServer, readBody, sendJson, startModelServer } from './server.ts'

const { values } = parseArgs({ options: { port: { type: 'string' }, rules: { type: 'string' }, key: { type: 'string' } } })

let rules: readonly Rule[] = values.rules === undefined ? defaultRules : (JSON.parse(readFileSync(values.rules, 'utf8')) as Rule[])
const holds = new Map<string, PromiseWithResolvers<void>>()

/** One promise a name, whoever comes first: the release may be asked for before the stream gets there. */
function hold(name: string): PromiseWithResolvers<void> {
  const existing = holds.get(name) ?? Promise.withResolvers<void>()
  holds.set(name, existing)
  return existing
}

let server: ModelServer | undefined
async function control(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  switch (`${request.method} ${request.url}`) {
    case 'PUT /__control/rules':
      rules = (await readBody(request))['rules'] as unknown as Rule[]
      holds.clear()
      sendJson(response, 200, {})
      return true
    case 'POST /__control/release':
      hold(String((await readBody(request))['name'])).resolve()
      sendJson(response, 200, {})
      return true
    case 'GET /__control/requests':
      sendJson(response, 200, { requests: (server?.requests ?? []).map(({ body }) => body) })
      return true
    default:
      return false
  }
}

server = await startModelServer({
  script: scriptOf(
    () => rules,
    (name) => hold(name).promise,
  ),
  control,
  port: Number(values.port ?? 0),
  ...(values.key === undefined ? {} : { key: values.key }),
})
process.stdout.write(`${server.url}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void server?.close().then(() => process.exit(0)))
}
