// The file named with --config, looked at before anything is made for it: a script must not take a file that nobody could
// read for one without servers. A single entry that is wrong is only said on stderr; the others are still servers.
import { readFileSync } from 'node:fs'
import { HostError } from '#app/errors.ts'
import { readConfig } from '#app/server/config/read.ts'
import { t } from '#app/words/translate.ts'

/** Throws `config.unreadable` or `config.syntax` when nothing in the file can be used. */
export function requireConfigFile(file: string): void {
  const read = readConfig(readText(file).replace(/^\uFEFF/, ''), file)
  const problem = read.problems[0]
  if (read.usable || !problem) return
  const { line = 1, column = 1, message, remedy } = problem
  throw new HostError('config.syntax', t`${file}, line ${line}: ${message} ${remedy}`, { data: { file, line, column } })
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown'
    const message = reason === 'ENOENT' ? t`There is no file ${file}.` : t`${file} cannot be read (${reason}).`
    throw new HostError('config.unreadable', message, { data: { file, reason }, cause: error })
  }
}
