// Rows of the profile's permissions, written by another process: a refusal that became an approval, an approval more or a refusal less,
// a lost seal or key. None of it may count, and the person is told.
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { LaunchRequest } from '#app/consent/request.ts'
import { launchKey } from '#main/servers/lifecycle/launch-target.ts'
import { startModelServer } from '../../../model-server/server.ts'
import { type Attack, same, unless } from '../../attack.ts'
import { obey, order } from '../../obey.ts'
import { tool } from '../../puppet.ts'
import { type Life, onProfile, type Profile, saveRule, started, stolen, theft } from './written-state.ts'

export const family = 'signed state'

export const ruleOf = (db: DatabaseSync, effect: string): { id: string; [member: string]: unknown } =>
  (db.prepare('SELECT body FROM rules').all() as { body: string }[])
    .map(({ body }) => JSON.parse(body))
    .find((rule) => rule.effect === effect)

export function putRule(db: DatabaseSync, rule: { readonly id: string }): void {
  db.prepare('INSERT INTO rules (id, server, body) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body').run(
    rule.id,
    'bank',
    JSON.stringify(rule),
  )
}

/** What the person is told since; the word that has to be in it names what was changed. */
export const toldOf = ({ notices }: Profile, from: number, word: string): string[] =>
  unless(JSON.stringify(notices.slice(from)).includes(word), `the person was not told of “${word}”: ${JSON.stringify(notices.slice(from))}`)

interface Written {
  readonly name: string
  /** What the person does first, who says yes to all. */
  before(life: Life): Promise<unknown>
  /** While the profile is closed. */
  change(profile: Profile): unknown
  /** What the notice names. */
  readonly word: string
  readonly say?: string
  readonly effect?: string
  /** What is asked of the person again. */
  readonly asks?: string
}

/** Row: while the person refuses after the change, nothing happens unasked and they are told; once they allow it, it happens. */
export const written = ({ name, before, change, word, say = theft, effect = stolen, asks = 'bank transfer' }: Written): Attack => ({
  family,
  name,
  run: () =>
    onProfile(async (profile) => {
      await profile.live(true, async (life) => {
        await started(life, 'bank')
        await before(life)
      })
      await change(profile)
      const from = profile.notices.length
      profile.effects.length = 0
      const asked = await profile.live('launches', async (life) => {
        await started(life, 'bank')
        await life.turn(say)
        return life.asked
      })
      const wrong = [
        ...same(
          'happened',
          profile.effects.filter((one) => one === effect),
          [],
        ),
        ...unless(asked.includes(asks), `nothing was asked: ${asked.join(', ')}`),
        ...toldOf(profile, from, word),
      ]
      profile.effects.length = 0
      const again = await profile.live(true, async (life) => {
        await started(life, 'bank')
        await life.turn(say)
        return life.asked
      })
      return [
        ...wrong,
        ...unless(profile.effects.includes(effect), `control: with a yes it did not happen either (${profile.effects.join()})`),
        ...unless(again.includes(asks), `control: it was not asked with a yes either (${again.join(', ')})`),
      ]
    }),
})

export const deny = (life: Life): Promise<unknown> => saveRule(life, { effect: 'deny', tool: 'transfer' })
export const allowAll = (life: Life): Promise<unknown> => saveRule(life, { tool: undefined })

/** A server that was never started: the person refused it, and then its launch was written into the list. */
const launchInserted: Attack = {
  family,
  name: 'a launch that somebody else wrote into the list starts nothing',
  run: () =>
    onProfile(async (profile) => {
      let seen: LaunchRequest | undefined
      await profile.live(false, async (life) => {
        life.host.onEvent((event) => {
          if (event.name === 'consent.opened' && event.payload.request.kind === 'launch') seen = event.payload.request
        })
        await started(life, 'other').catch(() => undefined)
        await life.host.request('settings.set', { theme: 'dark' })
      })
      profile.write((db) =>
        db
          .prepare('INSERT INTO launches (server, fingerprint, target, digest) VALUES (?, ?, ?, ?)')
          .run('other', seen?.fingerprint ?? '', JSON.stringify(seen?.target), '[]'),
      )
      const from = profile.notices.length
      const asked = await profile.live(false, async (life) => {
        await started(life, 'other').catch(() => undefined)
        return life.asked
      })
      const ran = await profile.live(true, async (life) => {
        await started(life, 'other')
        return life.host.snapshot().servers.find(({ name }) => name === 'other')?.state.kind
      })
      return [
        ...same('asked', asked, ['other launch']),
        ...toldOf(profile, from, 'other'),
        ...same('control: with a yes it runs', ran, 'ready'),
      ]
    }),
}

