// The demo server: a small real MCP server over a folder of invoices, for trying Assent without installing anything.
// One factory serves both eras: what it asks of the host it returns as `input_required`, which the SDK turns into
// server requests for clients of 2025 and before.
import { McpServer } from '@modelcontextprotocol/server'
import type { InvoiceFolder } from './folder.ts'
import { addResources } from './resources.ts'
import { type Era, tellOfChanges } from './subscriptions.ts'
import { addInvoiceTools } from './tools/invoices.ts'
import { addReportTools } from './tools/report.ts'
import { addRoomTool } from './tools/room.ts'

export interface DemoOptions {
  readonly folder: InvoiceFolder
  /** Milliseconds that one step of the long report takes. */
  readonly stepMs: number
}

export function createDemoServer(options: DemoOptions, era: Era): McpServer {
  const server = new McpServer(
    { name: 'assent-demo', title: 'Assent demo', version: '1.0.0' },
    { instructions: 'Sample invoices in a folder. Files are named as list_invoices gives them. Dates are written 2026-09-04.' },
  )
  addInvoiceTools(server, options)
  addReportTools(server, options)
  addRoomTool(server, options)
  addResources(server, options)
  tellOfChanges(server, options, era)
  return server
}
