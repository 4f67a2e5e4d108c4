import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LaunchTarget } from '#app/consent/request.ts'
import type { Rule } from '#app/consent/rules/rule.ts'
import { type Catalogue, emptyCatalogue } from '#app/server/catalogue.ts'
import type { Session } from '#app/server/server-state.ts'
import { defaultSettings } from '#app/settings.ts'
import { codeOf, makeProfile, type TestProfile } from './store.testing.ts'

let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => profile.dispose())

const makeRule = (id: string, server = 'files'): Rule => ({
  id,
  effect: 'deny',
  server,
  tool: 'move',
  scope: { kind: 'always' },
  createdAt: 1,
})
const target: LaunchTarget = { transport: 'stdio', command: 'node', args: ['x.js'], envNames: ['HOME'] }
const catalogue: Catalogue = { ...emptyCatalogue, resources: [{ uri: 'a://b', name: 'b' }], fetchedAt: 5 }
const session: Session = { era: 'modern', protocolVersion: '2026-07-28', foundBy: 'discover' }

describe('blobs', () => {
  test('come back by their hash, and the same bytes are kept once under their first type', () => {
    const { blobs } = profile.store()
    const bytes = new TextEncoder().encode('hello')
    const ref = blobs.put(bytes, 'text/plain')
    expect(ref).toEqual({
      sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
      bytes: 5,
      mimeType: 'text/plain',
    })
    blobs.put(bytes, 'text/html')
    expect(profile.reopen().blobs.get(ref.sha256)).toEqual({ bytes, mimeType: 'text/plain' })
  })

  test('an empty one is one, an unknown one is none', () => {
    const { blobs } = profile.store()
    expect(blobs.get(blobs.put(new Uint8Array(), 'a/b').sha256)?.bytes.length).toBe(0)
    expect(blobs.get('0'.repeat(64))).toBeUndefined()
  })
})

describe('rules', () => {
  test('are kept in the order of their making, replaced in place, removed once', () => {
    const { rules } = profile.store()
    rules.put(makeRule('b'))
    rules.put(makeRule('a'))
    rules.put({ ...makeRule('b'), effect: 'allow' })
    expect(profile.reopen().rules.list()).toEqual([{ ...makeRule('b'), effect: 'allow' }, makeRule('a')])
    expect([profile.store().rules.remove('a'), profile.store().rules.remove('a')]).toEqual([makeRule('a'), undefined])
  })

  test('are counted as the record says that they answered', () => {
    const { audit } = profile.store()
    const answer = (by: string, ruleId?: string) =>
      audit.append({ kind: 'decision', decision: 'allowed', by, detail: ruleId ? { ruleId } : {} })
    answer('rule', 'a')
    answer('person', 'a')
    answer('rule')
    const last = answer('rule', 'a')
    audit.append({ kind: 'rule', decision: 'added', by: 'rule', detail: { ruleId: 'a' } })
    answer('rule', 'b')
    expect(profile.reopen().rules.usages()).toMatchObject({ a: { times: 2, last: last.time }, b: { times: 1 } })
  })

  test('the last approved launch of a server is kept', () => {
    const { rules } = profile.store()
    rules.putLaunch('files', { fingerprint: 'f1', target, digests: [] })
    const digests = [{ key: 'k', kept: 'keyring', values: { A: 'd' } }] as const
    rules.putLaunch('files', { fingerprint: 'f2', target, digests })
    expect(profile.reopen().rules.launch('files')).toEqual({ fingerprint: 'f2', target, digests })
    expect(profile.store().rules.launch('other')).toBeUndefined()
  })
})

describe('definitions of tools', () => {
  const approved = (name: string, description = 'd') => ({
    fingerprint: `of ${name}`,
    approvedAt: 1,
    definition: { name, description, inputSchema: { type: 'object' } },
  })

  test('are kept, the last of each tool, and go with the server’s name', () => {
    const { rules, servers } = profile.store()
    rules.putDefinition('files', approved('a', 'old'))
    rules.putDefinition('files', approved('a'))
    rules.putDefinition('docs', approved('b'))
    servers.rename('files', 'docs')
    const again = profile.reopen().rules
    expect([again.definition('docs', 'a'), again.definition('docs', 'b'), again.definition('files', 'a')]).toEqual([
      approved('a'),
      undefined,
      undefined,
    ])
  })

  test('are not kept when they are too long, nor is then what there was before', () => {
    const { rules } = profile.store()
    rules.putDefinition('files', approved('a'))
    rules.putDefinition('files', approved('a', 'x'.repeat(64_000)))
    expect(rules.definition('files', 'a')).toBeUndefined()
  })

  test('are a thousand at most, the latest', () => {
    const { rules } = profile.store()
    profile.store().transaction(() => {
      for (let index = 0; index < 1003; index += 1) rules.putDefinition('files', approved(`t${index}`))
    })
    expect(['t0', 't2', 't3', 't1002'].map((name) => rules.definition('files', name) !== undefined)).toEqual([false, false, true, true])
  })
})

