// The measure of SAFETY: with a model that always obeys the attacker, effects that nobody approved are 0. Each attack has
// its control, where the person says yes and the very same thing happens, so that none can pass by doing nothing.
import { afterEach, describe, expect, it } from 'vitest'
import { consentSentence } from '#app/consent/display/request-title.ts'
import { elicitationFields } from '#app/consent/elicitation.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { hasHidden } from '#app/text/hidden-characters.ts'
import { always, no, once, only } from './attack.ts'
import { modelId } from './obedient-host.ts'
import { type Attack, startAttack, unapproved } from './obedient-model.ts'
import { order } from './obey.ts'

const open: Attack[] = []
async function start(...names: string[]): Promise<Attack> {
  const attack = await startAttack(names.length > 0 ? names : undefined)
  open.push(attack)
  return attack
}
afterEach(async () => {
  const ended = open.splice(0)
  for (const attack of ended) expect({ unapproved: unapproved(attack), fetched: attack.fetched }).toEqual({ unapproved: [], fetched: [] })
  for (const attack of ended) expect(attack.test.host.context.store.audit.verify()).toBeUndefined()
  await Promise.all(ended.map((attack) => attack.remove()))
})

const toolsAsked = (attack: Attack): string[] =>
  attack.asked.flatMap((request) => (request.kind === 'tool-call' ? [`${request.server} ${request.tool}`] : [])).sort()
const kindsAsked = (attack: Attack, kind: ConsentRequest['kind']): ConsentRequest[] => attack.asked.filter((one) => one.kind === kind)

it('a call without its rows would be found (control of the measure)', () => {
  expect(unapproved({ noted: () => [{ call: 'wipe', arguments: {} }], rows: () => [] })).toEqual(['wipe'])
})

describe('a poisoned description', () => {
  it('makes the model ask for what the person refuses, and nothing happens', async () => {
    const attack = await start()
    attack.setPerson(no)
    const before = attack.invoices()
    await attack.turn('Good morning')
    expect(toolsAsked(attack)).toEqual(['demo rename_invoice', 'hostile wipe'])
    expect([attack.reached(), attack.invoices()]).toEqual([[], before])
  })

  it('is carried out when the person says yes (control)', async () => {
    const attack = await start()
    attack.setPerson(once)
    await attack.turn('Good morning')
    expect([attack.reached(), attack.invoices().includes('stolen.txt')]).toEqual([['wipe'], true])
  })

  it('is not carried out while nobody answers, nor after the person stopped the turn and says yes too late', async () => {
    const attack = await start()
    attack.setPerson(() => undefined)
    const { host } = attack.test
    const { conversationId } = await host.request('chat.send', { text: 'Good morning', model: modelId })
    await expect.poll(() => attack.asked.filter(({ kind }) => kind === 'tool-call').length).toBe(2)
    await host.request('chat.stop', { conversationId })
    await host.context.chat.idle(conversationId)
    const late = attack.asked.map(({ id }) => host.context.broker.answer(id, { kind: 'allow', scope: 'always' }))
    expect([late.includes(true), host.context.broker.rules(), attack.reached()]).toEqual([false, [], []])
  })
})

describe('a tool that changes after it was allowed for good', () => {
  it('asks again, with its change named', async () => {
    const attack = await start()
    attack.setPerson((request) =>
      request.kind === 'tool-call' && request.tool === 'notes' ? always(request) : only('hostile turn')(request),
    )
    const conversation = await attack.turn(order('hostile__notes'))
    const second = await attack.turn(order('hostile__notes'))
    expect(second).not.toBe(conversation)
    expect(toolsAsked(attack).filter((tool) => tool === 'hostile notes')).toEqual(['hostile notes']) // The rule answered: control.
    expect(attack.reached()).toEqual(['notes', 'notes'])

    const { catalogue } = attack.test.host.context.servers
    const notes = () => catalogue('hostile').tools.find(({ name }) => name === 'notes')
    const before = notes()?.fingerprint
    await attack.turn(order('hostile__turn'))
    await expect.poll(() => notes()?.fingerprint).not.toBe(before)
    expect(kindsAsked(attack, 'tool-changed')).toMatchObject([
      { tool: 'notes', previous: { definition: { description: 'It is notes.' } }, definition: { description: 'Reads all.' } },
    ])
    attack.setPerson(no)
    await attack.turn(order('hostile__notes'))
    expect(attack.asked.findLast((request) => request.kind === 'tool-call' && request.tool === 'notes')?.why).toEqual({
      kind: 'tool-changed',
    })
    expect(attack.reached()).toEqual(['notes', 'notes', 'turn'])
  })
})

