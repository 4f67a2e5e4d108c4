// Permissions of a backup that come to a profile where a server's name is another program's: ticked or not, they answer for the program
// that they were given for, and for no other.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { type Attack, same, unless } from '../../attack.ts'
import { order } from '../../obey.ts'
import { type Part, tool } from '../../puppet.ts'
import { fileDigest } from '../../stage.ts'
import { type Life, onProfile, type Profile, saveRule, started, theft } from '../outsiders/written-state.ts'

const family = 'restored programs'
const part: Part = {
  tools: () => [tool('transfer'), tool('write'), tool('read', { annotations: { readOnlyHint: true } })],
  call: () => 'done',
}

/** Gives the name `bank` to the program of `other`, and the other way round. */
function swap(dataDir: string): void {
  const file = join(dataDir, 'servers.json')
  const { bank, other } = (JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: Record<string, JsonObject> }).mcpServers
  writeFileSync(file, JSON.stringify({ mcpServers: { bank: other, other: bank } }))
}
const backup = async ({ host }: Life, run = 'run-1'): Promise<string> => (await host.request('backup.write', { run })).path
const restore = (profile: Profile, path: string, bring: readonly string[]): Promise<unknown> =>
  profile.live(true, ({ host }) => host.request('backup.restore', { source: { path }, bring: bring as never, digest: fileDigest(path) }))
const ran = ({ effects }: Profile): string[] =>
  effects
    .splice(0)
    .filter((effect) => effect.startsWith('ran '))
    .map((effect) => effect.split(' ')[2] ?? '')

interface Row {
  readonly name: string
  readonly bring: readonly string[]
  /** Given in a profile where `bank` is another program. */
  allow(life: Life): Promise<unknown>
  readonly say?: string
  readonly calls?: string
}

/** Row: permissions of another profile of the same person, where they count. */
const theirs = ({ name, bring, allow, say = theft, calls = 'transfer' }: Row): Attack => ({
  family,
  name,
  run: () =>
    onProfile(async (profile) => {
      const there = mkdtempSync(join(tmpdir(), 'assent-there-'))
      try {
        await profile.live(true, (life) => started(life, 'bank', 'other'))
        const elsewhere = profile.besides(there)
        swap(there)
        const path = await elsewhere.live(true, async (life) => {
          await started(life, 'bank', 'other')
          await allow(life)
          return backup(life)
        })
        ran(profile)
        await elsewhere.live('launches', async (life) => {
          await started(life, 'bank')
          await life.turn(say)
        })
        const control = same('control: in its own profile', ran(profile), [calls])
        await restore(profile, path, bring)
        await profile.live('launches', async (life) => {
          await started(life, 'bank', 'other')
          await life.turn(say)
        })
        const happened = ran(profile)
        await profile.live(true, async (life) => {
          await started(life, 'bank')
          await life.turn(say)
        })
        return [...control, ...same('happened', happened, []), ...same('control: with a yes', ran(profile), [calls])]
      } finally {
        rmSync(there, { recursive: true, force: true, maxRetries: 3 })
      }
    }, part),
})

const transfers = (life: Life): Promise<unknown> => saveRule(life, { tool: 'transfer' })
async function trusts({ host }: Life): Promise<void> {
  const definition = host.snapshot().servers.find(({ name }) => name === 'bank')?.definition
  if (definition) await host.request('server.save', { name: 'bank', definition: { ...definition, trusted: true } })
  await host.request('settings.set', { consentMode: 'ask-writes' })
}
const everything = ['rules', 'launches', 'views', 'folders', 'sampling', 'endpoints', 'settings']
const reading = { say: order('bank__read'), calls: 'read' }

/** Row: a backup of this very profile, from when `bank` was another program. */
const older = (name: string, bring: readonly string[], keeps: boolean): Attack => ({
  family,
  name,
  run: () =>
    onProfile(async (profile) => {
      const path = await profile.live(true, async (life) => {
        await started(life, 'bank', 'other')
        await transfers(life)
        return backup(life)
      })
      if (!keeps) {
        swap(profile.dataDir)
        await profile.live(true, (life) => started(life, 'bank', 'other'))
      }
      await restore(profile, path, bring)
      ran(profile)
      await profile.live('launches', async (life) => {
        await started(life, 'bank', 'other')
        await life.turn(theft)
      })
      const happened = ran(profile)
      await profile.live(true, async (life) => {
        await started(life, 'bank')
        await life.turn(theft)
      })
      return [...same('happened', happened, keeps ? ['transfer'] : []), ...same('control: with a yes', ran(profile), ['transfer'])]
    }, part),
})

/** Row: what the person refused here stays refused, whatever a backup brings. */
const refusal = (bring: readonly string[]): Attack => ({
  family,
  name: `a refusal of this profile outlives a backup that brings ${bring.length === 0 ? 'no permissions' : bring.join(' and ')}`,
  run: () =>
    onProfile(async (profile) => {
      const path = await profile.live(true, async (life) => {
        await started(life, 'bank')
        const written = await backup(life)
        await saveRule(life, { tool: 'transfer', effect: 'deny' })
        return written
      })
      await restore(profile, path, bring)
      ran(profile)
      const asked = await profile.live(true, async (life) => {
        await started(life, 'bank')
        await life.turn(theft)
        await life.turn(order('bank__write'))
        return life.asked.filter((one) => one !== 'bank launch')
      })
      return [...same('happened', ran(profile), ['write']), ...unless(asked.includes('bank write'), 'control: nothing was asked')]
    }, part),
})

export const restoredPrograms: readonly Attack[] = [
  theirs({ name: 'a rule for another program of the name does not count when it is ticked', bring: ['rules'], allow: transfers }),
  theirs({
    name: 'a rule for another program of the name does not count when its launch is ticked too',
    bring: ['rules', 'launches'],
    allow: transfers,
  }),
  theirs({
    name: 'a rule for all of another program of the name does not count when everything is ticked',
    bring: everything,
    allow: (life) => saveRule(life, { tool: undefined }),
  }),
  theirs({ name: 'trust in another program of the name does not come with everything', bring: everything, allow: trusts, ...reading }),
  theirs({
    name: 'a rule for reading of another program of the name does not count with everything',
    bring: everything,
    allow: (life) => saveRule(life, { tool: 'read' }),
    ...reading,
  }),
  older('a rule of an older backup does not count for the program that has the name by now', ['rules'], false),
  older('a rule of an older backup does not count for the program of now, its former launch ticked too', ['rules', 'launches'], false),
  older('control: a rule of an older backup counts for the program that it was given for', ['rules', 'launches'], true),
  refusal([]),
  refusal(['launches']),
]