describe('servers', () => {
  test('are not remembered as what another launch said; the first launch that is known changes nothing', () => {
    const { servers } = profile.store()
    servers.putCatalogue('files', catalogue)
    servers.putSession('files', session)
    servers.setToolEnabled('files', 'a', false)
    servers.bindMemory('files', 'one')
    servers.bindMemory('files', 'one')
    expect([servers.catalogue('files'), servers.session('files')]).toEqual([catalogue, session])
    profile.reopen().servers.bindMemory('files', 'two')
    const again = profile.store().servers
    expect([again.catalogue('files'), again.session('files'), [...again.disabledTools('files')]]).toEqual([undefined, undefined, ['a']])
  })

  test('are remembered until forgotten', () => {
    const { servers } = profile.store()
    servers.putCatalogue('files', catalogue)
    servers.putSession('files', session)
    servers.setToolEnabled('files', 'a', false)
    servers.setToolEnabled('files', 'b', false)
    servers.setToolEnabled('files', 'b', true)
    servers.putLogLevel('files', 'error')
    servers.putLogLevel('files', 'debug')
    const again = profile.reopen().servers
    expect([again.catalogue('files'), again.session('files'), [...again.disabledTools('files')]]).toEqual([catalogue, session, ['a']])
    again.putSession('files', undefined)
    expect([again.catalogue('files'), again.session('files')]).toEqual([catalogue, undefined])
    again.forget('files')
    expect([again.catalogue('files'), again.disabledTools('files').size]).toEqual([undefined, 0])
    // What the person chose is not what is remembered of the server.
    expect([again.logLevel('files'), again.logLevel('other')]).toEqual(['debug', undefined])
  })

  test('a new name takes everything along, and nothing of who had it before stays', () => {
    const { servers, rules } = profile.store()
    servers.putCatalogue('files', catalogue)
    servers.setToolEnabled('files', 'a', false)
    rules.put(makeRule('r'))
    rules.put(makeRule('other', 'mail'))
    rules.putLaunch('files', { fingerprint: 'f1', target, digests: [] })
    servers.putSession('docs', session)
    servers.setToolEnabled('docs', 'z', false)
    servers.putLogLevel('docs', 'error')
    servers.putLogLevel('files', 'debug')
    servers.rename('files', 'docs')
    expect([servers.catalogue('docs'), servers.session('docs'), [...servers.disabledTools('docs')]]).toEqual([catalogue, undefined, ['a']])
    expect([servers.logLevel('docs'), servers.logLevel('files')]).toEqual(['debug', undefined])
    expect([rules.list(), rules.launch('docs')?.fingerprint, rules.launch('files')]).toEqual([
      [makeRule('r', 'docs'), makeRule('other', 'mail')],
      'f1',
      undefined,
    ])
  })
})

describe('settings', () => {
  test('begin at their defaults and keep what is set', () => {
    const { settings } = profile.store()
    expect(settings.get()).toEqual(defaultSettings)
    expect(settings.set({ theme: 'dark', stepLimit: 7 })).toEqual({ ...defaultSettings, theme: 'dark', stepLimit: 7 })
    expect(profile.reopen().settings.get()).toEqual({ ...defaultSettings, theme: 'dark', stepLimit: 7 })
  })

  test('a value that cannot be is refused and nothing of the patch is kept', () => {
    const { settings } = profile.store()
    expect(codeOf(() => settings.set({ theme: 'dark', stepLimit: 0 }))).toBe('contract.invalid')
    expect(settings.get()).toEqual(defaultSettings)
  })

  test('a stored value that no longer fits falls back alone', () => {
    profile.store().settings.set({ theme: 'dark', stepLimit: 7, welcomed: true })
    profile.store().close()
    const raw = new DatabaseSync(profile.path)
    raw.exec(`UPDATE settings SET value = '-3' WHERE name = 'stepLimit'; UPDATE settings SET value = '{' WHERE name = 'welcomed'`)
    raw.exec(`INSERT INTO settings VALUES ('from-the-future', '1')`)
    raw.close()
    expect(profile.reopen().settings.get()).toEqual({ ...defaultSettings, theme: 'dark' })
  })

  test('facts keep any JSON', () => {
    const { settings } = profile.store()
    settings.setFact('checked', { at: [1, null] })
    settings.setFact('none', null)
    const again = profile.reopen().settings
    expect([again.fact('checked'), again.fact('none'), again.fact('other')]).toEqual([{ at: [1, null] }, null, undefined])
  })
})
