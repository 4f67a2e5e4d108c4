import { vi } from 'vitest'

/** Waits until the check passes: long enough for a machine that is busy with other tests. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 60_000 })
