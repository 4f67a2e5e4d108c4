// From the disk back into types: JSON text through its schema. A row that does not fit (damage, or an edit from outside)
// is left where it is, named in the log without its content, and skipped.
import type { z } from 'zod'
import type { Log } from '#main/base/host-log.ts'
import type { Row } from './database/database.ts'

/** `what` names the row in the log. */
export function parseText<T>(schema: z.ZodType<T>, text: unknown, what: string, log: Log): T | undefined {
  let value: unknown
  try {
    value = JSON.parse(String(text))
  } catch {
    log.warn(`${what} in the profile is not JSON and was skipped`)
    return undefined
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const places = parsed.error.issues.slice(0, 3).map((issue) => issue.path.join('.') || '(whole)')
  log.warn(`${what} in the profile does not fit its schema at ${places.join(', ')} and was skipped`)
  return undefined
}

/** The `body` of each row; rows that do not fit are left out. */
export function parseRows<T>(schema: z.ZodType<T>, rows: readonly Row[], what: string, log: Log): T[] {
  const values: T[] = []
  for (const row of rows) {
    const value = parseText(schema, row['body'], `${what} ${String(row['id'])}`, log)
    if (value !== undefined) values.push(value)
  }
  return values
}
