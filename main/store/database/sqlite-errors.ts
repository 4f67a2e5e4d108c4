// Errors of SQLite and of the file system as the host's codes, by result code (https://sqlite.org/rescode.html), never by text.
import { HostError, type HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject } from '#app/json.ts'

/** Primary result codes of SQLite: the low byte of an extended one. */
export function classifySqlite(resultCode: number): HostErrorCode {
  switch (resultCode & 0xff) {
    case 13: // SQLITE_FULL
      return 'disk.full'
    case 3: // SQLITE_PERM
    case 8: // SQLITE_READONLY
    case 10: // SQLITE_IOERR
    case 14: // SQLITE_CANTOPEN
      return 'profile.unwritable'
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return 'profile.locked'
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return 'profile.corrupt'
    default:
      return 'internal'
  }
}

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
  'profile.unwritable': (path) => t`${path} cannot be written.`,
  'profile.locked': (path) => t`Another program is using ${path}.`,
  'profile.corrupt': (path) => t`${path} is damaged. The file was left as it is.`,
}
