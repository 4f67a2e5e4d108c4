import { readFileSync } from 'node:fs'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { isLocal } from '#app/server/definition.ts'
import { type RecordedCall, recordedCalls } from '#app/server/wire-message.ts'
import { formatDuration } from '#app/text/format-text.ts'
import { newId } from '#main/base/ids.ts'
import { nearest } from '#main/base/nearest-name.ts'
import { runApprovedCall } from '#main/chat/run-approved-call.ts'
import { parseObject } from '../command-line.ts'
import { type ExitCode, exitCodes, reportError } from '../exit-codes.ts'
import { type CliOutput, inARow, suggestionLabel, visible, visibleJson, visibleLine } from '../output.ts'
import { readyServer } from '../servers-ready.ts'
import type { CliContext } from '../with-host.ts'

/** Calls a tool through the whole host: consent, audit, check of the result. With `--from`, repeats the calls in a file of messages. */
export async function call(context: CliContext, [server = '', name = '', json = '{}']: readonly string[]): Promise<ExitCode> {
  const { options, output } = context
  if (options.from === undefined) return callOne(context, server, name, parseObject(json) ?? {})
  let worst: ExitCode = exitCodes.done
  for (const one of readCalls(options.from)) {
    const code =
      one.kind === 'gone' ? leaveOut(one.why, output) : await callOne(context, server, one.tool, one.arguments).catch(orReport(context))
    worst = Math.max(worst, code) as ExitCode
  }
  return worst
}

function readCalls(path: string): readonly RecordedCall[] {
  const calls = recordedCalls(readText(path))
  if (calls && calls.length > 0) return calls
  throw new HostError('call.not-recorded', calls ? t`There is no call in ${path}.` : t`${path} is no file of messages that Assent saved.`, {
    data: { path },
  })
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new HostError('call.not-recorded', t`${path} cannot be read.`, { data: { path }, cause: error })
  }
}

function leaveOut(why: 'cut' | 'masked', output: CliOutput): ExitCode {
  output.note(
    `assent: ${why === 'masked' ? t`A call was left out: what was secret in it was not saved.` : t`A call was left out: the end of it was not saved.`}`,
  )
  return exitCodes.failed
}

const orReport =
  ({ output, signal }: CliContext) =>
  (error: unknown): ExitCode => {
    if (signal.aborted) throw error
    return reportError(error, output)
  }

async function callOne({ host, output, signal, options }: CliContext, server: string, name: string, args: JsonObject): Promise<ExitCode> {
  const { servers, broker } = host.context
  const view = await readyServer(host, server, signal)
  const tools = servers.catalogue(server).tools
  const tool = tools.find((entry) => entry.name === name)
  if (!tool) {
    const names = tools.map((entry) => entry.name)
    const message = inARow(t`${server} has no tool “${name}”.`, suggestionLabel(nearest(name, names)))
    throw new HostError('tool.unknown', message, { data: { server, tool: name } })
  }
  const { timeoutMs } = options
  const call = { callId: newId(), server, tool: name, signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) }
  const asked = { tool, trusted: view.definition.trusted, local: isLocal(view.definition), arguments: args }
  const outcome = await runApprovedCall({ ask: broker.toolCall, send: servers.call }, call, asked)
  if (outcome.kind === 'denied') {
    const { word } = outcome.decision
    const message = inARow(t`The call was refused. Nothing was run.`, word && `(${word})`)
    throw new HostError('consent.denied', message, { data: { server, tool: name } })
  }
  const failed = outcome.result['isError'] === true
  if (output.json)
    output.value({
      server,
      tool: name,
      era: outcome.session.era,
      protocolVersion: outcome.session.protocolVersion,
      transport: outcome.session.transport ?? (view.definition.transport === 'builtin' ? 'stdio' : view.definition.transport),
      durationMs: outcome.durationMs,
      result: outcome.result,
    })
  else {
    for (const line of resultLines(outcome.result)) output.text(line)
    output.note(`${failed ? t`The tool says that it failed` : t`Done`} · ${formatDuration(outcome.durationMs)}`)
  }
  return failed ? exitCodes.failed : exitCodes.done
}

/** Formats a result. Structured content is shown only where no text repeats it (MCP 2025-11-25, "Structured Content"). */
export function resultLines(result: JsonObject): string[] {
  const content = Array.isArray(result['content']) ? (result['content'] as readonly Json[]) : []
  const lines = content.map((block) => {
    if (!isJsonObject(block)) return visibleJson(block)
    if (block['type'] === 'text' && typeof block['text'] === 'string') return visible(block['text'])
    if (typeof block['data'] === 'string') return `[${visibleLine(String(block['type']))}, ${visibleLine(String(block['mimeType']))}]`
    return visibleJson(block)
  })
  const structured = result['structuredContent']
  const hasText = content.some((block) => isJsonObject(block) && block['type'] === 'text')
  return structured === undefined || hasText ? lines : [...lines, visibleJson(structured)]
}
