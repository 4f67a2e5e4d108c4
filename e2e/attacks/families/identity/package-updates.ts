// A newer version of a package: nobody gets it without a yes, nor keeps by it what they never allowed.

import type { TestHost } from '#main/host/host.testing.ts'
import { type Attack, always, no, same, unless } from '../../attack.ts'
import type { Person } from '../../obedient-host.ts'
import { allowedPinned, npx, onPackages, type PackageStage, packageOf, refuse, started } from './package-stage.ts'

const family = 'package updates'
const servers = { notes: npx('-y', 'notes-mcp') }
const call = ({ host }: TestHost, tool: string): Promise<string> =>
  host.request('tool.call', { server: 'notes', tool, arguments: {} }).then(
    (answer) => ('error' in answer ? 'error' : 'ran'),
    (error: { code: string }) => error.code,
  )
const allow = ({ host }: TestHost, rule: object): Promise<unknown> =>
  host.request('rule.save', { rule: { effect: 'allow', server: 'notes', scope: { kind: 'always' }, ...rule } } as never)
const other = { name: 'other', description: 'Another', inputSchema: { type: 'object' } }

/** The person looks for a newer version, and answers it. */
async function update(stage: PackageStage, answer: Person): Promise<void> {
  const from = stage.asked.length
  await stage.life(
    servers,
    (request) => (request.why.kind === 'package-update' ? answer(request) : always(request)),
    async (test) => {
      await started(test)
      await test.host.request('server.offerUpdate', { name: 'notes' })
      for (let tries = 0; tries < 500 && stage.asked.length === from; tries += 1) await new Promise((done) => setTimeout(done, 20))
    },
  )
}
const last = (stage: PackageStage) => stage.asked.at(-1)

/** Row: rules for both tools of 1.2.3; an update with a yes; then one of them is asked again and the other is not. */
const changed = (
  name: string,
  next: Parameters<PackageStage['publish']>[2],
  expects: { readonly say: string; readonly other: string },
  rule: object[] = [{ tool: 'say' }, { tool: 'other' }],
): Attack =>
  onPackages(family, name, async (stage) => {
    stage.publish(stage.good, '1.2.3', { tools: [other] })
    await allowedPinned(stage, servers)
    const before = await stage.life(servers, always, async (test) => {
      await started(test)
      for (const each of rule) await allow(test, each)
      return [await call(test, 'say'), await call(test, 'other')]
    })
    stage.publish(stage.good, '1.3.0', next)
    await update(stage, always)
    stage.ran()
    const after = await stage.life(servers, always, async (test) => {
      await started(test)
      return { say: await call(test, 'say'), other: await call(test, 'other') }
    })
    return [
      ...same('control: before', before, ['ran', 'ran']),
      ...same('control: the newer one ran', stage.ran(), ['1.3.0']),
      ...same('calls', after, expects),
      ...same('asked', last(stage)?.why.kind, 'package-update'),
    ]
  })

const denied = 'consent.denied'

export const packageUpdates: readonly Attack[] = [
  changed(
    'a tool that the update changed is asked again, the other not',
    { tools: [{ ...other, description: 'Sends all' }] },
    { say: 'ran', other: denied },
  ),
  changed(
    'a tool that the update only gave other annotations is asked again',
    { tools: [{ ...other, annotations: { readOnlyHint: true, openWorldHint: false } }] },
    { say: 'ran', other: denied },
  ),
  changed(
    'a tool that comes with the update is not allowed by a rule for all',
    {
      tools: [
        { ...other, name: 'other' },
        { ...other, name: 'more' },
      ],
      description: 'changed',
    },
    { say: denied, other: 'ran' },
    [{}],
  ),
  onPackages(family, 'an update that was refused does not run, nor one that nobody answered', async (stage) => {
    await allowedPinned(stage, servers)
    stage.publish(stage.good, '1.3.0', { mark: 'newer' })
    await update(stage, no)
    await stage.life(servers, always, started)
    const refused = stage.ran()
    await update(stage, () => undefined)
    await stage.life(servers, (request) => (request.why.kind === 'package-update' ? undefined : always(request)), started)
    const open = stage.ran()
    await update(stage, always)
    await stage.life(servers, always, started)
    return [
      ...unless(![...refused, ...open].includes('newer'), `it ran: ${refused.join()} ${open.join()}`),
      ...unless(stage.ran().includes('newer'), 'control: with a yes it does not run either'),
    ]
  }),
  onPackages(family, 'a registry that calls an older version its latest offers no update', async (stage) => {
    stage.publish(stage.good, '1.1.0', { mark: 'older' })
    stage.publish(stage.good, '1.2.3')
    await allowedPinned(stage, servers)
    stage.good.tag('1.1.0')
    const from = stage.asked.length
    const offered = await stage.life(servers, always, async (test) => {
      await started(test)
      return (await test.host.request('server.offerUpdate', { name: 'notes' })).offered
    })
    await stage.life(servers, refuse, started)
    const older = stage.ran().includes('older')
    stage.publish(stage.good, '1.3.0')
    await update(stage, no)
    return [
      ...same('offered', [offered, older], [false, false]),
      ...same('control: a newer one is', [stage.asked.length > from, packageOf(last(stage)?.target)?.version], [true, '1.3.0']),
    ]
  }),
  onPackages(family, 'a pin that somebody else wrote into the list of launches starts nothing', async (stage) => {
    await allowedPinned(stage, servers)
    stage.publish(stage.good, '6.6.6', { mark: 'evil' })
    stage.ran()
    const { DatabaseSync } = await import('node:sqlite')
    const { join } = await import('node:path')
    const db = new DatabaseSync(join(stage.dataDir, 'assent.db'))
    const { target } = db.prepare("SELECT target FROM launches WHERE server = 'notes'").get() as { target: string }
    db.prepare('UPDATE launches SET target = ?').run(target.replace('"1.2.3"', '"6.6.6"').replace(/sha512-[^"]+/, ''))
    db.close()
    await stage.life(servers, refuse, started)
    const unasked = stage.ran()
    await stage.life(servers, always, started)
    const real = await stage.byHand(servers.notes, true)
    return [
      ...unless(target.includes('"1.2.3"'), 'control: the list held no version'),
      ...same('ran', unasked, []),
      ...unless(real.includes('evil'), `control: by hand it does not run (${real.join()})`),
    ]
  }),
]
