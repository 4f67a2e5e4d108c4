// The profile's permissions put back as they were, or as another profile has them. None of it may count, and the person is told. Who can
// also put back the key's store, where the counter is kept, is out of reach.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Attack, same, unless } from '../../attack.ts'
import { fileDigest } from '../../stage.ts'
import { family, putRule, ruleOf, toldOf } from './signed-state.ts'
import { onProfile, type Profile, saveRule, started, stolen, theft } from './written-state.ts'

export type Rows = readonly Record<string, string | number | null>[]

/** Replaces all rows of a table, as far as there is such a table. */
export function replaceRows(db: DatabaseSync, table: string, rows: Rows): void {
  db.exec(`DELETE FROM ${table}`)
  for (const row of rows) {
    const names = Object.keys(row)
    db.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`).run(...Object.values(row))
  }
}

/** A whole database put back, with nothing beside it. */
export function putBack({ dataDir }: Profile, copy: string): void {
  for (const end of ['-wal', '-shm']) rmSync(join(dataDir, `assent.db${end}`), { force: true })
  copyFileSync(copy, join(dataDir, 'assent.db'))
}

/** What was wrong in the next life, where the person allows launches alone: a theft that happened, or no word of it. `word`: in the notice. */
export async function nextLife(profile: Profile, word: string): Promise<string[]> {
  profile.effects.length = 0
  const from = profile.notices.length
  await profile.live('launches', async (life) => {
    await started(life, 'bank')
    await life.turn(theft)
  })
  return [...same('happened', profile.effects, []), ...toldOf(profile, from, word)]
}

/** An older state, in which a transfer was allowed, put back after the person had ended that. `retouch`: what else is written into it. */
const replayed = (name: string, retouch: (old: DatabaseSync, present: DatabaseSync) => void = () => {}): Attack => ({
  family,
  name,
  run: () =>
    onProfile(async (profile) => {
      const copies = mkdtempSync(join(tmpdir(), 'assent-copy-'))
      const [old, present] = [join(copies, 'old.db'), join(copies, 'present.db')]
      try {
        const rule = await profile.live(true, async (life) => {
          await started(life, 'bank')
          const made = await saveRule(life, { tool: 'transfer' })
          await life.turn(theft)
          return made.rule
        })
        const control = profile.effects.includes(stolen)
        copyFileSync(join(profile.dataDir, 'assent.db'), old)
        await profile.live(true, ({ host }) => host.request('rule.remove', { id: rule.id }))
        copyFileSync(join(profile.dataDir, 'assent.db'), present)
        const [was, is] = [new DatabaseSync(old), new DatabaseSync(present)]
        retouch(was, is)
        was.close()
        is.close()
        putBack(profile, old)
        return [...(await nextLife(profile, 'transfer')), ...unless(control, 'control: the rule never allowed it')]
      } finally {
        rmSync(copies, { recursive: true, force: true })
      }
    }),
})

/** Everything that another profile holds, its seal too: made by an Assent, but not by this one. */
const otherProfile: Attack = {
  family,
  name: 'the permissions of another profile, with its seal, allow nothing',
  run: () =>
    onProfile(async (profile) => {
      const tables = ['rules', 'launches', 'state_seal']
      const taken = new Map<string, Rows>()
      await profile.live(true, (life) => started(life, 'bank'))
      const keep = mkdtempSync(join(tmpdir(), 'assent-copy-'))
      try {
        copyFileSync(join(profile.dataDir, 'assent.db'), join(keep, 'assent.db'))
        profile.write((db) => db.exec('DELETE FROM state_seal'))
        await profile.underAnotherKey(true, async (life) => {
          await started(life, 'bank')
          await saveRule(life, { tool: 'transfer' })
          await life.turn(theft)
        })
        const control = profile.effects.includes(stolen)
        profile.write((db) => {
          for (const table of tables) taken.set(table, db.prepare(`SELECT * FROM ${table}`).all() as never)
        })
        putBack(profile, join(keep, 'assent.db'))
        profile.write((db) => {
          for (const [table, rows] of taken) replaceRows(db, table, rows)
        })
        return [...(await nextLife(profile, 'transfer')), ...unless(control, 'control: the rule never allowed it')]
      } finally {
        rmSync(keep, { recursive: true, force: true })
      }
    }),
}

/** A whole profile with a rule more, put where a backup waits for the next start, with the note that all of it was ticked. */
const plantedBackup: Attack = {
  family,
  name: 'a backup that somebody else staged, with every permission ticked, allows nothing',
  run: () =>
    onProfile(async (profile) => {
      const path = join(profile.dataDir, 'assent.db')
      const staged = await profile.live(true, async (life) => {
        await started(life, 'bank')
        await saveRule(life, {})
        const { path: backup } = await life.host.request('backup.write', { run: 'run-1' })
        await life.host.request('backup.restore', { source: { path: backup }, bring: ['rules', 'launches'], digest: fileDigest(backup) })
        return `${path}.restore`
      })
      const db = new DatabaseSync(staged)
      putRule(db, { ...ruleOf(db, 'allow'), id: 'forged', tool: undefined, definitions: undefined, fingerprint: undefined } as never)
      db.close()
      const wrong = await nextLife(profile, 'bank')
      await profile.live(true, async (life) => {
        await started(life, 'bank')
        await life.turn(theft)
      })
      return [...wrong, ...unless(profile.effects.includes(stolen), 'control: with a yes it did not happen either')]
    }),
}

export const replacedState: readonly Attack[] = [
  replayed('an older database that is put back brings no approval back'),
  replayed('an older database with the counter of the present one brings no approval back', (old, present) => {
    const { counter, base } = present.prepare('SELECT counter, base FROM state_seal').get() as { counter: number; base: string }
    old.prepare('UPDATE state_seal SET counter = ?, base = ?').run(counter, base)
  }),
  replayed('an older list of rules with the present seal brings no approval back', (old, present) => {
    replaceRows(old, 'state_seal', present.prepare('SELECT * FROM state_seal').all() as never)
  }),
  otherProfile,
  plantedBackup,
]
