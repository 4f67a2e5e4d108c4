import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type PermissionKind, permissionKinds } from '#app/contract/transfer-requests.ts'
import { setCatalogue } from '#app/i18n/translate.ts'
import { openDatabase } from '../database/database.ts'
import { makeProfile, type TestProfile } from '../store.testing.ts'
import type { Store } from '../store-api.ts'
import { leaveTables } from './backup-permissions.ts'
import type { BackupStep } from './copy.ts'

let profile: TestProfile
let other: TestProfile
beforeEach(() => {
  profile = makeProfile()
  other = makeProfile()
})
afterEach(() => {
  setCatalogue(undefined)
  profile.dispose()
  other.dispose()
})

function fill(store: Store, word: string, count = 3): void {
  store.conversations.put({ id: 'c', title: word, model: 'm', createdAt: 1, updatedAt: 5, activity: { kind: 'idle' } })
  for (let index = 0; index < count; index += 1)
    store.conversations.putMessage({
      role: 'user',
      id: `u${index}`,
      conversationId: 'c',
      turnId: 't',
      createdAt: 1,
      text: `${word} ${index}`,
    })
  store.blobs.put(new Uint8Array([1, 2, 3]), 'image/png')
  store.settings.set({ welcomed: true })
  store.audit.append({ kind: 'key', detail: { word } })
}
async function contentOf(store: Store, word: string) {
  return {
    conversations: store.conversations.list(),
    messages: store.conversations.messages('c'),
    settings: store.settings.get(),
    record: [...store.audit.all()],
    whole: store.audit.verify(),
    found: (await store.search.find('me', { text: `${word} `, where: 'messages' })).hits.map(({ messageId }) => messageId),
  }
}

test('a plain copy of the one file of a host that was stopped is a whole backup', async () => {
  fill(profile.store(), 'kestrel')
  const before = await contentOf(profile.store(), 'kestrel')
  profile.store().close()
  copyFileSync(profile.path, other.path)
  expect(await contentOf(other.store(), 'kestrel')).toEqual(before)
})

test('what a running host wrote restores to the same, and what was there takes its place again', async () => {
  mkdirSync(join(other.dataDir, 'backups'))
  const file = join(other.dataDir, 'backups', 'assent-1.db')
  fill(profile.store(), 'kestrel')
  profile.store().blobs.put(new Uint8Array(3_000_000), 'image/png')
  const before = await contentOf(profile.store(), 'kestrel')
  const steps: BackupStep[] = []
  const facts = await profile.store().backup.write(file, { onStep: (step) => steps.push(step) })
  expect(facts).toMatchObject({ conversations: 1, messages: 3, changedAt: 5 })
  expect(new Set(steps.map(({ kind }) => kind))).toEqual(new Set(['copying', 'checking']))
  fill(profile.store(), 'later', 5)

  fill(other.store(), 'other')
  const replaced = await contentOf(other.store(), 'other')
  expect(await other.store().backup.stage({ path: file })).toMatchObject({ conversations: 1, messages: 3 })
  expect(other.store().conversations.list()[0]?.title).toBe('other')
  expect(await contentOf(other.reopen(), 'kestrel')).toEqual(before)

  const { backup } = other.store()
  const found = backup.list()
  expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['backup', 'replaced']))
  const aside = found.find(({ kind }) => kind === 'replaced')?.path ?? ''
  await backup.stage({ path: aside })
  expect(backup.isStaged()).toBe(true)
  backup.unstage()
  expect((await contentOf(other.reopen(), 'kestrel')).found).toHaveLength(3)
  await other.store().backup.stage({ path: aside })
  expect(await contentOf(other.reopen(), 'other')).toEqual(replaced)
})

