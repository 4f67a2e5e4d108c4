import { readFileSync } from 'node:fs'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import { type RecordedCall, recordedCalls } from '#app/server/wire-message.ts'
import { formatDuration } from '#app/text/format-text.ts'
import { orAborted } from '#main/base/abort.ts'
import { protocolError } from '#main/base/protocol-error.ts'
import { parseObject } from '#main/shell/cli/command-line.ts'
import { type ExitCode, exitCodes, reportError, resultOf } from '#main/shell/cli/exit-codes.ts'
import { requireModelNamed } from '#main/shell/cli/find-by-name.ts'
import { type CliOutput, visible, visibleJson, visibleLine } from '#main/shell/cli/output.ts'
import { startServer } from '#main/shell/cli/servers-ready.ts'
import type { CliContext } from '#main/shell/cli/with-host.ts'

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
    throw new HostError('call.not-recorded', t`“${path}” cannot be read.`, { data: { path }, cause: error })
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
function resultLines(result: JsonObject): string[] {
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

/** Reads a resource without asking, since the caller named it. */
export async function read({ host, output, signal }: CliContext, [server = '', uri = '']: readonly string[]): Promise<ExitCode> {
  await startServer(host, server, signal)
  const result = resultOf(await orAborted(host.request('server.readResource', { name: server, uri }), signal))
  if (output.json) output.value({ server, uri, result })
  else for (const item of Array.isArray(result['contents']) ? (result['contents'] as readonly Json[]) : []) output.text(itemText(item))
  return exitCodes.done
}

function itemText(item: Json): string {
  if (isJsonObject(item) && typeof item['text'] === 'string') return visible(item['text'])
  if (isJsonObject(item) && typeof item['blob'] === 'string')
    return `[${visibleLine(String(item['mimeType'] ?? 'bytes'))}, ${Buffer.byteLength(item['blob'], 'base64')} bytes]`
  return visibleJson(item)
}

/** Gets a prompt without asking, since the caller named it. Its arguments are text (MCP 2025-11-25, "Prompts"). */
export async function prompt(
  { host, output, signal }: CliContext,
  [server = '', name = '', json = '{}']: readonly string[],
): Promise<ExitCode> {
  const args = Object.entries(parseObject(json) ?? {}).map(
    ([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  )
  await startServer(host, server, signal)
  const asked = host.request('server.getPrompt', { name: server, prompt: name, arguments: Object.fromEntries(args) })
  const result = resultOf(await orAborted(asked, signal))
  if (output.json) output.value({ server, prompt: name, result })
  else
    for (const message of Array.isArray(result['messages']) ? (result['messages'] as readonly Json[]) : [])
      output.text(messageText(message))
  return exitCodes.done
}

function messageText(message: Json): string {
  if (!isJsonObject(message)) return visibleJson(message)
  const content = message['content']
  const text = isJsonObject(content) && typeof content['text'] === 'string' ? visible(content['text']) : visibleJson(content ?? null)
  return `${visibleLine(String(message['role']))}: ${text}`
}
