import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { type ImportSource, type ImportSummary, sourceNames } from '#app/chat/import/imported-conversation.ts'
import { HostError } from '#app/errors.ts'
import { formatList } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { orAborted } from '#main/base/abort.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { chatCountLabel, inARow, messageCountLabel, visible } from '../output.ts'
import type { CliContext } from '../with-host.ts'

/** Imports chats. No server starts. */
export async function importChats({ host, options, output, signal }: CliContext, [name = '']: readonly string[]): Promise<ExitCode> {
  const path = resolve(name)
  const { id } = await host.request('import.begin', { mode: 'import' })
  for await (const piece of pieces(path))
    await orAborted(host.request('import.push', { id, base64: Buffer.from(piece).toString('base64') }), signal)
  const summary = await host.request('import.end', { id })
  if (options.json) output.value(summary)
  else output.text(words(summary))
  for (const { name: broken, reason } of summary.faults) output.note(t`Left out: “${visible(broken)}” (${reason}).`)
  return summary.conversations + summary.already > 0 ? exitCodes.done : exitCodes.failed
}

async function* pieces(path: string): AsyncIterable<Uint8Array> {
  try {
    for await (const piece of createReadStream(path, { highWaterMark: 512 * 1024 })) yield piece as Uint8Array
  } catch (cause) {
    throw new HostError('config.unreadable', t`“${path}” cannot be read.`, { data: { file: path }, cause })
  }
}

function words({ conversations, messages, already, broken, sources, cut }: ImportSummary): string {
  const from = formatList(sources.map((source: ImportSource) => sourceNames()[source]))
  return inARow(
    t`Imported: ${chatCountLabel(conversations)}, ${messageCountLabel(messages)} (${from || '–'}).`,
    already > 0 && t`Already imported: ${already}.`,
    broken > 0 && t`Left out: ${broken}.`,
    cut && t`The file ends in the middle of a chat.`,
  )
}
