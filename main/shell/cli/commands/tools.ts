import type { ToolEntry } from '#app/server/catalogue.ts'
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-codes.ts'
import { formatTable, visible } from '../output.ts'
import { noteFailures, serversOf, startAll, startServer } from '../servers-ready.ts'
import type { CliContext } from '../with-host.ts'

/** Lists the tools of one server, which has to start, or of all servers that start. */
export async function tools({ host, output, signal }: CliContext, [server]: readonly string[]): Promise<ExitCode> {
  const failures = server === undefined ? await startAll(host, signal) : new Map<string, unknown>()
  if (server !== undefined) await startServer(host, server, signal)
  noteFailures(output, failures)

  const views = (await serversOf(host)).filter((view) => view.definition.enabled && (server === undefined || view.name === server))
  const listed = views.filter((view) => !failures.has(view.name))
  const catalogues = await Promise.all(listed.map(({ name }) => host.request('server.catalogue', { name })))
  const rows = catalogues.flatMap(({ tools }, index) => tools.map((tool) => ({ server: listed[index]?.name ?? '', tool })))
  if (output.json) output.value(rows.map((row) => toolJson(row.server, row.tool)))
  else if (rows.length > 0)
    output.text(
      formatTable(
        rows.map(({ tool }) => [visible(tool.modelName), tool.enabled ? '' : 'off', firstLine(tool.title ?? tool.description ?? '')]),
      ),
    )

  const first = failures.values().next()
  return first.done === true || failures.size < views.length ? exitCodes.done : exitCodeOf(first.value)
}

const toolJson = (server: string, tool: ToolEntry) => ({
  server,
  name: tool.name,
  modelName: tool.modelName,
  title: tool.title ?? null,
  description: tool.description ?? null,
  inputSchema: tool.inputSchema,
  annotations: tool.annotations ?? null,
  tokens: tool.tokens,
  enabled: tool.enabled,
})

const firstLine = (text: string): string => visible(text.split('\n')[0] ?? '').slice(0, 100)
