import { once } from 'node:events'
import { resolve } from 'node:path'
import { t } from '#app/i18n/translate.ts'
import { systemClock } from '#main/base/clock.ts'
import { silentLog } from '#main/base/host-log.ts'
import { exportPieces, exportTo } from '#main/chat/transfer/export-file.ts'
import { secretVariables } from '#main/host/known-secrets.ts'
import { createMask } from '#main/servers/process/logs/redact-secrets.ts'
import { dataDirOf } from '#main/shell/node/data-dir.ts'
import { openStore } from '#main/store/open-store.ts'
import type { Store } from '#main/store/store-api.ts'
import type { Options } from '../command-line.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { requireChat } from '../find-chat.ts'
import { type CliOutput, chatCountLabel, visible, visibleLine } from '../output.ts'

/** Exports chats. No server starts. Assent must not run on the profile. */
export async function exportChats(options: Options, [named]: readonly string[], output: CliOutput): Promise<ExitCode> {
  const store = openStore({ dataDir: dataDirOf(options.dataDir), clock: systemClock, log: silentLog })
  try {
    const plan = {
      ids: named === undefined ? allOf(store) : [requireChat(store, named)],
      format: options.format ?? ('json' as const),
      now: systemClock.now(),
      mask: createMask(secretVariables(process.env)),
    }
    if (options.out === undefined) {
      // Hidden characters are named on a terminal; a program or a file gets the text as it is.
      const shown = process.stdout.isTTY && plan.format === 'markdown' ? visible : String
      for (const piece of exportPieces(store, plan)) if (!process.stdout.write(shown(piece))) await once(process.stdout, 'drain')
      return exitCodes.done
    }
    const path = resolve(options.out)
    await exportTo(path, store, plan)
    output.note(t`${chatCountLabel(plan.ids.length)} in ${visibleLine(path)}`)
    return exitCodes.done
  } finally {
    store.close()
  }
}

const allOf = ({ conversations }: Store): string[] => conversations.list().map(({ id }) => id)
