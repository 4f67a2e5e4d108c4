// Whatever is called, by whom it is answered, and under which rules: what was shown is what runs.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ConsentMode, consentMode } from '#app/consent/rules/consent-mode.ts'
import type { Rule } from '#app/consent/rules/rule.ts'
import type { EventPayload } from '#app/contract/events.ts'
import type { JsonObject } from '#app/json.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import type { AuditEntry, AuditStore, RuleStore } from '#main/store/store-api.ts'
import { spend } from './approved.ts'
import { makeToolEntry } from './broker.testing.ts'
import { createBroker } from './broker.ts'

/** In memory: ten thousand calls are not to wait for a disk. */
function makeStores() {
  const rules = new Map<string, Rule>()
  const rows: AuditEntry[] = []
  const ruleStore: RuleStore = {
    list: () => [...rules.values()],
    usages: () => ({}),
    put: (rule) => void rules.set(rule.id, rule),
    remove: (id) => {
      const rule = rules.get(id)
      rules.delete(id)
      return rule
    },
    launch: () => undefined,
    putLaunch: () => {},
    forgetTrust: () => {},
    definition: () => undefined,
    putDefinition: () => {},
    fingerprints: () => new Map(),
    hasMcpApp: () => false,
    putMcpApp: () => {},
    forgetMcpApp: () => false,
    sharedFolders: () => [],
    addSharedFolders: () => {},
    forgetSharedFolders: () => false,
  }
  const audit: Pick<AuditStore, 'append'> = {
    append(entry) {
      rows.push(entry)
      return {
        seq: rows.length,
        time: 0,
        server: null,
        tool: null,
        decision: null,
        by: null,
        conversationId: null,
        detail: {},
        previous: '',
        hash: '',
        ...entry,
      }
    },
  }
  return { ruleStore, audit, rows }
}

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('/a/../b', '\u202egpj.exe', 'a\u0000b', '\ud800', '__proto__', 'e\u0301', '1e400', -0, 1e21, 'line\r\nline', '\u2028'),
)
const args = fc.dictionary(
  fc.oneof(fc.constantFrom('path', '__proto__', 'constructor', '10', '9', ''), fc.string({ maxLength: 4 })),
  value,
  { maxKeys: 4 },
)
const call = fc.record({
  args,
  edit: fc.option(args, { freq: 4, nil: undefined }),
  tool: fc.constantFrom('read', 'write', 'move'),
  mode: fc.constantFrom(...consentMode.options),
  scope: fc.constantFrom('once', 'once', 'once', 'conversation', 'always'),
  trusted: fc.boolean(),
})

const unused = (): never => {
  throw new Error('a tool call asks for no answer of the model')
}

test('of 10,000 calls, what is shown is what runs', async () => {
  const { ruleStore, audit, rows } = makeStores()
  let mode: ConsentMode = 'rules'
  const windows: EventPayload<'consent.opened'>['request'][] = []
  const broker = createBroker({
    rules: ruleStore,
    sampling: { budget: unused, putBudget: unused, used: unused, addUse: unused },
    audit,
    clock: manualClock(),
    modeOf: () => mode,
    emit(name, payload) {
      // As it reaches a window: through JSON.
      if (name === 'consent.opened') windows.push(JSON.parse(JSON.stringify((payload as EventPayload<'consent.opened'>).request)))
    },
  })
  const signal = new AbortController().signal
  const counts = { asked: 0, edited: 0, unasked: 0, denied: 0 }

  async function one(n: number, sample: typeof call extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
    windows.length = 0
    mode = sample.mode
    // As a model writes them.
    const asked = JSON.parse(JSON.stringify(sample.args)) as JsonObject
    const tool = makeToolEntry({ name: sample.tool, annotations: { readOnlyHint: sample.tool === 'read' } })
    // Rules come and go.
    if (n % 40 === 0) for (const rule of broker.rules()) broker.removeRule(rule.id)
    const verdict = broker.toolCall({
      server: 's',
      tool,
      callId: `c${n}`,
      conversationId: 'c',
      trusted: sample.trusted,
      local: true,
      arguments: asked,
      signal,
    })
    const [opened] = windows
    let shown = JSON.stringify(asked, null, 2)
    if (opened?.kind === 'tool-call') {
      counts.asked += 1
      expect(opened.argumentsText).toBe(shown)
      const edit = sample.edit && (JSON.parse(JSON.stringify(sample.edit)) as JsonObject)
      if (edit) {
        counts.edited += 1
        shown = JSON.stringify(edit, null, 2)
      }
      broker.answer(opened.id, { kind: 'allow', scope: sample.scope, ...(edit ? { arguments: edit } : {}) })
    }
    const result = await verdict
    if (result.kind !== 'allowed') {
      counts.denied += 1
      return
    }
    if (!opened) counts.unasked += 1
    const { argumentsText, callId, tool: name } = spend(result.approval)
    // Byte for byte, and to the same bytes again once it was read.
    expect([argumentsText, callId, name]).toEqual([shown, `c${n}`, sample.tool])
    expect(JSON.stringify(JSON.parse(argumentsText), null, 2)).toBe(shown)
  }

  for (const [n, sample] of fc.sample(call, 10_000).entries()) await one(n, sample)
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(100)
  expect(rows.filter(({ kind, decision }) => kind === 'decision' && decision !== null)).toHaveLength(10_000)
}, 120_000)