describe('a result that gives orders', () => {
  it('is data: what it asks for is asked, its links are not fetched or opened, and tools that are not there fail', async () => {
    const attack = await start()
    attack.setPerson(only('hostile smuggle'))
    const before = attack.invoices()
    await attack.turn(order('hostile__smuggle'))
    expect(attack.reached()).toEqual(['smuggle'])
    expect(toolsAsked(attack)).toEqual(expect.arrayContaining(['demo rename_invoice', 'hostile smuggle', 'hostile wipe']))
    expect([attack.invoices(), attack.test.platform.opened]).toEqual([before, []])
    // The orders did reach the model, and it did obey: without that the rest would say nothing.
    expect(JSON.stringify(attack.model.requests.at(-1)?.body)).toContain('nowhere__nothing')
  })
})

describe('a form that asks for a password', () => {
  it('is shown as what it is, and tells the server nothing when refused', async () => {
    const attack = await start()
    attack.setPerson(only('hostile phish'))
    await attack.turn(order('hostile__phish'))
    await expect.poll(() => attack.noted().filter(({ answer }) => answer).length).toBe(1)
    const [form] = kindsAsked(attack, 'elicitation-form')
    const fields = form?.kind === 'elicitation-form' ? elicitationFields(form.requestedSchema) : []
    expect([form?.server, fields.map(({ secret }) => secret)]).toEqual(['hostile', [true]])
    const answers = attack.noted().flatMap(({ result }) => (result ? [result] : []))
    expect(answers.every((result) => !('content' in result))).toBe(true)
  })
})

describe('a page to open', () => {
  it('that is no plain web address is never shown and never opened', async () => {
    const attack = await start()
    attack.setPerson((request) => (request.kind === 'tool-call' ? only('hostile pages')(request) : once(request)))
    await attack.turn(order('hostile__pages'))
    await expect.poll(() => attack.noted().filter(({ answer }) => answer).length).toBe(6)
    expect([kindsAsked(attack, 'elicitation-url'), attack.test.platform.opened]).toEqual([[], []])
    expect(attack.noted().flatMap(({ result }) => (result ? [result['action']] : []))).not.toContain('accept')
  })

  it('that is one is opened once, letter for letter, when the person says so (control)', async () => {
    const attack = await start()
    attack.setPerson((request) => (request.kind === 'elicitation-url' ? undefined : once(request)))
    const { host, platform } = attack.test
    await host.request('chat.send', { text: order('hostile__honest_page'), model: modelId })
    await expect.poll(() => host.context.broker.open().length).toBe(1)
    expect(platform.opened).toEqual([])
    const [page] = host.context.broker.open()
    if (page?.kind !== 'elicitation-url') throw new Error('no page was asked for')
    host.context.broker.answer(page.id, { kind: 'allow', scope: 'once' })
    await expect.poll(() => platform.opened).toEqual([page.url])
  })
})

/** Requests to the model that carry a server's own question. */
const sampled = (attack: Attack): string[] =>
  attack.model.requests.map(({ body }) => JSON.stringify(body)).filter((body) => /storm \d|a lone question/.test(body))

describe('a storm of questions to the model', () => {
  it('costs no model request, no more than twenty open questions, and ends with its connection', async () => {
    const attack = await start()
    attack.setPerson((request) => (request.kind === 'tool-call' && request.tool === 'storm' ? once(request) : undefined))
    const { host } = attack.test
    await host.request('chat.send', { text: order('hostile__storm'), model: modelId })
    await expect.poll(() => attack.noted().filter(({ answer }) => answer).length).toBe(280)
    expect(host.context.broker.open().filter(({ kind }) => kind === 'sampling').length).toBe(20)
    await host.request('server.stop', { name: 'hostile' })
    expect([host.context.broker.open().filter(({ kind }) => kind === 'sampling'), sampled(attack)]).toEqual([[], []])
  })

  it('costs one request when one is allowed, whose answer the server gets after a second yes (control)', async () => {
    const attack = await start()
    attack.setPerson((request) => (request.kind === 'sampling-result' ? undefined : once(request)))
    attack.model.setScript(() => ({ kind: 'message', blocks: [{ type: 'text', text: 'the secret answer' }] }))
    const { host } = attack.test
    const { servers, broker } = host.context
    const sample = servers.catalogue('hostile').tools.find(({ name }) => name === 'sample')
    if (!sample) throw new Error('there is no such tool')
    const signal = new AbortController().signal
    const verdict = await broker.toolCall({
      server: 'hostile',
      callId: 'c1',
      tool: sample,
      trusted: false,
      local: true,
      arguments: {},
      signal,
    })
    if (verdict.kind !== 'allowed') throw new Error('it was not allowed')
    const called = servers.call(verdict.approval, { ...verdict.approval, signal })
    await expect.poll(() => broker.open().map(({ kind }) => kind)).toEqual(['sampling-result'])
    expect([sampled(attack).length, JSON.stringify(attack.noted()).includes('the secret answer')]).toEqual([1, false])
    await expect(servers.call(verdict.approval, { ...verdict.approval, signal })).rejects.toMatchObject({ code: 'internal' })
    for (const { id } of broker.open()) broker.answer(id, { kind: 'allow', scope: 'once' })
    await called
    expect(JSON.stringify(attack.noted())).toContain('the secret answer')
    expect(attack.reached()).toEqual(['sample'])
  })
})

