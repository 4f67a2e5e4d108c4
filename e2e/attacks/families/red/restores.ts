// Backups that others made or changed: triggers, views and tables of theirs, permissions that were not ticked, files that change between
// the look and the restore. And rows of the signed state beyond rules. Written from SECURITY.md and the contract alone.
import { appendFileSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Attack, same, unless } from '../../attack.ts'
import { fileDigest } from '../../stage.ts'
import { putRule, ruleOf } from '../outsiders/signed-state.ts'
import { allowed, everything, forge } from '../outsiders/tampered-state.ts'
import { type Life, onProfile, type Profile, saveRule, started, theft } from '../outsiders/written-state.ts'

const family = 'backups'
type Kind = 'rules' | 'launches' | 'views' | 'folders' | 'sampling' | 'endpoints' | 'settings'
const all: readonly Kind[] = ['rules', 'launches', 'views', 'folders', 'sampling', 'endpoints', 'settings']
const codeOf = (error: { readonly code?: string; readonly message: string }): string => error.code ?? error.message

interface Brought {
  readonly name: string
  /** What the person does before the backup is written. */
  readonly before?: (life: Life) => Promise<unknown>
  /** What the person does after that, in the profile that goes on. */
  readonly after?: (life: Life) => Promise<unknown>
  /** What others do with the file. */
  readonly spoil?: (db: DatabaseSync) => void
  readonly file?: (path: string, profile: Profile) => string | undefined
  /** What others do with it between the look and the restore. */
  readonly meanwhile?: (db: DatabaseSync) => void
  readonly bring?: readonly Kind[]
  /** Whether it must not be restored at all. */
  readonly refused?: true
  /** What else holds afterwards. */
  readonly check?: (life: Life, seen: { readonly shown: string }) => Promise<readonly string[]> | readonly string[]
}

/** Row: restored, such a file allows no transfer, whatever was ticked of what it showed; with a yes the transfer happens. */
const brought = ({ name, before, after, spoil, file, meanwhile, bring = [], refused, check }: Brought): Attack => ({
  family,
  name,
  run: () =>
    onProfile(async (profile) => {
      let path = await profile.live(true, async (life) => {
        await started(life, 'bank')
        await saveRule(life, {})
        await life.turn('hello')
        await before?.(life)
        const written = (await life.host.request('backup.write', { run: 'run-1' })).path
        await after?.(life)
        return written
      })
      const change = (act: (db: DatabaseSync) => void): void => {
        const db = new DatabaseSync(path)
        act(db)
        db.close()
      }
      if (spoil) change(spoil)
      path = file?.(path, profile) ?? path
      const seen = await profile.live(true, async ({ host }) => {
        const shown = await host.request('backup.check', { path }).then((facts) => JSON.stringify(facts), codeOf)
        if (meanwhile) change(meanwhile)
        const digest = /"digest":"(\w+)"/.exec(shown)?.[1] ?? fileDigest(path)
        const done = await host.request('backup.restore', { source: { path }, bring: [...bring], digest }).then(() => 'restored', codeOf)
        return { shown, done }
      })
      profile.effects.length = 0
      const more = await profile.live('launches', async (life) => {
        await started(life, 'bank')
        await life.turn('hello again')
        await life.turn(theft)
        return [...((await check?.(life, seen)) ?? [])]
      })
      return [
        ...same('happened', profile.effects, []),
        ...unless(!refused || seen.done !== 'restored', 'it was restored'),
        ...unless(/^(?:restored$|backup\.|profile\.newer$)/.test(seen.done), `it failed by ${seen.done}`),
        ...more,
        ...(await allowed(profile)),
      ]
    }),
})
/** SQL that inserts a rule for everything. */
const inserting = (db: DatabaseSync): string =>
  `INSERT OR REPLACE INTO rules (id, server, body) VALUES ('forged', 'bank', '${JSON.stringify(everything(db)).replaceAll("'", "''")}')`
const trigger = (when: string): Attack =>
  brought({
    name: `a trigger ${when} of a backup writes no rule`,
    bring: ['rules'],
    spoil: (db) => db.exec(`CREATE TRIGGER evil AFTER ${when} BEGIN ${inserting(db)}; END`),
  })
/** Row: a permission of a backup that is not ticked does not come, and was listed. */
const unticked = (
  kind: Kind,
  before: (life: Life) => Promise<unknown>,
  after: (life: Life) => Promise<unknown>,
  has: (life: Life) => Promise<boolean>,
): Attack =>
  brought({
    name: `${kind} of a backup do not come when all but them are ticked, and are listed`,
    before,
    after,
    bring: all.filter((one) => one !== kind),
    check: async (life, { shown }) => [
      ...unless(!(await has(life)), 'it came'),
      ...unless(shown.includes(`"kind":"${kind}"`), `it was not listed: ${shown}`),
    ],
  })
const folderOf = ({ dataDir }: Life): string => join(dataDir, '..')
const sharing = (life: Life, paths: readonly string[]) =>
  life.host.request('folder.set', { owner: { kind: 'everyone' }, paths: [...paths] } as never)
const budget = (life: Life, tokensPerDay: number) =>
  life.host.request('server.setSamplingBudget', { name: 'bank', budget: { tokensPerDay, over: 'ask' } })