test('one that is stopped leaves nothing behind', async () => {
  fill(profile.store(), 'kestrel')
  profile.store().blobs.put(new Uint8Array(3_000_000), 'image/png')
  const stop = new AbortController()
  const file = join(profile.dataDir, 'backups', 'stopped.db')
  mkdirSync(join(profile.dataDir, 'backups'))
  const onStep = (): void => stop.abort()
  await expect(profile.store().backup.write(file, { signal: stop.signal, onStep })).rejects.toMatchObject({ code: 'cancelled' })
  expect(readdirSync(join(profile.dataDir, 'backups'))).toEqual([])
})

test('a backup can take the place of a profile that is damaged', async () => {
  const file = join(profile.dataDir, 'backup.db')
  fill(profile.store(), 'kestrel')
  await profile.store().backup.write(file)
  mkdirSync(other.dataDir, { recursive: true })
  writeFileSync(other.path, 'no database')
  copyFileSync(file, `${other.path}.restore`)
  expect(other.store().conversations.list()).toHaveLength(1)
})

test('what is no whole backup is refused, and nothing is laid beside the profile', async () => {
  const { backup } = profile.store()
  const text = join(profile.dataDir, 'text.db')
  writeFileSync(text, 'Dear diary'.repeat(1000))
  const foreign = join(profile.dataDir, 'foreign.db')
  const database = openDatabase(foreign)
  database.exec('PRAGMA user_version = 3; CREATE TABLE diary (day TEXT)')
  database.close()
  const newer = join(profile.dataDir, 'newer.db')
  await backup.write(newer)
  const changed = openDatabase(newer)
  changed.exec('PRAGMA user_version = 9999')
  changed.close()
  const codes = await Promise.all(
    [text, foreign, newer, join(profile.dataDir, 'nowhere.db')].map((path) =>
      backup.stage({ path }).then(
        () => 'taken',
        (error: { code?: string }) => error.code,
      ),
    ),
  )
  expect(codes).toEqual(['backup.unreadable', 'backup.unreadable', 'profile.newer', 'folder.not-found'])
  expect(existsSync(`${profile.path}.restore`)).toBe(false)
})

const send = async (store: Store, bytes: Uint8Array, { upload = 'u', name = 'C:\\mine\\assent-1.db' } = {}): Promise<void> => {
  const half = Math.floor(bytes.length / 2)
  const part = { upload, name, total: bytes.length }
  await store.backup.uploads.part({ ...part, at: 0, bytes: bytes.subarray(0, half) })
  await store.backup.uploads.part({ ...part, at: half, bytes: bytes.subarray(half) })
}

test('a backup of another machine comes in parts, takes the profile’s place and leaves nothing beside it', async () => {
  fill(profile.store(), 'kestrel')
  const before = await contentOf(profile.store(), 'kestrel')
  profile.store().close()
  fill(other.store(), 'other')
  await send(other.store(), readFileSync(profile.path))
  expect(await other.store().backup.check({ upload: 'u' })).toMatchObject({ conversations: 1, messages: 3 })
  expect(await other.store().backup.stage({ upload: 'u' })).toMatchObject({ conversations: 1, messages: 3 })
  await expect(other.store().backup.check({ upload: 'u' })).rejects.toMatchObject({ code: 'backup.gone' })
  expect(readdirSync(join(other.dataDir, 'backups'))).toEqual([])
  expect(await contentOf(other.reopen(), 'kestrel')).toEqual(before)
})

test('what the data folder takes up is told by what it is for, and one backup of the list can go, nothing else', async () => {
  fill(profile.store(), 'kestrel')
  const { backup, orphanBlobs } = profile.store()
  orphanBlobs.put(new Uint8Array(5000), 'image/png')
  const folder = join(profile.dataDir, 'backups')
  mkdirSync(folder)
  await backup.write(join(folder, 'assent-1.db'))
  mkdirSync(join(profile.dataDir, 'logs', 'older'), { recursive: true })
  writeFileSync(join(profile.dataDir, 'logs', 'older', 'demo.log'), 'x'.repeat(700))
  writeFileSync(join(profile.dataDir, 'servers.json'), '{}')
  const use = await backup.measure()
  expect(use).toMatchObject({ attachments: 5003, unsent: 5000, free: 0, logs: 700, bundles: 0 })
  const [found] = backup.list()
  expect(use.backups).toBe(found?.bytes)
  expect(use.database).toBeGreaterThanOrEqual(5003)
  expect(() => backup.remove(profile.path)).toThrow(expect.objectContaining({ code: 'backup.gone' }))
  backup.remove(found?.path ?? '')
  expect([backup.list(), (await backup.measure()).backups]).toEqual([[], 0])
})

