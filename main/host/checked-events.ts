import { events } from '#app/contract/events.ts'
import type { Emit } from '#main/base/events.ts'
import { contractError } from '#main/requests/dispatch.ts'

/** Tells nothing that the contract does not allow; for tests. */
export const checkedEvents =
  (emit: Emit): Emit =>
  (name, payload) => {
    const result = events[name].safeParse(payload)
    if (!result.success) throw contractError(`${name}, event`, result.error)
    emit(name, payload)
  }
