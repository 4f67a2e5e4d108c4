// Errors of SQLite and of the file system as the host's codes, by result code (https://sqlite.org/rescode.html), never by text.
import { HostError, type HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject } from '#app/json.ts'

const resultCodes: Readonly<Record<number, HostErrorCode>> = {
  3: 'profile.unwritable', // SQLITE_PERM
  5: 'profile.locked', // SQLITE_BUSY
  6: 'profile.locked', // SQLITE_LOCKED
  8: 'profile.unwritable', // SQLITE_READONLY
  10: 'profile.unwritable', // SQLITE_IOERR
  11: 'profile.corrupt', // SQLITE_CORRUPT
  13: 'disk.full', // SQLITE_FULL
  14: 'profile.unwritable', // SQLITE_CANTOPEN
  26: 'profile.corrupt', // SQLITE_NOTADB
}

/** The primary code is the low byte of an extended one. */
export const classifySqlite = (resultCode: number): HostErrorCode => resultCodes[resultCode & 0xff] ?? 'internal'

export const classifyFileError = (code: string): HostErrorCode =>
  code === 'ENOSPC' || code === 'EDQUOT' ? 'disk.full' : 'profile.unwritable'

/** Undefined: it did not come from SQLite. */
export const sqliteResultCode = (error: unknown): number | undefined =>
  isJsonObject(error) && error['code'] === 'ERR_SQLITE_ERROR' && typeof error['errcode'] === 'number' ? error['errcode'] : undefined

/** Turns an error of SQLite or of the file system about `path` into a HostError. Others are returned as they are. */
export function toStoreError(error: unknown, path: string): unknown {
  if (error instanceof HostError) return error
  const resultCode = sqliteResultCode(error)
  if (resultCode !== undefined) {
    const code = classifySqlite(resultCode)
    return new HostError(code, messages[code]?.(path) ?? t`SQLite refused a step on the profile (result ${resultCode}).`, {
      data: { path, sqlite: resultCode },
      cause: error,
    })
  }
  const fileCode = isJsonObject(error) && typeof error['code'] === 'string' && 'syscall' in error ? error['code'] : undefined
  if (fileCode === undefined) return error
  const code = classifyFileError(fileCode)
  return new HostError(code, messages[code]?.(path) ?? t`${path} cannot be used.`, { data: { path, reason: fileCode }, cause: error })
}

const messages: Partial<Record<HostErrorCode, (path: string) => string>> = {
  'disk.full': (path) => t`The disk with ${path} is full. What was saved before is safe; the latest change was not saved.`,
  'profile.unwritable': (path) => t`${path} could not be written.`,
  'profile.locked': (path) => t`Another program is using ${path}.`,
  'profile.corrupt': (path) => t`${path} is damaged. The file was left as it is.`,
}