test('one that came in damaged is refused by its own name, and gone', async () => {
  fill(profile.store(), 'kestrel', 400)
  profile.store().close()
  await send(other.store(), readFileSync(profile.path).fill(0xff, 8192, 40_000))
  await expect(other.store().backup.check({ upload: 'u' })).rejects.toMatchObject({
    code: 'backup.unreadable',
    data: { name: 'assent-1.db' },
  })
  expect(readdirSync(join(other.dataDir, 'backups'))).toEqual([])
})

test('a folder that cannot be written leaves nothing behind', async () => {
  await expect(profile.store().backup.write(join(profile.dataDir, 'no', 'such', 'folder.db'))).rejects.toMatchObject({
    code: 'profile.unwritable',
  })
})

test('a page that is damaged in the middle is found by reading all of it, while the rest can still be read', async () => {
  fill(profile.store(), 'kestrel', 400)
  expect(await profile.store().backup.readWhole()).toBeGreaterThan(400)
  profile.store().close()
  const bytes = readFileSync(profile.path)
  // The page of a message in the middle, header and all.
  const page = Math.floor(bytes.indexOf('kestrel 200') / 4096) * 4096
  writeFileSync(profile.path, bytes.fill(0xff, page, page + 4096))
  const store = profile.reopen()
  await expect(store.backup.readWhole()).rejects.toMatchObject({ code: 'profile.corrupt', data: { path: profile.path } })
  expect(store.conversations.list().map(({ title }) => title)).toEqual(['kestrel'])
})

test('reading all of it ends at once when the store is closed', async () => {
  fill(profile.store(), 'kestrel')
  const reading = profile.store().backup.readWhole()
  profile.store().close()
  await expect(reading).rejects.toMatchObject({ code: 'cancelled' })
})

test('what the thread refuses it says in the language of the host', async () => {
  setCatalogue({ language: 'pl', messages: { '{0} is not a complete backup.': 'To nie kopia: {0}.' } })
  const text = join(profile.dataDir, 'notes.db')
  writeFileSync(text, 'no database')
  await expect(profile.store().backup.stage({ path: text })).rejects.toThrow(`To nie kopia: ${text}.`)
})

// https://sqlite.org/security.html, "Untrusted SQLite Database Files": triggers and views of such a file run by themselves.
const foreign: readonly (readonly [what: string, sql: string])[] = [
  ['trigger evil', "CREATE TRIGGER evil AFTER INSERT ON messages BEGIN INSERT INTO rules (id, server, body) VALUES ('x', '', '{}'); END"],
  ['view spare', 'CREATE VIEW spare AS SELECT * FROM messages'],
  ['table mine', 'CREATE TABLE mine (a)'],
  ['index slow', 'CREATE INDEX slow ON messages (length(body))'],
  [
    'trigger audit_never_changes',
    'DROP TRIGGER audit_never_changes; CREATE TRIGGER audit_never_changes BEFORE UPDATE ON audit BEGIN SELECT 1; END',
  ],
]
test.each(foreign)('a backup with the %s of somebody else is refused by its name, and nothing of it is laid down', async (what, sql) => {
  const file = join(profile.dataDir, 'backup.db')
  fill(profile.store(), 'kestrel')
  await profile.store().backup.write(file)
  const changed = openDatabase(file)
  changed.exec(sql)
  changed.close()
  const refusal = { code: 'backup.foreign', message: expect.stringContaining(what) }
  await expect(other.store().backup.check({ path: file })).rejects.toMatchObject(refusal)
  await expect(other.store().backup.stage({ path: file })).rejects.toMatchObject(refusal)
  expect(existsSync(`${other.path}.restore`)).toBe(false)
})

