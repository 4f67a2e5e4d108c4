// Returns free pages of the database to the disk, some at a time. Each step is a transaction: it can be stopped, others read
// meanwhile, and it needs no room beside the file, unlike VACUUM. Older profiles are rewritten once, at a start where it is quick.
import type { Database } from './database.ts'

const PAGES_A_STEP = 64
/** Free pages, in number and as a share, that stay for new rows. */
const PAGES_KEPT = 2048
const SHARE_KEPT = 0.1
/** Most bytes in use that a start rewrites: about a second. */
const MOST_AT_START = 256 * 1024 ** 2

export const createIncrementalVacuum = (database: Database) => ({
  /** Works for about `ms` milliseconds; false: no more pages are worth returning. */
  step(ms: number): boolean {
    if (mode(database) !== INCREMENTAL) return false
    const end = performance.now() + ms
    while (isWorthIt(database)) {
      database.exec(`PRAGMA incremental_vacuum(${PAGES_A_STEP})`)
      if (performance.now() >= end) return true
    }
    return false
  },
})

/**
 * Rewrites an older profile with incremental vacuum, before anything else uses it.
 * @throws {HostError} `disk.full`; the profile is then as it was.
 */
export function enableIncrementalVacuum(database: Database): void {
  if (mode(database) === INCREMENTAL || !isWorthIt(database)) return
  const { total, free } = pages(database)
  if ((total - free) * number(database, 'page_size') > MOST_AT_START) return
  database.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM')
}

const INCREMENTAL = 2
const number = (database: Database, pragma: 'auto_vacuum' | 'freelist_count' | 'page_count' | 'page_size'): number =>
  Number(database.get(`PRAGMA ${pragma}`)?.[pragma])
const mode = (database: Database): number => number(database, 'auto_vacuum')
const pages = (database: Database) => ({ total: number(database, 'page_count'), free: number(database, 'freelist_count') })

function isWorthIt(database: Database): boolean {
  const { total, free } = pages(database)
  return free > Math.max(PAGES_KEPT, total * SHARE_KEPT)
}
