import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { type ImportSource, type ImportSummary, sourceNames } from '#app/chat/import/imported-conversation.ts'
import { HostError } from '#app/errors.ts'
import { formatList } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { systemClock } from '#main/base/clock.ts'
import { silentLog } from '#main/base/host-log.ts'
import { createFileImport } from '#main/chat/transfer/import-conversations.ts'
import { createFileReader } from '#main/chat/transfer/read-export-file.ts'
import { dataDirOf } from '#main/shell/node/data-dir.ts'
import { openStore } from '#main/store/open-store.ts'
import type { Options } from '../command-line.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { type CliOutput, chatCountLabel, inARow, messageCountLabel, visible } from '../output.ts'

/** Imports chats. No server starts. Assent must not run on the profile. */
export async function importChats(options: Options, [name = '']: readonly string[], output: CliOutput): Promise<ExitCode> {
  const path = resolve(name)
  const store = openStore({ dataDir: dataDirOf(options.dataDir), clock: systemClock, log: silentLog })
  try {
    const reading = createFileImport({
      store,
      mode: 'import',
      reader: createFileReader({ now: systemClock.now(), model: store.settings.get().defaultModel }),
      log: silentLog,
      onKept: ({ id, title }) => {
        if (options.verbose) output.note(`${id}  ${visible(title)}`)
      },
      onFolder: () => undefined,
    })
    for await (const piece of pieces(path)) await reading.push(piece)
    const summary = await reading.end()
    if (options.json) output.value(summary)
    else output.text(words(summary))
    for (const { name: broken, reason } of summary.faults) output.note(t`Left out: “${visible(broken)}”, for ${reason}.`)
    return summary.conversations + summary.already > 0 ? exitCodes.done : exitCodes.failed
  } finally {
    store.close()
  }
}

async function* pieces(path: string): AsyncIterable<Uint8Array> {
  try {
    for await (const piece of createReadStream(path, { highWaterMark: 512 * 1024 })) yield piece as Uint8Array
  } catch (cause) {
    throw new HostError('config.unreadable', t`There is no file ${path} that can be read.`, { data: { file: path }, cause })
  }
}

function words({ conversations, messages, already, broken, sources, cut }: ImportSummary): string {
  const from = formatList(sources.map((source: ImportSource) => sourceNames()[source]))
  const [chats, all] = [chatCountLabel(conversations), messageCountLabel(messages)]
  return inARow(
    from === '' ? t`${chats} with ${all} imported.` : t`${chats} with ${all} imported from ${from}.`,
    already > 0 && (already === 1 ? t`1 chat was here before.` : t`${already} chats were here before.`),
    broken > 0 && (broken === 1 ? t`1 entry left out.` : t`${broken} entries left out.`),
    cut && t`The file ends in the midst of a chat: it is not whole.`,
  )
}
