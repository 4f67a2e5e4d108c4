import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentLog } from '#main/base/host-log.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { makeProfile, type TestProfile } from '#main/store/store.testing.ts'
import { type AuditAnchor, createAuditAnchor, readAnchor } from './audit-anchor.ts'

let profile: TestProfile
const secrets = {
  values: new Map<string, string>(),
  get: async (name: string) => secrets.values.get(name),
  set: async (name: string, value: string) => void secrets.values.set(name, value),
}
beforeEach(() => {
  secrets.values.clear()
  profile = makeProfile()
})
afterEach(() => profile.dispose())

const clock = manualClock()
const anchored = (): AuditAnchor => createAuditAnchor({ audit: profile.store().audit, secrets, clock, log: silentLog })
const add = (count: number): void => {
  for (let n = 0; n < count; n++) profile.store().audit.append({ kind: 'call', detail: { n } })
}

/** As somebody does who knows the format: what is left fits its chain, and the head says that it ends there. */
function cutTo(seq: number): void {
  profile.store().close()
  const raw = new DatabaseSync(profile.path)
  const triggers = raw.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all()
  for (const trigger of triggers) raw.exec(`DROP TRIGGER ${trigger['name']}`)
  raw.exec(`DELETE FROM audit WHERE seq > ${seq}; UPDATE audit_head SET (seq, hash) = (SELECT seq, hash FROM audit WHERE seq = ${seq})`)
  for (const trigger of triggers) raw.exec(String(trigger['sql']))
  raw.close()
  profile.reopen()
}

it('a tail that was cut together with its head shows against what was kept elsewhere', async () => {
  add(5)
  await anchored().anchor()
  cutTo(3)
  const { audit } = profile.store()
  expect(audit.verify()).toBeUndefined()
  expect(audit.verify(await anchored().kept())?.seq).toBe(3)
})

it('rows that were written anew show, also once there are more of them', async () => {
  add(5)
  await anchored().anchor()
  cutTo(3)
  add(4)
  expect(profile.store().audit.verify()).toBeUndefined()
  expect(profile.store().audit.verify(await anchored().kept())?.seq).toBe(5)
})

it('a record that does not fit its anchor is not anchored anew', async () => {
  add(5)
  await anchored().anchor()
  const before = await readAnchor(secrets)
  cutTo(3)
  add(4)
  await anchored().anchor()
  expect(await readAnchor(secrets)).toEqual(before)
})

it('rows that came after the anchor fit it', async () => {
  add(2)
  const anchor = anchored()
  await anchor.anchor()
  add(3)
  expect([(await anchor.kept())?.seq, profile.store().audit.verify(await anchor.kept())]).toEqual([2, undefined])
  await anchor.anchor()
  expect((await anchor.kept())?.seq).toBe(5)
})

it('many rows are one anchor, a while after the first; none after the end', async () => {
  const anchor = anchored()
  add(3)
  for (let n = 0; n < 3; n++) anchor.touched()
  expect(clock.pending).toBe(1)
  clock.advance(60_000)
  await expect.poll(() => secrets.values.size).toBe(1)
  anchor.touched()
  anchor.stop()
  anchor.touched()
  expect(clock.pending).toBe(0)
})

it('an empty record has no anchor, and a store that does not answer keeps none', async () => {
  await anchored().anchor()
  expect(secrets.values.size).toBe(0)
  const locked = { get: () => Promise.reject(new Error('locked')), set: () => Promise.reject(new Error('locked')) }
  const anchor = createAuditAnchor({ audit: profile.store().audit, secrets: locked, clock, log: silentLog })
  expect(await anchor.kept()).toBeUndefined()
  await expect(anchor.anchor()).rejects.toThrow('locked')
})