test('figures that SQLite keeps of its own tables are nobody else’s', async () => {
  const file = join(profile.dataDir, 'backup.db')
  fill(profile.store(), 'kestrel')
  await profile.store().backup.write(file)
  const counted = openDatabase(file)
  counted.exec('ANALYZE')
  counted.close()
  expect(await other.store().backup.check({ path: file })).toMatchObject({ conversations: 1, permissions: [] })
})

const endpoint = (id: string, baseUrl: string) => ({ id, name: id, baseUrl, kind: 'added', keyed: true, models: [] })

/** All that gives leave, each with the word in it. */
function permit({ store, path }: TestProfile, word: string): void {
  store().settings.set({
    roots: [`/${word}`],
    defaultModel: `${word}/m`,
    consentMode: 'ask-writes',
    registryAddress: `https://${word}.example`,
  })
  store().settings.setFact('models/endpoints', [endpoint('shared', `https://${word}.example`), endpoint(word, `https://${word}.example`)])
  const [chat] = store().conversations.list()
  if (chat) store().conversations.put({ ...chat, consentMode: 'ask-writes', roots: [`/${word}`] })
  store().chatFolders.put({ id: 'f', name: word, createdAt: 1, consentMode: 'ask-writes', roots: [`/${word}`] })
  store().personal.put('assistant', { id: 'a', name: word, instructions: word, consentMode: 'ask-writes' })
  store().settings.set({ instructions: word, memory: true })
  const database = openDatabase(path)
  database.run("INSERT INTO rules (id, server, body) VALUES (?1, ?1, '{}')", word)
  database.run("INSERT INTO definitions (server, tool, body) VALUES (?1, 'send', '{}')", word)
  database.run("INSERT INTO launches (server, fingerprint, target) VALUES (?1, ?1, '{}')", word)
  database.run("INSERT INTO agreed_views (server, uri, fingerprint) VALUES (?1, 'ui://a', ?1)", word)
  database.run("INSERT INTO told_folders (server, conversation, uri) VALUES (?1, 'c', 'file:///a')", word)
  database.run("INSERT INTO server_choices (server, folders) VALUES (?1, '[]')", word)
  database.run("INSERT INTO sampling_budgets (server, body) VALUES (?1, '{}')", word)
  database.close()
}

/** What of it is there: by table the words, then the settings. */
function permitted({ store, path }: TestProfile): object {
  const database = openDatabase(path, { readOnly: true })
  const words = ['rules', 'definitions', 'launches', 'agreed_views', 'told_folders', 'server_choices', 'sampling_budgets'].map((table) =>
    database.all(`SELECT server FROM ${table}`).map(({ server }) => server),
  )
  database.close()
  const { settings, personal } = store()
  const { roots, defaultModel, consentMode, registryAddress, instructions, memory } = settings.get()
  const endpoints = settings.fact('models/endpoints') as { id: string; baseUrl: string }[] | undefined
  return {
    words,
    settings: [roots, defaultModel, consentMode, registryAddress],
    endpoints: endpoints?.map(({ id, baseUrl }) => `${id} ${baseUrl}`),
    chats: store()
      .conversations.list()
      .map(({ title, consentMode: mode, roots: own }) => ({ title, mode, own })),
    chatFolders: store()
      .chatFolders.list()
      .map(({ name, consentMode: mode, roots: own }) => ({ name, mode, own })),
    assistants: personal.list('assistant').map(({ instructions: text, consentMode: mode }) => ({ text, mode })),
    personal: [instructions, memory],
  }
}

