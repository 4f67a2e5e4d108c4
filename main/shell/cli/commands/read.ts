import { isJsonObject, type Json } from '#app/json.ts'
import { orAborted } from '#main/base/abort.ts'
import { type ExitCode, exitCodes, resultOf } from '../exit-codes.ts'
import { visible, visibleJson, visibleLine } from '../output.ts'
import { startServer } from '../servers-ready.ts'
import type { CliContext } from '../with-host.ts'

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
