// Log messages of a server (MCP, "Logging"), as lines of its log. Whatever level was asked for, what comes is shown; but
// a server that says hundreds of things a second is heard only in part, and the log says how much was left out.
import type { Clock } from '#main/base/clock.ts'
import type { LogWord } from '../connection/notices.ts'
import type { LogBuffer } from './log-buffer.ts'

/** Messages kept of any one second. */
const maxASecond = 200
/** A message of a server is a line in its log, not a document. */
const maxMessage = 8192

export function createMessageLog(log: Pick<LogBuffer, 'add'>, clock: Clock): (word: LogWord) => void {
  let second = 0
  let heard = 0
  let droppedBefore = 0
  return (word) => {
    const now = Math.floor(clock.now() / 1000)
    if (now !== second) {
      second = now
      heard = 0
    }
    heard += 1
    if (heard > maxASecond) {
      droppedBefore += 1
      return
    }
    log.add({ source: 'message', level: word.level, text: logText(word), droppedBefore })
    droppedBefore = 0
  }
}

function logText({ logger, data }: LogWord): string {
  const said = typeof data === 'string' ? data : String(JSON.stringify(data))
  const text = logger === undefined ? said : `${logger}: ${said}`
  return text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text
}
