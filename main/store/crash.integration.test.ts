import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { codeOf, makeProfile, type TestProfile } from './store.testing.ts'

const KILLS = 20
const program = fileURLToPath(new URL('testing-writer.ts', import.meta.url))
let profile: TestProfile
const children = new Set<ChildProcess>()
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  profile.dispose()
})

function startWriter(...args: string[]): { child: ChildProcess; lines: AsyncIterable<string>; closed: Promise<unknown> } {
  const child = spawn(process.execPath, [program, profile.dataDir, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.add(child)
  const closed = once(child, 'close').then(() => children.delete(child))
  return { child, lines: createInterface({ input: child.stdout }), closed }
}

test(`after ${KILLS} kills every acknowledged message is there and the file is sound`, { timeout: 120_000 }, async () => {
  const acknowledged: string[] = []
  for (let round = 0; round < KILLS; round++) {
    const { child, lines, closed } = startWriter()
    const enough = 1 + ((round * 7) % 23)
    let seen = 0
    for await (const line of lines) {
      if (line === 'open') continue
      acknowledged.push(line)
      seen += 1
      if (seen === enough) child.kill('SIGKILL')
    }
    await closed
    expect(child.signalCode).toBe('SIGKILL')
  }
  const raw = new DatabaseSync(profile.path)
  expect(
    raw
      .prepare('PRAGMA integrity_check')
      .all()
      .map((row) => row['integrity_check']),
  ).toEqual(['ok'])
  raw.close()
  const { conversations, audit } = profile.store()
  const found = new Map(conversations.messages('c1').map((message) => [message.id, message]))
  expect(acknowledged.filter((id) => found.get(id)?.role !== 'user')).toEqual([])
  expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS)
  expect(audit.verify()).toBeUndefined()
})

test('another process finds the profile locked while one has it, and free once that is killed', async () => {
  const first = startWriter()
  for await (const line of first.lines) if (line === 'open') break
  expect(codeOf(() => profile.store())).toBe('profile.locked')
  try {
    profile.store()
  } catch (error) {
    expect(error).toMatchObject({ data: { pid: first.child.pid } })
  }
  first.child.kill('SIGKILL')
  await first.closed
  expect(profile.store().conversations.list()).toHaveLength(1)
})

test.skipIf(process.platform === 'win32')('a profile that may not be written to is reported', async () => {
  profile.store().close()
  chmodSync(profile.dataDir, 0o555)
  for (const name of ['assent.db', 'assent.lock']) chmodSync(`${profile.dataDir}/${name}`, 0o444)
  const { lines, closed } = startWriter('read-only')
  const said: string[] = []
  for await (const line of lines) {
    said.push(line)
    if (said.length > 3) break
  }
  for (const child of children) child.kill('SIGKILL')
  await closed
  chmodSync(profile.dataDir, 0o755)
  expect(said).toEqual(['error profile.unwritable'])
})
