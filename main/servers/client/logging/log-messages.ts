// Log messages of a server (MCP, "Logging") as lines of its log, whatever level was asked for. A flood is shown in part, and the
// log says how much was left out.
import { t } from '#app/i18n/translate.ts'
import type { Clock } from '#main/base/clock.ts'
import type { LogBuffer } from '#main/servers/process/logs/log-buffer.ts'
import type { LogWord } from '../requests/running-calls.ts'

const maxASecond = 200
/** So long after the first that was left out, with none kept since: the flood is over, or the log says so meanwhile. */
const toldAfterMs = 1000
/** A message of a server is a line in its log, not a document. */
const maxMessage = 8192

export function createMessageLog(log: Pick<LogBuffer, 'add'>, clock: Clock): (word: LogWord) => void {
  let second = 0
  let heard = 0
  let droppedBefore = 0
  let stopTelling: (() => void) | undefined
  const taken = (): number => {
    stopTelling?.()
    stopTelling = undefined
    const count = droppedBefore
    droppedBefore = 0
    return count
  }
  const tell = (): void => {
    const count = taken()
    log.add({ source: 'host', level: 'warning', text: t`${count} messages were left out.`, droppedBefore: count })
  }
  return (word) => {
    const now = Math.floor(clock.now() / 1000)
    if (now !== second) {
      second = now
      heard = 0
    }
    heard += 1
    if (heard > maxASecond) {
      droppedBefore += 1
      stopTelling ??= clock.after(toldAfterMs, tell)
      return
    }
    log.add({ source: 'message', level: word.level, text: logText(word), droppedBefore: taken() })
  }
}

function logText({ logger, data }: LogWord): string {
  const said = typeof data === 'string' ? data : String(JSON.stringify(data))
  const text = logger === undefined ? said : `${logger}: ${said}`
  return text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text
}
