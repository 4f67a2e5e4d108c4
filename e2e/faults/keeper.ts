// What the servers of the kills in mid-turn leave on record: the keeper writes the number of every call that it runs into a
// file, the host what it sent into its audit log. Held against what the host's conversations say of the same calls.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { Message, ToolCall } from '#app/chat/message.ts'
import { isJsonObject } from '#app/json.ts'
import { silentLog } from '#main/base/host-log.ts'
import { argumentsText } from '#main/consent/request-kinds/ask-tool-call.ts'
import { openAudit } from '#main/store/audit/audit.ts'
import { markVariable } from './census.ts'
import { serverProgram } from './shapes.ts'

/** The text of a servers file. `version`: so that each differs from every other. */
export const keeperFile = (version: number, { ledger, mark }: { readonly ledger: string; readonly mark: string }): string => {
  const keeper = { command: process.execPath, args: [serverProgram, `ledger=${ledger}`], env: { [markVariable]: mark } }
  return `// version ${version}\n${JSON.stringify({ mcpServers: { keeper } }, null, 2)}\n`
}

/** The numbers of the calls that ran, in order. */
export const executed = (ledger: string): number[] =>
  existsSync(ledger) ? readFileSync(ledger, 'utf8').trim().split('\n').map(Number) : []

export const callsOf = (messages: readonly Message[]): ToolCall[] =>
  messages.flatMap((message) =>
    message.role === 'assistant' ? message.parts.flatMap((part) => (part.kind === 'tool-call' ? [part.call] : [])) : [],
  )

/** What a host may say of a call that ran. */
const saysThatItRan = new Set(['done', 'unknown', 'failed'])

/** What does not fit, in words. */
export function compareCalls(ran: readonly number[], calls: readonly ToolCall[], dataDir: string): string[] {
  const wrong: string[] = []
  const byNumber = new Map(calls.flatMap((call) => (isJsonObject(call.arguments) ? [[Number(call.arguments['n']), call] as const] : [])))
  const once = new Set(ran)
  if (once.size < ran.length) wrong.push(`${ran.length - once.size} calls ran twice`)
  for (const number of once) {
    const kind = byNumber.get(number)?.state.kind
    if (!saysThatItRan.has(kind ?? '')) wrong.push(`a call that ran is said to be ${kind ?? 'none at all'}`)
  }
  for (const [number, { state }] of byNumber) if (state.kind === 'done' && !once.has(number)) wrong.push('a call that never ran is done')
  return [...wrong, ...compareRecord(once, dataDir)]
}

function compareRecord(ran: ReadonlySet<number>, dataDir: string): string[] {
  const audit = openAudit({ dataDir, log: silentLog })
  try {
    const broken = audit.verify()
    const sent = new Map<string, number>()
    for (const { kind, detail } of audit.all()) {
      const sha256 = kind === 'call' && isJsonObject(detail) ? String(detail['sha256']) : ''
      sent.set(sha256, (sent.get(sha256) ?? 0) + 1)
    }
    const missing = [...ran].filter((n) => sent.get(createHash('sha256').update(argumentsText({ n })).digest('hex')) !== 1)
    return [
      ...(broken ? [`the audit log does not hold from row ${broken.seq}: ${broken.reason}`] : []),
      ...missing.map(() => 'a call that ran is not on record once'),
    ]
  } finally {
    audit.close()
  }
}