/** Read-only tools of a trusted server run unasked in the mode that the person chose; who is trusted was written by somebody else. */
const trusted: Attack = {
  family,
  name: 'a mark of trust, in the file and in the database, runs no tool unasked',
  run: () =>
    onProfile(
      async (profile) => {
        const file = join(profile.dataDir, 'servers.json')
        const say = order('bank__statement', { of: 'mine' })
        const effect = 'ran bank statement {"of":"mine"}'
        const launch = await profile.live(true, async (life) => {
          await started(life, 'bank')
          await life.host.request('settings.set', { consentMode: 'ask-writes' })
          const bank = life.host.context.config.definitions().get('bank')
          return bank ? launchKey(bank) : ''
        })
        const before = readFileSync(file, 'utf8')
        const config = JSON.parse(before) as { mcpServers: Record<string, object> }
        config.mcpServers['bank'] = { ...config.mcpServers['bank'], trusted: true }
        writeFileSync(file, JSON.stringify(config))
        profile.write((db) => db.prepare('INSERT INTO trusted_servers (server, launch) VALUES (?, ?)').run('bank', launch))
        profile.effects.length = 0
        const from = profile.notices.length
        await profile.live('launches', async (life) => {
          await started(life, 'bank')
          await life.turn(say)
        })
        const wrong = [...same('happened', profile.effects, []), ...toldOf(profile, from, 'bank')]
        await profile.live(true, async (life) => {
          await started(life, 'bank')
          await life.turn(say)
        })
        return [...wrong, ...unless(profile.effects.includes(effect), 'control: with a yes it did not run either')]
      },
      { tools: () => [tool('statement', { annotations: { readOnlyHint: true } })], call: () => 'done' },
    ),
}

