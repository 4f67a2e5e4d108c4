// The profile's permissions written by another program while Assent runs, settings of asking that somebody else wrote, and the key's file.
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Attack, same, unless } from '../../attack.ts'
import { nextLife, type Rows, replaceRows } from './replaced-state.ts'
import { deny, flip, ruleOf, toldOf, written } from './signed-state.ts'
import { allowed, allowTransfer, both, everything, family, forge, harmless, quoted } from './tampered-state.ts'
import { type Life, onProfile, type Profile, saveRule, started, stolen, theft } from './written-state.ts'

/** Every file below a folder. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((one) => (one.isFile() ? [join(one.parentPath, one.name)] : []))

/** Written by another process while Assent runs, which goes on; then the next life, too. */
const meanwhile = (
  name: string,
  {
    before = harmless,
    act,
    word = 'bank',
  }: { before?: (life: Life) => Promise<unknown>; act: (life: Life, profile: Profile) => unknown; word?: string },
): Attack => ({
  family,
  name,
  run: () =>
    onProfile(async (profile) => {
      await profile.live(true, async (life) => {
        await started(life, 'bank')
        await before(life)
      })
      profile.effects.length = 0
      const from = profile.notices.length
      await profile.live('launches', async (life) => {
        await started(life, 'bank')
        await act(life, profile)
        await life.turn(theft)
        profile.notices.push(...life.host.snapshot().notices)
      })
      const then = profile.effects.filter((one) => one === stolen)
      await profile.live('launches', async (life) => {
        await started(life, 'bank')
        await life.turn(theft)
      })
      return [
        ...same('happened then', then, []),
        ...same('happened in the next life', profile.effects.filter((one) => one === stolen).length - then.length, 0),
        ...toldOf(profile, from, word),
        ...(await allowed(profile)),
      ]
    }),
})

/** Writes as another process does that holds the database for a while and then commits. */
async function lockedWrite(dataDir: string, sql: string, during: () => Promise<unknown>): Promise<void> {
  const code = `const { DatabaseSync } = require('node:sqlite'); const db = new DatabaseSync(${JSON.stringify(join(dataDir, 'assent.db'))});
db.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE'); db.exec(${JSON.stringify(sql)}); console.log('held'); setTimeout(() => { db.exec('COMMIT'); db.close() }, 700)`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = new Promise((done) => child.once('close', done))
  await new Promise((done) => child.stdout.once('data', done))
  await during()
  await closed
}
const forgingSql = (dataDir: string): string => {
  const db = new DatabaseSync(join(dataDir, 'assent.db'), { readOnly: true })
  const rule = everything(db)
  db.close()
  return `INSERT INTO rules (id, server, body) VALUES ('forged', 'bank', ${quoted(rule)})`
}

const replayedWhileRunning: Attack = {
  family,
  name: 'rows and seal of a moment ago, put back while Assent runs, bring no approval back',
  run: () =>
    onProfile(async (profile) => {
      const tables = ['rules', 'state_seal']
      const taken = new Map<string, Rows>()
      await profile.live('launches', async (life) => {
        await started(life, 'bank')
        const { rule } = await allowTransfer(life)
        await life.turn(theft)
        profile.write((db) => {
          for (const table of tables) taken.set(table, db.prepare(`SELECT * FROM ${table}`).all() as never)
        })
        await life.host.request('rule.remove', { id: rule.id })
        profile.write((db) => {
          for (const [table, rows] of taken) replaceRows(db, table, rows)
        })
        const control = profile.effects.splice(0).includes(stolen)
        if (!control) throw new Error('control: the rule never counted')
        await life.turn(theft)
        profile.notices.push(...life.host.snapshot().notices)
      })
      return [...same('happened', profile.effects.splice(0), []), ...(await nextLife(profile, 'transfer')), ...(await allowed(profile))]
    }),
}

