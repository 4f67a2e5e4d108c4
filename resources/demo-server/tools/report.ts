import { setTimeout as wait } from 'node:timers/promises'
import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { drawChart } from '../chart.ts'
import { formatAmount } from '../invoice.ts'
import { totalOf, totalsByVendor } from '../report.ts'
import type { DemoOptions } from '../server.ts'
import { answer, failure, monthInput } from './answer.ts'

const readOnly = { readOnlyHint: true, openWorldHint: false } as const

export function addReportTools(server: McpServer, { folder, stepMs }: DemoOptions): void {
  server.registerTool(
    'prepare_report',
    {
      title: 'Prepare a report',
      description: 'Reads every invoice slowly, one after the other, and says who was owed what. Takes some seconds.',
      inputSchema: z.object({}),
      annotations: readOnly,
    },
    async (_, { mcpReq }) => {
      const invoices = await folder.list()
      const progressToken = mcpReq._meta?.progressToken
      for (const [index, { file }] of invoices.entries()) {
        await wait(stepMs, undefined, { signal: mcpReq.signal })
        if (progressToken !== undefined)
          await mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress: index + 1, total: invoices.length, message: `Read ${file}` },
          })
      }
      const total = totalOf(invoices)
      if (total === undefined) return failure('The invoices are in several currencies, so they cannot be compared.')
      const lines = totalsByVendor(invoices).map((row) => `- ${row.vendor}: ${row.count}, ${formatAmount(row.total, total.currency)}`)
      return answer([`${total.count} invoices, ${formatAmount(total.total, total.currency)} in all`, '', ...lines].join('\n'))
    },
  )

  server.registerTool(
    'show_chart',
    {
      title: 'Show a chart',
      description: 'Draws what each vendor was owed as a bar chart, with the figures as a table.',
      inputSchema: monthInput,
      outputSchema: z.object({
        currency: z.string(),
        rows: z.array(z.object({ vendor: z.string(), count: z.number().int(), total: z.number() })),
      }),
      annotations: readOnly,
    },
    async ({ month }) => {
      const invoices = await folder.list(month)
      const total = totalOf(invoices)
      if (total === undefined) return failure('The invoices are in several currencies, so they cannot be compared.')
      const rows = totalsByVendor(invoices)
      const lines = rows.map((row) => `| ${row.vendor} | ${row.count} | ${formatAmount(row.total, total.currency)} |`)
      return {
        content: [
          { type: 'image', data: Buffer.from(drawChart(rows)).toString('base64'), mimeType: 'image/svg+xml' },
          { type: 'text', text: ['| Vendor | Invoices | Total |', '| --- | ---: | ---: |', ...lines].join('\n') },
        ],
        structuredContent: { currency: total.currency, rows },
      }
    },
  )
}
