import { t } from '#app/i18n/translate.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { type ExitCode, errorJson, exitCodes } from '../exit-codes.ts'
import { formatTable, promptCountLabel, resourceCountLabel, toolCountLabel, visible, visibleLine } from '../output.ts'
import { noteFailures, serversOf, startAll } from '../servers-ready.ts'
import type { CliContext } from '../with-host.ts'

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