/** What the person set is replaced in whatever table holds it. */
const setting = (
  name: string,
  {
    set,
    from,
    to,
    read,
    wanted,
  }: { set: (life: Life) => Promise<unknown>; from: string; to: string; read: (life: Life) => Promise<unknown>; wanted: unknown },
): Attack => ({
  family,
  name,
  run: () =>
    onProfile(async (profile) => {
      const before = await profile.live(true, async (life) => {
        await started(life, 'bank')
        await set(life)
        return read(life)
      })
      let changed = 0
      profile.write((db) => {
        for (const { name: table } of db
          .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%audit%'")
          .all() as { name: string }[]) {
          if (/fts|sqlite_|seal|search/.test(table)) continue
          for (const { name: column } of db.prepare(`SELECT name FROM pragma_table_info('${table}')`).all() as { name: string }[])
            changed += Number(
              db
                .prepare(
                  `UPDATE ${table} SET ${column} = replace(${column}, ?, ?) WHERE typeof(${column}) = 'text' AND instr(${column}, ?) > 0`,
                )
                .run(from, to, from).changes,
            )
        }
      })
      const start = profile.notices.length
      const after = await profile.live('launches', read)
      return [
        ...unless(JSON.stringify(after) !== JSON.stringify(wanted), `what was written counts: ${JSON.stringify(after)}`),
        ...unless(JSON.stringify(before) !== JSON.stringify(after) || changed > 0, 'control: nothing was changed'),
        ...unless(changed > 0, 'control: no row held it'),
        ...unless(profile.notices.length > start, 'the person was not told'),
      ]
    }),
})

const keyFile = ({ keys }: Profile): string => {
  const [file, ...more] = filesIn(keys)
  if (file === undefined || more.length > 0) throw new Error(`files of keys: ${[file, ...more].join()}`)
  return file
}
/** Row: the key's file is another; with a forged rule beside it nothing is allowed, and the person is told. */
const keyed = (name: string, change: (file: string, profile: Profile) => void, word = 'transfer'): Attack => ({
  ...written({
    name,
    before: deny,
    change: (profile) => {
      flip(profile)
      change(keyFile(profile), profile)
    },
    word,
  }),
  family,
})

/** Row: what the key's file must be once Assent has run again. */
const mended = (
  name: string,
  change: (file: string, profile: Profile) => void,
  holds: (file: string, profile: Profile, asked: readonly string[]) => boolean,
): Attack => ({
  family,
  name,
  run: () =>
    onProfile(async (profile) => {
      await profile.live(true, async (life) => {
        await started(life, 'bank')
        await allowTransfer(life)
      })
      const file = keyFile(profile)
      const mode = statSync(file).mode & 0o777
      change(file, profile)
      profile.effects.length = 0
      const asked = await profile.live('launches', async (life) => {
        await started(life, 'bank')
        await life.turn(theft)
        return life.asked
      })
      return [
        ...same('control: its mode', mode, 0o600),
        ...unless(holds(file, profile, asked), `it is as before: ${statSync(file).mode.toString(8)}, asked ${asked.join()}`),
      ]
    }),
})