async function restoreHere(bring?: readonly PermissionKind[]): Promise<string> {
  mkdirSync(join(other.dataDir, 'backups'))
  const file = join(other.dataDir, 'backups', 'assent-1.db')
  fill(profile.store(), 'kestrel')
  permit(profile, 'theirs')
  await profile.store().backup.write(file)
  fill(other.store(), 'other')
  permit(other, 'ours')
  await other.store().backup.stage({ path: file }, bring)
  other.reopen()
  return file
}
const oursIn = (title: string, own: object, name = title): object => ({
  words: Array(7).fill(['ours']),
  settings: [['/ours'], 'ours/m', 'ask-writes', 'https://ours.example'],
  endpoints: ['shared https://ours.example', 'ours https://ours.example'],
  chats: [{ title, ...own }],
  chatFolders: [{ name, ...own }],
  assistants: [{ text: name, mode: (own as { mode?: string }).mode }],
  personal: [name, true],
})

test('no rule, approval, folder, endpoint or setting that gives leave comes with a backup unsaid: those of here stay', async () => {
  const file = await restoreHere()
  expect(permitted(other)).toEqual(oursIn('kestrel', { mode: undefined, own: undefined }, 'theirs'))
  expect(other.store().settings.get().welcomed).toBe(true)
  expect((await other.store().backup.check({ path: file })).permissions).toEqual([
    { kind: 'rules', count: 1, names: ['theirs'] },
    { kind: 'launches', count: 1, names: ['theirs'] },
    { kind: 'views', count: 1, names: ['theirs · ui://a'] },
    { kind: 'folders', count: 4, names: ['theirs · file:///a', 'theirs · []'] },
    { kind: 'sampling', count: 1, names: ['theirs'] },
    { kind: 'endpoints', count: 3, names: ['https://theirs.example', 'https://theirs.example'] },
    {
      kind: 'settings',
      count: 6,
      names: ['consentMode "ask-writes"', 'roots ["/theirs"]', 'registryAddress "https://theirs.example"'],
    },
  ])
})

test('what the person says of comes with it, and an endpoint of here keeps its address, to which its key goes', async () => {
  await restoreHere(['rules', 'endpoints'])
  expect(permitted(other)).toMatchObject({
    words: [['theirs'], ['theirs'], ['ours'], ['ours'], ['ours'], ['ours'], ['ours']],
    settings: [['/ours'], 'theirs/m', 'ask-writes', 'https://ours.example'],
    endpoints: ['shared https://ours.example', 'ours https://ours.example', 'theirs https://theirs.example'],
  })
})

test('the way back of a restore has what was here before, chats and leave alike', async () => {
  await restoreHere([...permissionKinds])
  const aside =
    other
      .store()
      .backup.list()
      .find(({ kind }) => kind === 'replaced')?.path ?? ''
  await other.store().backup.stage({ path: aside }, [...permissionKinds])
  other.reopen()
  expect(permitted(other)).toMatchObject({
    ...oursIn('other', { mode: 'ask-writes', own: ['/ours'] }, 'ours'),
    endpoints: expect.anything(),
  })
})

test('leave of before is gone, not that of the backup there, where the profile of before cannot be read', async () => {
  fill(profile.store(), 'kestrel')
  permit(profile, 'theirs')
  const file = join(profile.dataDir, 'backup.db')
  await profile.store().backup.write(file)
  mkdirSync(other.dataDir, { recursive: true })
  writeFileSync(other.path, 'no database')
  copyFileSync(file, `${other.path}.restore`)
  other.store()
  expect(permitted(other)).toMatchObject({ words: Array(7).fill([]), settings: [[], 'practice/practice', 'rules', expect.anything()] })
})

test('every table is content or leave: who adds one decides which', () => {
  const database = openDatabase(profile.store() && profile.path, { readOnly: true })
  const first = 'agreed_views definitions gate_clients launches rule_uses rules sampling_budgets sampling_spent'
  const then = 'sandbox_attempts server_choices server_memory server_resources state_seal told_folders trusted_servers'
  expect(new Set(leaveTables(database))).toEqual(new Set(`${first} ${then}`.split(' ')))
  database.close()
})
