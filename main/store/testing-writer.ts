// A program for tests: opens the profile and writes messages until it is killed, naming each on stdout once it is saved.
// With a second argument `read-only` it first gives up the right to write, where it runs as root.
import { writeSync } from 'node:fs'
import { silentLog } from '#main/base/host-log.ts'
import { openStore } from './open-store.ts'

const [dataDir = '', mode] = process.argv.slice(2)
const say = (line: string): void => void writeSync(1, `${line}\n`)
if (mode === 'read-only' && process.getuid?.() === 0) process.setuid?.(65534)

try {
  const clock = { now: () => Date.now(), after: () => () => {} }
  const { conversations, audit } = openStore({ dataDir, clock, log: silentLog })
  const common = { conversationId: 'c1', turnId: 't', createdAt: 1 }
  conversations.put({ id: 'c1', title: 'c', model: 'm', createdAt: 1, updatedAt: 1, activity: { kind: 'idle' } })
  say('open')
  for (let n = 0; ; n++) {
    const id = `${process.pid}-${n}`
    conversations.putMessage({ ...common, role: 'user', id, text: id.repeat(200) })
    if (n % 5 === 0) audit.append({ kind: 'call', detail: { id } })
    say(id)
  }
} catch (error) {
  say(`error ${error instanceof Error && 'code' in error ? String(error.code) : String(error)}`)
}
