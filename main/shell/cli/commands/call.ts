import { readFileSync } from 'node:fs'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import { type RecordedCall, recordedCalls } from '#app/server/wire-message.ts'
import { formatDuration } from '#app/text/format-text.ts'
import { orAborted } from '#main/base/abort.ts'
import { protocolError } from '#main/base/protocol-error.ts'
import { parseObject } from '../command-line.ts'
import { type ExitCode, exitCodes, reportError } from '../exit-codes.ts'
import { requireModelNamed } from '../find-by-name.ts'
import { type CliOutput, visible, visibleJson, visibleLine } from '../output.ts'
import { startServer } from '../servers-ready.ts'
import type { CliContext } from '../with-host.ts'

/** Calls a tool through the whole host: consent, audit, check of the result. With `--from`, repeats the calls in a file of messages. */
export async function call(context: CliContext, [server = '', name = '', json = '{}']: readonly string[]): Promise<ExitCode> {
  const { host, options, output, setModel } = context
  if (options.model !== undefined) setModel(await requireModelNamed(host, options.model))
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
  throw new HostError('call.not-recorded', t`There are no calls in ${path}. Save a file of messages on the server's page.`, {
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
  output.note(`assent: ${t`A call was left out (${why}).`}`)
  return exitCodes.failed
}

const orReport =
  ({ output, signal }: CliContext) =>
  (error: unknown): ExitCode => {
    if (signal.aborted) throw error
    return reportError(error, output)
  }

async function callOne(context: CliContext, server: string, name: string, args: JsonObject): Promise<ExitCode> {
  const { host, output, signal, options } = context
  const { timeoutMs } = options
  await startServer(host, server, signal)
  const called = await orAborted(host.request('tool.call', { server, tool: name, arguments: args, ...defined({ timeoutMs }) }), signal)
  if ('error' in called) {
    await noteBlocked(context, server)
    throw protocolError(called.error.code, called.error.message, called.error.data)
  }
  const { result, durationMs } = called
  const failed = result['isError'] === true
  if (output.json) output.value({ server, tool: name, ...called })
  else {
    for (const line of resultLines(result)) output.text(line)
    output.note(`${failed ? t`Failed` : t`Done`} · ${formatDuration(durationMs)}`)
  }
  if (failed) await noteBlocked(context, server)
  return failed ? exitCodes.failed : exitCodes.done
}

/** Says what the sandbox blocked during the failed call, which servers seldom say themselves. */
async function noteBlocked({ host, output }: CliContext, server: string): Promise<void> {
  const { diagnosis } = await host.request('server.doctor', { name: server })
  if (diagnosis?.code !== 'blocked-by-sandbox') return
  const remedy = t`Allow it in “sandbox” of its entry.`
  output.note(`assent: ${visibleLine(diagnosis.message)} ${remedy}`)
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
