import { describe, expect, test } from 'vitest'
import { FIND_TOOLS } from '#app/chat/tools/tool-names.ts'
import { answered, demoTools, invoices, userMessageOf } from './demo-tools.testing.ts'
import { type PracticePlan, planNext } from './practice-plan.ts'

const now = Date.UTC(2026, 10, 21)
const plan = (text: string, ...after: Parameters<typeof planNext>[0]['messages'][number][]): PracticePlan =>
  planNext({ messages: [userMessageOf(text), ...after], tools: demoTools }, now)
const callsOf = (made: PracticePlan): unknown => (made.kind === 'call' ? made.calls.map(({ name, input }) => [name, input]) : made.text)

test('a history that another model began, with thoughts, pictures and PDFs, is read for what the person says last', () => {
  const begun: Parameters<typeof planNext>[0]['messages'] = [
    {
      role: 'user',
      content: [
        { type: 'document', mimeType: 'application/pdf', data: '', name: 'Lease.pdf' },
        { type: 'text', text: 'Look' },
      ],
    },
    {
      role: 'assistant',
      model: 'anthropic/m',
      content: [
        { type: 'thinking', text: 'Hm', signature: 's' },
        { type: 'tool-call', providerId: 'toolu_1', name: 'gone__tool', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool-result', providerId: 'toolu_1', content: [{ type: 'image', mimeType: 'image/png', data: '' }], isError: false },
      ],
    },
    { role: 'assistant', model: 'openai/m', content: [{ type: 'text', text: 'Seen.' }] },
  ]
  const made = planNext({ messages: [...begun, userMessageOf('List the sample invoices and add up the totals')], tools: demoTools }, now)
  expect(callsOf(made)).toEqual([
    ['demo__list_invoices', {}],
    ['demo__total_invoices', {}],
  ])
})

describe('the three example messages', () => {
  test('listing and adding up are two calls at once', () => {
    expect(callsOf(plan('List the sample invoices and add up the totals'))).toEqual([
      ['demo__list_invoices', {}],
      ['demo__total_invoices', {}],
    ])
  })

  test('a room is booked for the number and day of the text', () => {
    expect(callsOf(plan('Book a room for four on Thursday'))).toEqual([['demo__book_room', { people: 4, day: 'Thursday' }]])
  })

  test('renaming by date looks the invoice up, then renames it', () => {
    const text = 'Rename invoice 0417 to start with its date'
    expect(callsOf(plan(text))).toEqual([['demo__list_invoices', {}]])
    const found = answered('list_invoices', { text: '2 invoices', structured: invoices })
    expect(callsOf(plan(text, ...found))).toEqual([
      ['demo__rename_invoice', { file: 'invoice-0417.txt', newName: '2026-10-02_invoice-0417.txt' }],
    ])
    const done = plan(text, ...found, ...answered('rename_invoice', { text: 'Renamed.' }))
    expect(done).toMatchObject({ kind: 'say', text: expect.stringContaining('Renamed.') })
  })
})

test.each([
  ['summarise invoice 0417', [['demo__list_invoices', {}]]],
  ['Summarize invoice-0411.txt', [['demo__summarize_invoice', { file: 'invoice-0411.txt' }]]],
  ['please rename invoice-0411.txt to coffee.txt', [['demo__rename_invoice', { file: 'invoice-0411.txt', newName: 'coffee.txt' }]]],
  ['rename invoice-0411.txt to "coffee money.txt"', [['demo__rename_invoice', { file: 'invoice-0411.txt', newName: 'coffee money.txt' }]]],
  ['show me a chart of September', [['demo__show_chart', { month: '2026-09' }]]],
  ['What is the total of the invoices in December?', [['demo__total_invoices', { month: '2025-12' }]]],
  ['prepare the report', [['demo__prepare_report', {}]]],
  ['reserve a room for 6 people tomorrow', [['demo__book_room', { people: 6, day: 'tomorrow' }]]],
])('%s', (text, calls) => {
  expect(callsOf(plan(text))).toEqual(calls)
})

test('words that match nothing call nothing, and every tool is named', () => {
  const made = plan('Write me a poem about the sea')
  expect(made.kind).toBe('say')
  for (const tool of demoTools) expect(made.text).toContain(tool.name.slice('demo__'.length))
})

test('what a tool needs and the text does not say is asked for, not made up', () => {
  const made = plan('book a room')
  expect(made).toMatchObject({ kind: 'say', text: expect.stringMatching(/`people`.*`day`/) })
})

test('a refused or failed look-up ends the turn instead of guessing', () => {
  const refused = answered('list_invoices', { text: 'The person refused.', isError: true })
  expect(plan('Rename invoice 0417 to start with its date', ...refused)).toMatchObject({
    kind: 'say',
    text: expect.stringContaining('> The person refused.'),
  })
})

test('a look-up that names several things alike changes none of them', () => {
  const twice = answered('list_invoices', { structured: [{ file: 'a-0417.txt' }, { file: 'b-0417.txt' }] })
  expect(plan('Rename invoice 0417 to start with its date', ...twice).kind).toBe('say')
})

test('rows become a table in which a cell cannot break out', () => {
  const made = plan('list the invoices', ...answered('list_invoices', { structured: [{ vendor: 'A | B\n# C', amount: 2 }] }))
  expect(made.text).toContain('| vendor | amount |\n| --- | ---: |\n| A \\| B # C | 2 |')
})

test('where no tool fits that it was sent it searches for others, once', () => {
  const search = { name: FIND_TOOLS, description: '', inputSchema: { type: 'object' } }
  const found = answered('x', { text: 'These fit best.' }).map((message) =>
    JSON.parse(JSON.stringify(message).replaceAll('demo__x', FIND_TOOLS)),
  )
  const next = (tools: typeof demoTools, ...after: typeof found): unknown =>
    callsOf(planNext({ messages: [userMessageOf('List the sample invoices'), ...after], tools: [...tools, search] }, now))
  expect([next([]), next(demoTools, ...found), next(demoTools)]).toEqual([
    [[FIND_TOOLS, { query: 'List the sample invoices' }]],
    [['demo__list_invoices', {}]],
    [['demo__list_invoices', {}]],
  ])
  expect(next([], ...found)).toEqual(expect.any(String))
})

test("the host's own words are not taken for the person's", () => {
  const goOn = { role: 'user', content: [{ type: 'text', text: 'Go on', byHost: true }] } as const
  expect(callsOf(plan('list the invoices', goOn))).toEqual([['demo__list_invoices', {}]])
})

test.each<[string, 'none' | 'required', unknown]>([
  ['none may be used, none is', 'none', expect.any(String)],
  ['one must be used, one is, even where no word names it', 'required', [[demoTools[0]?.name, {}]]],
])('where %s', (_title, toolChoice, expected) => {
  const words = toolChoice === 'none' ? 'List the sample invoices' : 'Hello there'
  expect(callsOf(planNext({ messages: [userMessageOf(words)], tools: demoTools, toolChoice }, now))).toEqual(expected)
})
