// The profile's permissions under the hands of somebody who knows SQLite: rows of another profile, rows that changed places, halves of an
// older state, tables that are others than they seem, writes beside a running Assent, and the key's own file.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type Attack, same, unless } from '../../attack.ts'
import { nextLife, putBack, type Rows, replaceRows } from './replaced-state.ts'
import { allowAll, deny, putRule, ruleOf, written } from './signed-state.ts'
import { backup, type Life, onProfile, type Profile, saveRule, started, stolen, theft } from './written-state.ts'

export const family = 'tampered state'
export const everything = (db: DatabaseSync): { id: string } =>
  ({ ...ruleOf(db, 'allow'), id: 'forged', tool: undefined, definitions: undefined, fingerprint: undefined }) as never
export const forge = (db: DatabaseSync): void => putRule(db, everything(db))
export const harmless = (life: Life): Promise<unknown> => saveRule(life, {})
export const allowTransfer = (life: Life) => saveRule(life, { tool: 'transfer' })

async function withCopies<T>(play: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'assent-copies-'))
  try {
    return await play(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
const ends = ['', '-wal', '-shm']
/** Copies in another process: a file that this one closes would lose SQLite's locks. */
function copyDatabase(from: string, to: string): void {
  for (const end of ends)
    if (existsSync(join(from, `assent.db${end}`))) spawnSync('cp', [join(from, `assent.db${end}`), join(to, `assent.db${end}`)])
}

/** Control: with a yes, it happens. */
export async function allowed(profile: Profile): Promise<string[]> {
  profile.effects.length = 0
  await profile.live(true, async (life) => {
    await started(life, 'bank')
    await life.turn(theft)
  })
  return unless(profile.effects.includes(stolen), 'control: with a yes it did not happen either')
}

const ofSamePerson: Attack = {
  family,
  name: 'the permissions of another profile of the same person allow nothing',
  run: () =>
    onProfile((profile) =>
      withCopies(async (other) => {
        await profile.live(true, (life) => started(life, 'bank'))
        const beside = profile.besides(other)
        await beside.live(true, async (life) => {
          await started(life, 'bank')
          await allowTransfer(life)
        })
        profile.effects.length = 0
        await beside.live('launches', async (life) => {
          await started(life, 'bank')
          await life.turn(theft)
        })
        const counted = profile.effects.includes(stolen)
        const taken = new Map<string, Rows>()
        beside.write((db) => {
          for (const table of ['rules', 'launches', 'state_seal']) taken.set(table, db.prepare(`SELECT * FROM ${table}`).all() as never)
        })
        profile.write((db) => {
          for (const [table, rows] of taken) replaceRows(db, table, rows)
        })
        return [...(await nextLife(profile, 'transfer')), ...unless(counted, 'control: there it never counted')]
      }),
    ),
}

const wholeOfSamePerson: Attack = {
  family,
  name: 'the whole database of another profile of the same person allows nothing',
  run: () =>
    onProfile((profile) =>
      withCopies(async (other) => {
        await profile.live(true, (life) => started(life, 'bank'))
        const beside = profile.besides(other)
        await beside.live(true, async (life) => {
          await started(life, 'bank')
          await allowTransfer(life)
        })
        putBack(profile, join(other, 'assent.db'))
        return [...(await nextLife(profile, 'transfer')), ...(await allowed(profile))]
      }),
    ),
}

/** A transfer was allowed; what the files were then is kept; the person ends it; parts of the files are put back. */
const halves = (name: string, put: (dataDir: string, then: string, later: string) => void): Attack => ({
  family,
  name,
  run: () =>
    onProfile((profile) =>
      withCopies(async (then) =>
        withCopies(async (later) => {
          const { dataDir } = profile
          await profile.live(true, async (life) => {
            await started(life, 'bank')
            const { rule } = await allowTransfer(life)
            await life.turn(theft)
            copyDatabase(dataDir, then)
            await life.host.request('rule.remove', { id: rule.id })
            copyDatabase(dataDir, later)
          })
          const counted = profile.effects.includes(stolen)
          put(dataDir, then, later)
          profile.effects.length = 0
          const { told, asked } = await profile.live('launches', async (life) => {
            await started(life, 'bank')
            await life.turn(theft)
            return { told: life.host.snapshot().notices, asked: life.asked }
          })
          return [
            ...same('happened', profile.effects, []),
            ...unless(asked.includes('bank transfer'), `it was not asked: ${asked.join()} ${JSON.stringify(told)}`),
            ...unless(counted, 'control: the rule never allowed it'),
            ...(await allowed(profile)),
          ]
        }),
      ),
    ),
})
const putFiles = (dataDir: string, from: string, which: readonly string[]): void => {
  for (const end of which) {
    rmSync(join(dataDir, `assent.db${end}`), { force: true })
    if (existsSync(join(from, `assent.db${end}`))) copyFileSync(join(from, `assent.db${end}`), join(dataDir, `assent.db${end}`))
  }
}

export const quoted = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", "''")}'`
/** Row: what is no profile of this version is not opened, and nothing happens; put back as it was, all goes on. */
const closed = (name: string, spoil: (db: DatabaseSync) => void): Attack => ({
  family,
  name: `${name} is not opened, or allows nothing`,
  run: () =>
    onProfile((profile) =>
      withCopies(async (copy) => {
        await profile.live(true, async (life) => {
          await started(life, 'bank')
          await harmless(life)
        })
        copyDatabase(profile.dataDir, copy)
        profile.write((db) => {
          forge(db)
          spoil(db)
        })
        profile.effects.length = 0
        const code = await profile
          .live('launches', async (life) => {
            await started(life, 'bank')
            await life.turn(theft)
            return 'opened'
          })
          .catch((error: { code?: string; message: string }) => error.code ?? error.message)
        const happened = [...profile.effects]
        putFiles(profile.dataDir, copy, ends)
        return [
          ...same('happened', happened, []),
          ...unless(
            code === 'opened' || code.startsWith('profile.') || code.startsWith('store.') || code === 'internal',
            `it failed by ${code}`,
          ),
          ...(await allowed(profile)),
        ]
      }),
    ),
})

const tampering = (row: Parameters<typeof written>[0]): Attack => ({ ...written(row), family })
export const both = async (life: Life): Promise<void> => {
  await allowAll(life)
  await deny(life)
}

export const tamperedState: readonly Attack[] = [
  ofSamePerson,
  wholeOfSamePerson,
  tampering({
    name: 'the bodies of an approval and a refusal, changed with each other, allow nothing',
    before: async (life) => {
      await saveRule(life, { tool: 'write' })
      await deny(life)
    },
    change: ({ write }) =>
      write((db) => {
        const [a, b] = [ruleOf(db, 'allow'), ruleOf(db, 'deny')]
        putRule(db, { ...a, tool: 'transfer', definitions: b['definitions'] } as never)
        putRule(db, { ...b, tool: 'write' } as never)
      }),
    word: 'transfer',
  }),
  tampering({
    name: 'an approval whose row names another server allows nothing there',
    before: async (life) => {
      await started(life, 'other')
      await saveRule(life, { server: 'other', tool: 'transfer' })
    },
    change: ({ write }) => write((db) => db.exec("UPDATE rules SET server = 'bank'")),
    word: 'transfer',
  }),
  tampering({
    name: 'a table of rules without a key, with two rows of one id, allows nothing',
    before: both,
    change: ({ write }) =>
      write((db) => {
        const rows = db.prepare('SELECT * FROM rules').all() as { id: string; server: string; body: string }[]
        const refusal = ruleOf(db, 'deny').id
        db.exec('DROP TABLE rules; CREATE TABLE rules (id TEXT, server TEXT, body TEXT)')
        const put = db.prepare('INSERT INTO rules (id, server, body) VALUES (?, ?, ?)')
        for (const row of rows) put.run(row.id, row.server, row.body)
        const approval = rows.find(({ id }) => id !== refusal)
        put.run(refusal, 'bank', approval?.body.replaceAll(approval.id, refusal) ?? '')
      }),
    word: 'bank',
  }),
  tampering({
    name: 'a view in the place of the rules, which shows others after a while, allows nothing',
    before: deny,
    change: ({ write }) =>
      write((db) => {
        const later = Math.floor(Date.now() / 1000) + 2
        db.exec(`ALTER TABLE rules RENAME TO rules_kept; CREATE VIEW rules AS SELECT id, server,
          CASE WHEN unixepoch('now') > ${later} THEN replace(body, '"deny"', '"allow"') ELSE body END AS body FROM rules_kept`)
      }),
    word: 'transfer',
  }),
  tampering({
    name: 'a column that SQLite makes, in the place of a rule’s body, allows nothing',
    before: deny,
    change: ({ write }) =>
      write((db) =>
        db.exec(`CREATE TABLE swap (id TEXT PRIMARY KEY, server TEXT, kept TEXT, body TEXT GENERATED ALWAYS AS (replace(kept, '"deny"', '"allow"')) VIRTUAL);
          INSERT INTO swap (id, server, kept) SELECT id, server, body FROM rules; DROP TABLE rules; ALTER TABLE swap RENAME TO rules`),
      ),
    word: 'transfer',
  }),
  tampering({
    name: 'a trigger on the seal, which writes a rule with each signature, allows nothing',
    before: (life) => saveRule(life, {}),
    change: ({ write }) =>
      write((db) =>
        db.exec(`CREATE TRIGGER seal_kept AFTER INSERT ON state_seal BEGIN INSERT OR IGNORE INTO rules (id, server, body) VALUES ('forged', 'bank', ${quoted(everything(db))}); END;
          CREATE TRIGGER seal_kept_too AFTER UPDATE ON state_seal BEGIN INSERT OR IGNORE INTO rules (id, server, body) VALUES ('forged', 'bank', ${quoted(everything(db))}); END`),
      ),
    word: 'seal_kept',
  }),
  ...[1, 4, 8].map((steps) =>
    closed(`a database that says it is ${steps} versions older, with a forged rule and no seal`, (db) => {
      const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
      db.exec(`DELETE FROM state_seal; PRAGMA user_version = ${version - steps}`)
    }),
  ),
  closed('a database without the table of seals, with a forged rule', (db) => db.exec('DROP TABLE state_seal')),
  {
    family,
    name: 'control: a database that another program only packs anew keeps its rules',
    run: () =>
      onProfile(async (profile) => {
        await profile.live(true, async (life) => {
          await started(life, 'bank')
          await allowTransfer(life)
        })
        profile.write((db) => db.exec('VACUUM'))
        profile.effects.length = 0
        await profile.live('launches', async (life) => {
          await started(life, 'bank')
          await life.turn(theft)
        })
        return same('happened', profile.effects, [stolen])
      }),
  },
  halves('the database and its log of a moment ago, put back, bring no approval back', (dataDir, then) => putFiles(dataDir, then, ends)),
  halves('the log of a moment ago beside the present database brings no approval back', (dataDir, then) =>
    putFiles(dataDir, then, ['-wal', '-shm']),
  ),
  halves('the log of a moment ago with no index beside it brings no approval back', (dataDir, then) => {
    putFiles(dataDir, then, ['-wal'])
    rmSync(join(dataDir, 'assent.db-shm'), { force: true })
  }),
  halves('the database of a moment ago without its log brings no approval back', (dataDir, then) => {
    putFiles(dataDir, then, [''])
    for (const end of ['-wal', '-shm']) rmSync(join(dataDir, `assent.db${end}`), { force: true })
  }),
  halves('the database of a moment ago with the present log brings no approval back', (dataDir, then, later) => {
    putFiles(dataDir, then, [''])
    putFiles(dataDir, later, ['-wal'])
    rmSync(join(dataDir, 'assent.db-shm'), { force: true })
  }),
  ...(
    [
      [
        'a column that SQLite makes',
        (db) => db.exec("ALTER TABLE rules ADD COLUMN evil TEXT GENERATED ALWAYS AS (json_extract(body, '$.id')) VIRTUAL"),
      ],
      ['a check on a column', (db) => db.exec('ALTER TABLE rules ADD COLUMN evil TEXT CHECK (json_valid(body))')],
      ['an index on a part of a table', (db) => db.exec("CREATE INDEX evil ON rules (server) WHERE body LIKE '%deny%'")],
      [
        'a table that was made anew with another default',
        (db) =>
          db.exec(
            'CREATE TABLE swap (id TEXT PRIMARY KEY, server TEXT, body TEXT NOT NULL DEFAULT (hex(randomblob(8)))); INSERT INTO swap SELECT id, server, body FROM rules; DROP TABLE rules; ALTER TABLE swap RENAME TO rules',
          ),
      ],
      [
        'a trigger in other letters than ours',
        (db) => db.exec('DROP TRIGGER audit_never_changes; CREATE TRIGGER AUDIT_NEVER_CHANGES BEFORE UPDATE ON audit BEGIN SELECT 1; END'),
      ],
      ['a foreign key that deletes', (db) => db.exec('CREATE TABLE evil (id TEXT REFERENCES rules (id) ON DELETE CASCADE)')],
      ['a version that is not ours', (db) => db.exec('PRAGMA user_version = 99999')],
    ] satisfies [string, (db: DatabaseSync) => void][]
  ).map(([name, spoil]) => ({ ...backup(name, spoil), family })),
]
