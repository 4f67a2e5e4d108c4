import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { formatAmount, invoice } from '../invoice.ts'
import { totalOf } from '../report.ts'
import type { DemoOptions } from '../server.ts'
import { answer, failure, monthInput, orRefusal } from './answer.ts'
import { askForSummary } from './summary.ts'

const readOnly = { readOnlyHint: true, openWorldHint: false } as const

export function addInvoiceTools(server: McpServer, { folder }: DemoOptions): void {
  server.registerTool(
    'list_invoices',
    {
      title: 'List invoices',
      description: 'Lists the sample invoices with file, number, vendor, date and amount, oldest first.',
      inputSchema: monthInput,
      outputSchema: z.object({ invoices: z.array(invoice) }),
      annotations: readOnly,
    },
    async ({ month }) => {
      const invoices = await folder.list(month)
      const rows = invoices.map((row) => `| ${row.file} | ${row.vendor} | ${row.date} | ${formatAmount(row.amount, row.currency)} |`)
      const table = ['| File | Vendor | Date | Amount |', '| --- | --- | --- | ---: |', ...rows].join('\n')
      return answer(invoices.length === 0 ? 'No invoices.' : `${invoices.length} invoices\n\n${table}`, { invoices })
    },
  )

  server.registerTool(
    'total_invoices',
    {
      title: 'Total of the invoices',
      description: 'Adds up the amounts of the sample invoices.',
      inputSchema: monthInput,
      outputSchema: z.object({ count: z.number().int(), total: z.number(), currency: z.string() }),
      annotations: readOnly,
    },
    async ({ month }) => {
      const total = totalOf(await folder.list(month))
      if (total === undefined) return failure('The invoices are in several currencies, so they have no one total.')
      return answer(`${total.count} invoices, ${formatAmount(total.total, total.currency)} in all`, { ...total })
    },
  )

  server.registerTool(
    'rename_invoice',
    {
      title: 'Rename an invoice',
      description: 'Gives an invoice file a new name in the same folder. Never replaces another file.',
      inputSchema: z.object({
        file: z.string().describe('The file as it is named now, as list_invoices gives it'),
        newName: z.string().describe('The new name, with the same ending and without a path'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    ({ file, newName }) =>
      orRefusal(async () => {
        await folder.rename(file, newName)
        server.sendResourceListChanged()
        return answer(`Renamed ${file} to ${newName}.`)
      }),
  )

  server.registerTool(
    'summarize_invoice',
    {
      title: 'Summarize an invoice',
      description: 'Asks your model to put one invoice into a sentence.',
      inputSchema: z.object({ file: z.string().describe('The file, as list_invoices gives it') }),
      annotations: readOnly,
    },
    ({ file }, context) =>
      orRefusal(async () => {
        const { text } = await folder.read(file)
        return askForSummary(file, text, context)
      }),
  )
}
