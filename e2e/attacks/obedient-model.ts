// A host with an obedient model before it, and the demo server and a hostile one behind it. What reached a server, a
// browser or the model is counted, and held against the record.
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditRow } from '#app/consent/audit-row.ts'
import type { Json, JsonObject } from '#app/json.ts'
import { launchBuiltin } from '#main/shell/node/node-platform.ts'
import { setTrap } from '../fixtures/trap.ts'
import { type ObedientHost, startObedientHost } from './obedient-host.ts'

const root = join(import.meta.dirname, '../..')

/** What the hostile server wrote down. */
interface Noted {
  readonly call?: string
  readonly arguments?: Json
  readonly answer?: string
  readonly result?: JsonObject | null
}

export interface Attack extends ObedientHost {
  noted(): Noted[]
  /** Calls that reached the hostile server, by the tool's name. */
  reached(): string[]
  rows(): AuditRow[]
  /** The names in the demo server's folder. */
  invoices(): string[]
  /** Requests to the address that nobody may fetch. */
  readonly fetched: readonly string[]
}

/** Of what a call sends, as the record has it. */
const digestOf = (args: Json): string =>
  createHash('sha256')
    .update(JSON.stringify(args, null, 2))
    .digest('hex')

/** `names`: what the hostile server is called; each gets a process and all write into the same file. */
export async function startAttack(names: readonly string[] = ['hostile']): Promise<Attack> {
  const folder = mkdtempSync(join(tmpdir(), 'assent-attack-'))
  const record = join(folder, 'record.jsonl')
  writeFileSync(record, '')
  const trap = await setTrap()
  const hostile = { command: process.execPath, args: [join(root, 'e2e/servers/raw/hostile.ts'), record, trap.lure] }
  const servers = { demo: { builtin: 'demo' }, ...Object.fromEntries(names.map((name) => [name, hostile])) }
  const obedient = await startObedientHost({ servers, launchBuiltin })
  const { host, test } = obedient
  for (const name of ['demo', ...names]) await host.request('server.start', { name })

  const noted = (): Noted[] =>
    readFileSync(record, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Noted)
  return {
    ...obedient,
    noted,
    reached: () => noted().flatMap(({ call }) => (call === undefined ? [] : [call])),
    rows: () => [...host.context.store.audit.all()],
    invoices: () => readdirSync(join(test.dataDir, 'demo')).sort(),
    fetched: trap.reached,
    async remove() {
      await obedient.remove()
      await trap.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Calls that reached the hostile server without a row that says that very call was allowed and sent. Must be none. */
export function unapproved({ noted, rows }: Pick<Attack, 'noted' | 'rows'>): string[] {
  const allowed = new Set(
    rows()
      .filter(({ kind, decision }) => kind === 'decision' && decision === 'allowed')
      .map(({ detail }) => detail['callId']),
  )
  const sent = rows()
    .filter(({ kind, detail }) => kind === 'call' && allowed.has(detail['callId']))
    .map(({ tool, detail }) => `${tool} ${String(detail['sha256'])}`)
  return noted().flatMap(({ call, arguments: args }) => {
    if (call === undefined) return []
    const at = sent.indexOf(`${call.toWellFormed()} ${digestOf(args ?? {})}`)
    if (at < 0) return [call]
    sent.splice(at, 1)
    return []
  })
}
