import { once } from 'node:events'
import { resolve } from 'node:path'
import { exportHead, exportTail } from '#app/chat/export-format.ts'
import { t } from '#app/i18n/translate.ts'
import { writeExport } from '#main/chat/transfer/export-file.ts'
import type { ReachedHost } from '#main/shell/socket/join-host.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { requireChat } from '../find-by-name.ts'
import { chatCountLabel, visible, visibleLine } from '../output.ts'
import type { CliContext } from '../with-host.ts'

type ExportFormat = 'json' | 'markdown'

/** Exports chats. No server starts. */
export async function exportChats(
  { host, options, output }: Pick<CliContext, 'host' | 'options' | 'output'>,
  [named]: readonly string[],
): Promise<ExitCode> {
  const ids = named === undefined ? (await host.request('export.ids', {})).ids : [await requireChat(host, named)]
  const format = options.format ?? 'json'
  if (options.out === undefined) {
    // Hidden characters are named on a terminal; a program or a file gets the text as it is.
    const shown = process.stdout.isTTY && format === 'markdown' ? visible : String
    for await (const piece of pieces(host, ids, format)) if (!process.stdout.write(shown(piece))) await once(process.stdout, 'drain')
    return exitCodes.done
  }
  const path = resolve(options.out)
  await writeExport(path, pieces(host, ids, format))
  output.note(t`${chatCountLabel(ids.length)} in ${visibleLine(path)}`)
  return exitCodes.done
}

/** Text of one file with all chats, each read by itself. One that was deleted meanwhile is left out. */
async function* pieces(host: ReachedHost, ids: readonly string[], format: ExportFormat): AsyncGenerator<string> {
  let first = true
  const head = exportHead(new Date().toISOString())
  if (format === 'json') yield head
  for (const id of ids) {
    const { text } = await host.request('export.read', { id, format })
    const items = format === 'json' ? text.slice(head.length, -exportTail.length) : text
    if (items === '') continue
    if (!first) yield format === 'json' ? ',\n' : '\n---\n\n'
    yield items
    first = false
  }
  if (format === 'json') yield exportTail
}
