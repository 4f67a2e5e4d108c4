import { isJsonObject, type Json } from '#app/json.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { visible, visibleJson, visibleLine } from '../output.ts'
import { readyServer } from '../servers-ready.ts'
import type { CliContext } from '../with-host.ts'

/** Reads a resource without asking, since the caller named it. */
export async function read({ host, output, signal }: CliContext, [server = '', uri = '']: readonly string[]): Promise<ExitCode> {
  await readyServer(host, server, signal)
  const result = await host.context.servers.readResource(server, uri, { signal })
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
