// Approvals that are used again, forged, or come for something else.
import { newId } from '#main/base/ids.ts'
import type { ApprovedCall } from '#main/consent/approved.ts'
import { type Attack, bank, once, same, stolen, theft, unless } from '../attack.ts'
import { onStage, type Stage, until } from '../stage.ts'

const family = 'answers'
const attack = (name: string, play: (stage: Stage) => Promise<readonly string[]>): Attack => ({
  family,
  name,
  run: () => onStage(() => ({ bank }), play),
})

/** A question for the transfer that waits. */
async function waiting({ host, setPerson }: Stage): Promise<{ readonly id: string; readonly conversationId: string }> {
  setPerson(() => undefined)
  const { conversationId } = await host.request('chat.send', { text: theft })
  await until('the question', () => host.context.broker.open().length === 1)
  return { id: host.context.broker.open()[0]?.id ?? '', conversationId }
}

async function approval({ host, setPerson }: Stage): Promise<ApprovedCall> {
  setPerson(once)
  const found = host.context.servers.catalogue('bank').tools.find(({ name }) => name === 'transfer')
  if (!found) throw new Error('there is no such tool')
  const verdict = await host.context.broker.toolCall({
    server: 'bank',
    callId: newId(),
    tool: found,
    trusted: false,
    local: true,
    arguments: { to: 'mallory' },
    signal: new AbortController().signal,
  })
  if (verdict.kind !== 'allowed') throw new Error('it was not allowed')
  return verdict.approval
}

const { signal } = new AbortController()

/** `forge`: of a good approval, one that nobody gave. It runs nothing; the good one runs once. */
const forged = (name: string, forge: (good: ApprovedCall) => unknown): Attack =>
  attack(name, async (stage) => {
    const good = await approval(stage)
    await stage.host.context.servers.call(forge(good) as ApprovedCall, { ...good, signal }).catch(() => undefined)
    const before = same('happened', stage.effects, [])
    await stage.host.context.servers.call(good, { ...good, signal })
    return [...before, ...same('control: happened', stage.effects, [stolen])]
  })

export const answers: readonly Attack[] = [
  attack('of two answers the first counts', async (stage) => {
    const { host } = stage
    const { id, conversationId } = await waiting(stage)
    const said = [
      await host.request('consent.answer', { id, answer: { kind: 'deny' } }),
      await host.request('consent.answer', { id, answer: { kind: 'allow', scope: 'always' } }),
    ]
    await host.context.chat.idle(conversationId)
    const held = [
      ...same(
        'accepted',
        said.map(({ accepted }) => accepted),
        [true, false],
      ),
      ...same('rules', host.context.broker.rules(), []),
    ]
    const first = same('happened', stage.effects, [])
    stage.setPerson(once)
    await stage.turn(theft)
    return [...held, ...first, ...same('control: happened', stage.effects, [stolen])]
  }),
  attack('a yes after the turn was stopped runs nothing and makes no rule', async (stage) => {
    const { host } = stage
    const { id, conversationId } = await waiting(stage)
    await host.request('chat.stop', { conversationId })
    await host.context.chat.idle(conversationId)
    const { accepted } = await host.request('consent.answer', { id, answer: { kind: 'allow', scope: 'always' } })
    const held = [
      ...same('accepted', accepted, false),
      ...same('rules', host.context.broker.rules(), []),
      ...same('happened', stage.effects, []),
    ]
    stage.setPerson(once)
    await stage.turn(theft)
    return [...held, ...same('control: happened', stage.effects, [stolen])]
  }),
  attack('a yes to a question whose server was replaced meanwhile runs nothing', async (stage) => {
    const { host } = stage
    const { id, conversationId } = await waiting(stage)
    await host.request('server.remove', { name: 'bank' })
    await host.request('consent.answer', { id, answer: { kind: 'allow', scope: 'once' } })
    await host.context.chat.idle(conversationId)
    return [...same('happened', stage.effects, []), ...unless(!host.context.servers.view('bank'), 'control: it is still there')]
  }),
  attack('an approval is spent by its use', async (stage) => {
    const good = await approval(stage)
    await stage.host.context.servers.call(good, { ...good, signal })
    await stage.host.context.servers.call(good, { ...good, signal }).catch(() => undefined)
    return same('happened (control: once)', stage.effects, [stolen])
  }),
  forged('a copy of an approval is none', (good) => ({ ...good })),
  forged('a deep copy of an approval is none', (good) => structuredClone(good)),
  forged('an object that inherits from an approval is none', (good) => Object.create(good)),
  attack('an answer to a question that nobody asked changes nothing', async (stage) => {
    const { host } = stage
    const { id, conversationId } = await waiting(stage)
    const { accepted } = await host.request('consent.answer', { id: `${id}x`, answer: { kind: 'allow', scope: 'once' } })
    const held = [...same('accepted', accepted, false), ...same('happened', stage.effects, [])]
    await host.request('consent.answer', { id, answer: { kind: 'allow', scope: 'once' } })
    await host.context.chat.idle(conversationId)
    return [...held, ...same('control: happened', stage.effects, [stolen])]
  }),
]
