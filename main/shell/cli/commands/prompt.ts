import { isJsonObject, type Json } from '#app/json.ts'
import { orAborted } from '#main/base/abort.ts'
import { parseObject } from '../command-line.ts'
import { type ExitCode, exitCodes, resultOf } from '../exit-codes.ts'
import { visible, visibleJson, visibleLine } from '../output.ts'
import { startServer } from '../servers-ready.ts'
import type { CliContext } from '../with-host.ts'

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
