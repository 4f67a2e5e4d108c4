import { plainText } from '../text/ansi-escapes.ts'
import type { LogLine } from './server-state.ts'

/** Formats log lines to copy or save: time, source, level, and text without terminal codes. */
export const logText = (lines: readonly LogLine[]): string =>
  lines
    .map((line) => `${new Date(line.time).toISOString()} ${line.source}${line.level ? ` ${line.level}` : ''} ${plainText(line.text)}`)
    .join('\n')