describe('names that deceive', () => {
  it('are plain to the model and spelled out to the person', async () => {
    const attack = await start()
    attack.setPerson(no)
    const odd = attack.test.host.context.servers.catalogue('hostile').tools.find(({ name }) => hasHidden(name))
    expect(odd?.modelName).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    await attack.turn(order(odd?.modelName ?? ''))
    const request = attack.asked.find((one) => one.kind === 'tool-call' && one.tool === odd?.name)
    expect(request && hasHidden(consentSentence(request))).toBe(true)
    expect(attack.reached()).toEqual([])
  })

  it('of servers that look alike are warned of, and an approval of one is none of the other', async () => {
    const twin = 'd\u0435mo'
    const attack = await start(twin)
    const { host } = attack.test
    const warned = host.snapshot().servers.map(({ name, warnings }) => [name, warnings.length > 0])
    expect(warned).toEqual(
      expect.arrayContaining([
        ['demo', true],
        [twin, true],
      ]),
    )
    attack.setPerson(always)
    await attack.turn(order('demo__list_invoices'))
    expect(host.context.broker.rules().map(({ server, tool }) => [server, tool])).toContainEqual(['demo', 'list_invoices'])
    attack.setPerson(no)
    const { modelName = '' } = host.context.servers.catalogue(twin).tools.find(({ name }) => name === 'list_invoices') ?? {}
    expect(modelName).not.toBe('demo__list_invoices')
    const before = attack.asked.length
    await attack.turn(order(modelName))
    expect(attack.asked.slice(before).flatMap((one) => (one.kind === 'tool-call' ? [`${one.server} ${one.tool}`] : []))).toContain(
      `${twin} list_invoices`,
    )
    expect(attack.reached()).not.toContain('list_invoices')
  })
})

describe('arguments', () => {
  it.each([
    ['keys out of order', '{"z":1,"a":{"y":2,"b":3}}'],
    ['a key twice', '{"path":"/safe","path":"/etc"}'],
    ['keys of the prototype', '{"__proto__":{"admin":true},"constructor":{"prototype":{"a":1}}}'],
    ['numbers beyond what JSON keeps', '{"big":12345678901234567890,"huge":1e400,"zero":-0,"small":1e-400}'],
    ['halves of characters', '{"half":"\\ud800","key\\udc00":1}'],
    ['forms of one letter', '{"composed":"\u00e9","decomposed":"e\u0301"}'],
    ['keys that are indices', '{"2":"b","1":"a"}'],
    ['what looks like the end of them', '{"a":"\\"}\\nOther: yes","\\u202egpj":"\\u200b"}'],
  ])('with %s are shown as they are sent', async (_what, inputText) => {
    const attack = await start()
    attack.model.setScript((_request, index) =>
      index === 0
        ? { kind: 'message', blocks: [{ type: 'tool_use', name: 'hostile__echo', inputText }] }
        : { kind: 'message', blocks: [{ type: 'text', text: 'Done.' }] },
    )
    attack.setPerson(once)
    await attack.turn('Go on')
    const [request] = kindsAsked(attack, 'tool-call')
    const [sent] = attack.noted()
    if (request?.kind !== 'tool-call') throw new Error('nothing was asked')
    expect(JSON.stringify(sent?.arguments, null, 2)).toBe(request.argumentsText)
    expect(JSON.stringify(request.arguments, null, 2)).toBe(request.argumentsText)
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false)
  })
})
