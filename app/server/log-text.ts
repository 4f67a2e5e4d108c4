import { plainText } from '../text/ansi-escapes.ts'
import type { LogLine } from './server-state.ts'

/** Lines of a log as they are copied or saved: when, from where, how grave, and the text without terminal codes. */
export const logText = (lines: readonly LogLine[]): string =>
  lines
    .map((line) => `${new Date(line.time).toISOString()} ${line.source}${line.level ? ` ${line.level}` : ''} ${plainText(line.text)}`)
    .join('\n')
