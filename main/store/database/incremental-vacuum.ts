// What was deleted for good goes back to the disk, some pages at a time. Each step is a transaction of its own: an end in the midst
// of it costs nothing, others read meanwhile, and it needs no room beside the file (a VACUUM needs all of it twice, and holds up who
// writes). Profiles that were begun before this are written anew once, at a start that finds it worth while and quick.
import type { Database } from './database.ts'

export interface IncrementalVacuum {
  /** Works for about `ms` milliseconds. False: what is left is better kept for what comes next. */
  step(ms: number): boolean
}

const PAGES_A_STEP = 64
/** Kept, for what comes next takes their place. */
const PAGES_KEPT = 2048
const SHARE_KEPT = 0.1
/** Of what is in use; about a second to write. */
const MOST_AT_START = 256 * 1024 ** 2

export const createIncrementalVacuum = (database: Database): IncrementalVacuum => ({
  step(ms) {
    if (mode(database) !== INCREMENTAL) return false
    const end = performance.now() + ms
    while (isWorthIt(database)) {
      database.exec(`PRAGMA incremental_vacuum(${PAGES_A_STEP})`)
      if (performance.now() >= end) return true
    }
    return false
  },
})

/** Before anybody else has it. Throws `disk.full`; then it is as it was. */
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
