import { t } from '#app/i18n/translate.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { type ExitCode, errorJson, exitCodeOf, exitCodes } from '#main/shell/cli/exit-codes.ts'
import { formatTable, promptCountLabel, resourceCountLabel, toolCountLabel, visible, visibleLine } from '#main/shell/cli/output.ts'
import { noteFailures, serversOf, startAll, startServer } from '#main/shell/cli/servers-ready.ts'
import type { CliContext } from '#main/shell/cli/with-host.ts'

export async function servers({ host, output, signal }: CliContext): Promise<ExitCode> {
  const failures = await startAll(host, signal)
  const views = await serversOf(host)
  const errorOf = (view: ServerSummary): ReturnType<typeof errorJson> | null => {
    if (view.state.kind === 'failed') return view.state.error
    return failures.has(view.name) ? errorJson(failures.get(view.name)) : null
  }
  if (output.json) {
    noteFailures(output, failures)
    output.value(
      views.map((view) => ({
        name: view.name,
        transport: view.session?.transport ?? (view.definition.transport === 'builtin' ? 'stdio' : view.definition.transport),
        state: view.state,
        era: view.session?.era ?? null,
        protocolVersion: view.session?.protocolVersion ?? null,
        serverInfo: view.session?.serverInfo ?? null,
        tools: view.counts.tools,
        resources: view.counts.resources,
        prompts: view.counts.prompts,
        sandbox: view.sandbox ?? null,
        warnings: view.warnings,
        error: errorOf(view),
      })),
    )
    return exitCodes.done
  }
  if (views.length === 0) output.note(t`No server is configured.`)
  else output.text(formatTable(views.map((view) => row(view, errorOf(view)))))
  for (const { name, warnings } of views) for (const warning of warnings) output.note(visibleLine(`${name}: ${warning}`))
  return exitCodes.done
}

const row = ({ name, state, session, counts }: ServerSummary, error: { readonly message: string } | null): string[] => [
  visible(name),
  state.kind,
  session ? `${session.protocolVersion}${session.era === 'legacy' ? ' legacy' : ''}` : '',
  error
    ? visible(error.message)
    : [toolCountLabel(counts.tools), resourceCountLabel(counts.resources), promptCountLabel(counts.prompts)].join(', '),
]

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