export const restores: readonly Attack[] = [
  trigger('INSERT ON messages'),
  trigger('UPDATE ON settings'),
  trigger('INSERT ON state_seal'),
  trigger('DELETE ON rules'),
  brought({
    name: 'a trigger in place of one of ours, of the same name, writes no rule',
    bring: ['rules'],
    spoil(db) {
      const one = db.prepare("SELECT name, tbl_name FROM sqlite_schema WHERE type = 'trigger' LIMIT 1").get() as
        | { name: string; tbl_name: string }
        | undefined
      if (!one) throw new Error('control: there is no trigger')
      db.exec(`DROP TRIGGER "${one.name}"; CREATE TRIGGER "${one.name}" AFTER INSERT ON "${one.tbl_name}" BEGIN ${inserting(db)}; END`)
    },
  }),
  brought({
    name: 'a view in place of the rules of a backup is none',
    bring: ['rules'],
    spoil: (db) => db.exec(`${inserting(db)}; ALTER TABLE rules RENAME TO kept; CREATE VIEW rules AS SELECT * FROM kept`),
  }),
  brought({
    name: 'a column with a default of theirs in a backup brings no rule',
    bring: ['rules'],
    spoil: (db) => db.exec("ALTER TABLE messages ADD COLUMN evil TEXT DEFAULT 'x'"),
  }),
  brought({
    name: 'an index over an expression of theirs is not kept',
    spoil: (db) => db.exec("CREATE INDEX evil ON rules (upper(body) || 'x')"),
  }),
  brought({
    name: 'a table of theirs is not kept',
    spoil: (db) => db.exec("CREATE TABLE evil (body TEXT); INSERT INTO evil VALUES ('x')"),
  }),
  brought({
    name: 'a schema that was written by hand is not believed',
    bring: ['rules'],
    spoil(db) {
      db.enableDefensive?.(false)
      db.exec('PRAGMA writable_schema = ON')
      db.exec(`UPDATE sqlite_schema SET sql = replace(sql, 'TEXT', 'BLOB') WHERE name = 'rules'`)
    },
  }),
  brought({ name: 'a backup of a later version is not restored', refused: true, spoil: (db) => db.exec('PRAGMA user_version = 99999') }),
  brought({
    name: 'half of a backup is not restored',
    refused: true,
    file(path) {
      truncateSync(path, Math.floor(readFileSync(path).length / 2 / 4096) * 4096 - 100)
      return path
    },
  }),
  brought({
    name: 'a text is no backup',
    refused: true,
    file(path) {
      writeFileSync(path, 'SQLite format 3\0 but no more')
      return path
    },
  }),
  brought({
    name: 'a backup with bytes behind its end brings nothing more',
    file(path) {
      appendFileSync(path, Buffer.alloc(8192, 'x'))
      return path
    },
  }),
  brought({
    name: 'a link to this very profile brings nothing that others wrote into it unticked',
    bring: all.filter((one) => one !== 'rules'),
    file(path, profile) {
      profile.write((db) => forge(db))
      symlinkSync(join(profile.dataDir, 'assent.db'), `${path}.link`)
      return `${path}.link`
    },
  }),
  brought({ name: 'a rule that others wrote into a backup does not come unticked', spoil: forge }),
  brought({
    name: 'a rule that others wrote into a backup after it was looked at does not come with the rules that were listed',
    bring: ['rules'],
    meanwhile: forge,
  }),
  brought({
    name: 'a rule that was narrow when it was looked at does not come wide',
    bring: ['rules'],
    meanwhile: (db) => putRule(db, { ...ruleOf(db, 'allow'), tool: undefined, definitions: undefined, fingerprint: undefined } as never),
  }),
  brought({
    name: 'a rule that the person ended since a backup does not come back unticked',
    before: (life) => saveRule(life, { tool: 'transfer' }),
    async after(life) {
      for (const { id } of life.host.snapshot().rules) await life.host.request('rule.remove', { id })
    },
  }),
  unticked(
    'folders',
    (life) => sharing(life, [folderOf(life)]),
    (life) => sharing(life, []),
    async (life) => JSON.stringify(await life.host.request('folder.list', { owner: { kind: 'everyone' } })).includes(folderOf(life)),
  ),
  unticked(
    'sampling',
    (life) => budget(life, 7_654_321),
    (life) => budget(life, 10),
    async (life) => (await life.host.request('server.sampling', { name: 'bank' })).budget.tokensPerDay === 7_654_321,
  ),
  unticked(
    'settings',
    (life) => life.host.request('settings.set', { consentMode: 'ask-writes' }),
    (life) => life.host.request('settings.set', { consentMode: 'ask-all' }),
    async (life) => life.host.snapshot().settings.consentMode === 'ask-writes',
  ),
  unticked(
    'endpoints',
    (life) => life.host.request('endpoint.save', { name: 'Evil', baseUrl: 'http://127.0.0.1:9/v1', format: 'openai', unchecked: true }),
    async ({ host }) => {
      for (const { id, name } of host.snapshot().providers as readonly { id: string; name: string }[])
        if (name === 'Evil') await host.request('endpoint.remove', { id: id as never })
    },
    async (life) => JSON.stringify(life.host.snapshot()).includes('127.0.0.1:9/v1'),
  ),
  brought({
    name: 'an agent that was removed since a backup does not come back with it',
    before: (life) => life.host.request('gate.add', { draft: { name: 'Code', servers: ['bank'] } } as never),
    async after({ host }) {
      for (const { id } of (await host.request('gate.list', {})).clients) await host.request('gate.remove', { id })
    },
    bring: all,
    check: async ({ host }) => same('agents', (await host.request('gate.list', {})).clients.length, 0),
  }),
]