export const meanwhileState: readonly Attack[] = [
  meanwhile('a forged rule is not signed along with the next one of the person', {
    async act(life, { write }) {
      write(forge)
      await saveRule(life, { tool: 'statement' }).catch(() => undefined)
      await life.host.request('settings.set', { theme: 'dark' })
    },
  }),
  meanwhile('a forged rule is not signed along with an answer of the person', {
    async act(life, { write }) {
      write(forge)
      await started(life, 'other')
    },
  }),
  meanwhile('a rule that another program commits while Assent waits to write is not signed', {
    async act(life, { dataDir }) {
      await lockedWrite(dataDir, forgingSql(dataDir), async () => {
        await saveRule(life, { tool: 'write', effect: 'ask' }).catch(() => undefined)
      })
    },
  }),
  meanwhile('a refusal that another program deletes while Assent runs leaves no approval that is wider', {
    before: both,
    act: (_life, { write }) => write((db) => db.prepare('DELETE FROM rules WHERE id = ?').run(ruleOf(db, 'deny').id)),
  }),
  meanwhile('a trigger that another program makes while Assent runs writes no rule', {
    act: (_life, { write }) =>
      write((db) =>
        db.exec(
          `CREATE TRIGGER meanwhile AFTER INSERT ON messages BEGIN INSERT OR IGNORE INTO rules (id, server, body) VALUES ('forged', 'bank', ${quoted(everything(db))}); END`,
        ),
      ),
    word: 'meanwhile',
  }),
  meanwhile('a view that another program puts in the place of the rules while Assent runs allows nothing', {
    before: deny,
    act: (_life, { write }) =>
      write((db) =>
        db.exec(
          `ALTER TABLE rules RENAME TO rules_kept; CREATE VIEW rules AS SELECT id, server, replace(body, '"deny"', '"allow"') AS body FROM rules_kept`,
        ),
      ),
    word: 'rules',
  }),
  replayedWhileRunning,
  setting('a mode of asking that somebody else wrote does not count', {
    set: (life) => life.host.request('settings.set', { consentMode: 'ask-all' }),
    from: 'ask-all',
    to: 'ask-writes',
    read: async (life) => life.host.snapshot().settings.consentMode,
    wanted: 'ask-writes',
  }),
  setting('a budget for questions to the model that somebody else raised does not count', {
    set: (life) => life.host.request('server.setSamplingBudget', { name: 'bank', budget: { tokensPerDay: 4321, over: 'ask' } }),
    from: '4321',
    to: '9876543',
    read: async (life) => (await life.host.request('server.sampling', { name: 'bank' })).budget.tokensPerDay,
    wanted: 9876543,
  }),
  setting('a shared folder that somebody else wrote is not told of', {
    set: async (life) => {
      mkdirSync(join(life.dataDir, '../assent-shared-one'), { recursive: true })
      await life.host.request('folder.set', { owner: { kind: 'everyone' }, paths: [join(life.dataDir, '../assent-shared-one')] })
    },
    from: 'assent-shared-one',
    to: 'assent-shared-two',
    read: async (life) => JSON.stringify(await life.host.request('folder.list', { owner: { kind: 'everyone' } })).includes('shared-two'),
    wanted: true,
  }),
  keyed('a key file that was emptied verifies nothing', (file) => writeFileSync(file, '')),
  keyed('a key file with another key verifies nothing', (file) =>
    writeFileSync(file, JSON.stringify({ key: Buffer.alloc(32).toString('base64'), counter: 0 })),
  ),
  keyed('a folder in the place of the key file verifies nothing', (file) => {
    rmSync(file)
    mkdirSync(file)
  }),
  keyed('a link that leads nowhere in the place of the key file verifies nothing', (file) => {
    rmSync(file)
    symlinkSync('/nonexistent/key', file)
  }),
  mended(
    'a key file that others may read is theirs alone again, or not used',
    (file) => chmodSync(file, 0o644),
    (file, _profile, asked) => (statSync(file).mode & 0o077) === 0 || asked.includes('bank transfer'),
  ),
  mended(
    'a key file that others may write is theirs alone again, or not used',
    (file) => chmodSync(file, 0o666),
    (file, _profile, asked) => (statSync(file).mode & 0o077) === 0 || asked.includes('bank transfer'),
  ),
  mended(
    'a folder of keys that others may write in is theirs alone again, or not used',
    (file) => chmodSync(join(file, '..'), 0o777),
    (file, _profile, asked) => (statSync(join(file, '..')).mode & 0o022) === 0 || asked.includes('bank transfer'),
  ),
  mended(
    'a key file that is a link into the data folder is not used',
    (file, { dataDir }) => {
      renameSync(file, join(dataDir, 'kept-key'))
      symlinkSync(join(dataDir, 'kept-key'), file)
    },
    (_file, _profile, asked) => asked.includes('bank transfer'),
  ),
]
