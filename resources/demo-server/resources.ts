// Each invoice as a resource, and the one prompt. The address is the invoice's number, so it outlives a new file name.
import { completable, type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { InvoiceFolder } from './folder.ts'
import { formatAmount } from './invoice.ts'
import type { DemoOptions } from './server.ts'

const mimeType = (file: string): string => (file.endsWith('.json') ? 'application/json' : 'text/plain')

export function addResources(server: McpServer, { folder }: DemoOptions): void {
  const template = new ResourceTemplate('invoice://{number}', {
    list: async () => ({
      resources: (await folder.list()).map(({ file, number, vendor, date, amount, currency }) => ({
        uri: `invoice://${number}`,
        name: file,
        title: `${vendor}, ${date}`,
        description: formatAmount(amount, currency),
        mimeType: mimeType(file),
      })),
    }),
    complete: {
      number: async (value) => (await folder.list()).map(({ number }) => number).filter((number) => number.startsWith(value)),
    },
  })
  server.registerResource(
    'invoice',
    template,
    { title: 'Invoice by number', description: 'One sample invoice as it is in the folder.' },
    async (uri, { number }) => {
      const found = (await folder.list()).find((invoice) => invoice.number === number)
      if (found === undefined) throw new ResourceNotFoundError(uri.href)
      const { text } = await folder.read(found.file)
      return { contents: [{ uri: `invoice://${found.number}`, mimeType: mimeType(found.file), text }] }
    },
  )

  server.registerPrompt(
    'chase_payment',
    {
      title: 'Chase a payment',
      description: 'A friendly reminder to one vendor, with their invoices listed.',
      argsSchema: z.object({
        vendor: completable(z.string().describe('The vendor, as list_invoices gives it'), async (value) => {
          const wanted = value.toLowerCase()
          return (await vendors(folder)).filter((vendor) => vendor.toLowerCase().startsWith(wanted))
        }),
      }),
    },
    async ({ vendor }) => {
      const invoices = (await folder.list()).filter((invoice) => invoice.vendor === vendor)
      const lines = invoices.map(({ number, date, amount, currency }) => `- ${number} of ${date}: ${formatAmount(amount, currency)}`)
      const text = [
        `Write a short, friendly letter to ${vendor}: ask them to confirm what is still open between us.`,
        'The invoices that we have:',
        ...(lines.length > 0 ? lines : ['- none in the folder']),
      ].join('\n')
      return { messages: [{ role: 'user', content: { type: 'text', text } }] }
    },
  )
}

const vendors = async (folder: InvoiceFolder): Promise<string[]> => [...new Set((await folder.list()).map(({ vendor }) => vendor))].sort()
