// A server that will not be quiet: `flood` lets loose what its `kind` says, as fast as the pipe takes it, and goes on
// answering meanwhile; `calm` ends it, and tells how much was said once that is a good deal.
import { answer, type Incoming, legacy, text, tool } from './lines.ts'

const enough = 20_000
/** Handed to the pipe before it looks at its stdin again. */
const burst = 200

const note = (method: string, params: object): object => ({ jsonrpc: '2.0', method, params })
let said = 0
let flooding: (() => string) | undefined
let out: NodeJS.WriteStream = process.stdout
let calming: Incoming | undefined

const kinds: Readonly<Record<string, (progressToken: unknown) => unknown>> = {
  messages: () => note('notifications/message', { level: 'info', data: `line ${said}` }),
  progress: (progressToken) => note('notifications/progress', { progressToken, progress: said }),
  changes: () => note('notifications/tools/list_changed', {}),
  updates: () => note('notifications/resources/updated', { uri: `raw://${said}` }),
  strangers: () => note(`notifications/x${said}`, { text: 'x'.repeat(200) }),
  answers: () => ({ jsonrpc: '2.0', id: 1_000_000 + said, result: { text: 'x'.repeat(200) } }),
  cancellations: () => note('notifications/cancelled', { requestId: said }),
  garbage: () => `line ${said}`,
  stderr: () => `line ${said}`,
}

function flood(): void {
  const next = flooding
  if (!next) return
  if (calming && said >= enough) {
    flooding = undefined
    answer(calming, text(String(said)))
    return
  }
  let lines = ''
  for (let n = 0; n < burst; n += 1) {
    said += 1
    lines += `${next()}\n`
  }
  out.write(lines, () => setImmediate(flood))
}

const calls: Readonly<Record<string, (message: Incoming) => void>> = {
  echo: (message) => answer(message, text('heard')),
  /** Answered with `calm`. */
  flood(message) {
    const kind = String(message.params?.arguments?.['kind'])
    const make = kinds[kind]
    if (kind === 'stderr') out = process.stderr
    const token = (message.params?.['_meta'] as { progressToken?: unknown } | undefined)?.progressToken
    if (!make) return
    flooding = () => {
      const made = make(token)
      return typeof made === 'string' ? made : JSON.stringify(made)
    }
    flood()
  },
  calm(message) {
    calming = message
  },
}

legacy(
  Object.keys(calls).map((name) => tool(name)),
  { 'tools/call': (message) => calls[message.params?.name ?? '']?.(message) },
  { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
)
