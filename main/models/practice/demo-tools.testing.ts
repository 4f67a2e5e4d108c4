// For tests: the demo server's tools as the model sees them, and how an answered step reads.
import type { Json, JsonObject } from '#app/json.ts'
import type { ModelMessage, ModelTool } from '../provider.ts'

const tool = (
  name: string,
  title: string,
  description: string,
  properties: JsonObject = {},
  required: readonly string[] = [],
): ModelTool => ({
  name: `demo__${name}`,
  title,
  description,
  inputSchema: { type: 'object', properties, required },
})
const month: JsonObject = { month: { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$', description: 'Only this month, as in 2026-09' } }
const file: JsonObject = { type: 'string', description: 'The file, as list_invoices gives it' }

export const demoTools: readonly ModelTool[] = [
  tool('book_room', 'Book a room', 'Books a meeting room.', { people: { type: 'integer' }, day: { type: 'string' } }, ['people', 'day']),
  tool('list_invoices', 'List invoices', 'Lists the sample invoices with file, number, vendor, date and amount.', month),
  tool('prepare_report', 'Prepare a report', 'Reads every invoice slowly, one after the other, and says who was owed what.'),
  tool('rename_invoice', 'Rename an invoice', 'Gives an invoice file a new name.', { file, newName: { type: 'string' } }, [
    'file',
    'newName',
  ]),
  tool('show_chart', 'Show a chart', 'Draws what each vendor was owed as a bar chart.', month),
  tool('summarize_invoice', 'Summarize an invoice', 'Asks your model to put one invoice into a sentence.', { file }, ['file']),
  tool('total_invoices', 'Total of the invoices', 'Adds up the amounts of the sample invoices.', month),
]

export const invoices: Json = {
  invoices: [
    { file: 'invoice-0411.txt', number: '0411', vendor: 'Café Lindgren', date: '2026-09-03', amount: 62.1, currency: 'EUR' },
    { file: 'invoice-0417.txt', number: '0417', vendor: 'Holm & Aster Print', date: '2026-10-02', amount: 187.4, currency: 'EUR' },
  ],
}

export const userMessageOf = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })

export function answered(name: string, result: { text?: string; structured?: Json; isError?: boolean }): ModelMessage[] {
  return [
    { role: 'assistant', model: 'practice/practice', content: [{ type: 'tool-call', providerId: name, name: `demo__${name}`, input: {} }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool-result',
          providerId: name,
          content: result.text === undefined ? [] : [{ type: 'text', text: result.text }],
          isError: result.isError ?? false,
          ...(result.structured === undefined ? {} : { structured: result.structured }),
        },
      ],
    },
  ]
}