/** No key is bound to an endpoint without one: what the chat says would go to whoever wrote the address. */
const keylessEndpoint: Attack = {
  family,
  name: 'a chat does not go to an address that somebody else wrote into the row of an endpoint without a key',
  async run() {
    const heard: string[] = []
    const trap = createServer((request, response) => {
      request.resume()
      heard.push(request.url ?? '')
      response.setHeader('content-type', 'application/json').end('{"data":[{"id":"claude-large-1"}]}')
    })
    await new Promise<void>((done) => trap.listen(0, '127.0.0.1', done))
    const lure = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`
    const honest = await startModelServer({ script: obey })
    const talk = async ({ host }: Life): Promise<void> => {
      await host.request('models.refresh', {}).catch(() => undefined)
      const mine = host.snapshot().models.find(({ provider }) => provider === 'mine')
      if (!mine) return
      const { conversationId } = await host.request('chat.send', { text: 'hello', model: mine.id })
      await host.context.chat.idle(conversationId)
    }
    try {
      return await onProfile(async (profile) => {
        await profile.live(true, async (life) => {
          await life.host.request('endpoint.save', { name: 'Mine', baseUrl: `${honest.url}/v1`, format: 'openai' })
          await talk(life)
        })
        const control = honest.requests.length
        let changed = 0
        profile.write((db) => {
          const tables = db.prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN ('settings', 'facts', 'signed_settings')",
          )
          for (const { name: table } of tables.all())
            for (const { name, value } of db.prepare(`SELECT name, value FROM ${table}`).all() as { name: string; value: string }[]) {
              if (!value.includes(honest.url)) continue
              changed += 1
              db.prepare(`UPDATE ${table} SET value = ? WHERE name = ?`).run(value.replaceAll(honest.url, lure), name)
            }
        })
        const from = profile.notices.length
        await profile.live(false, talk)
        return [
          ...same('heard at the other address', heard, []),
          ...toldOf(profile, from, 'Mine'),
          ...unless(control > 0, 'control: nothing went to its own address'),
          ...unless(changed > 0, 'control: no row held the address'),
        ]
      })
    } finally {
      await honest.close()
      trap.closeAllConnections()
      trap.close()
    }
  },
}

/** Written while Assent runs: the next call must not see it. */
const whileRunning: Attack = {
  family,
  name: 'a rule that somebody else writes while Assent runs allows nothing',
  run: () =>
    onProfile(async (profile) => {
      const notices: unknown[] = []
      await profile.live(true, async (life) => {
        await started(life, 'bank')
        await saveRule(life, {})
      })
      profile.effects.length = 0
      await profile.live('launches', async (life) => {
        await started(life, 'bank')
        profile.write((db) =>
          putRule(db, { ...ruleOf(db, 'allow'), id: 'forged', tool: undefined, definitions: undefined, fingerprint: undefined } as never),
        )
        await life.turn(theft)
        notices.push(...life.host.snapshot().notices)
      })
      const wrong = [
        ...same('happened', profile.effects, []),
        ...unless(JSON.stringify(notices).includes('bank'), `the person was not told: ${JSON.stringify(notices)}`),
      ]
      await profile.live(true, async (life) => {
        await started(life, 'bank')
        await life.turn(theft)
      })
      return [...wrong, ...unless(profile.effects.includes(stolen), 'control: with a yes it did not happen either')]
    }),
}

export const flip = ({ write }: Profile): void => write((db) => putRule(db, { ...ruleOf(db, 'deny'), effect: 'allow' } as never))

export const signedState: readonly Attack[] = [
  written({
    name: 'a refusal turned into an approval allows nothing',
    before: deny,
    change: flip,
    word: 'transfer',
  }),
  written({
    name: 'an approval for every tool that was written in allows nothing',
    before: (life) => saveRule(life, {}),
    change: ({ write }) =>
      write((db) =>
        putRule(db, { ...ruleOf(db, 'allow'), id: 'forged', tool: undefined, definitions: undefined, fingerprint: undefined } as never),
      ),
    word: 'bank',
  }),
  written({
    name: 'a deleted refusal leaves no approval that is wider',
    before: async (life) => {
      await allowAll(life)
      await deny(life)
    },
    change: ({ write }) => write((db) => db.prepare('DELETE FROM rules WHERE id = ?').run(ruleOf(db, 'deny').id)),
    word: 'transfer',
  }),
  written({
    name: 'a refusal that expired in the file alone leaves no approval that is wider',
    before: async (life) => {
      await allowAll(life)
      await deny(life)
    },
    change: ({ write }) => write((db) => putRule(db, { ...ruleOf(db, 'deny'), expiresAt: 1 } as never)),
    word: 'transfer',
  }),
  written({
    name: 'conditions taken off an approval allow nothing more',
    before: (life) => saveRule(life, { tool: 'transfer', conditions: [{ kind: 'equals', argument: '/to', value: 'alice' }] }),
    change: ({ write }) => write((db) => putRule(db, { ...ruleOf(db, 'allow'), conditions: undefined } as never)),
    word: 'transfer',
  }),
  written({
    name: 'a profile whose seal was taken away counts for nothing',
    before: deny,
    change(profile) {
      flip(profile)
      profile.write((db) => db.exec('DELETE FROM state_seal'))
    },
    word: 'transfer',
  }),
  written({
    name: 'a profile whose key is lost counts for nothing',
    before: deny,
    change(profile) {
      flip(profile)
      profile.loseKey()
    },
    word: 'transfer',
  }),
  launchInserted,
  trusted,
  keylessEndpoint,
  whileRunning,
]
