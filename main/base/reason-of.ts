/** The code within what `fetch` threw. */
export function reasonOf(error: unknown): string {
  let at: unknown = error
  for (let depth = 0; depth < 6 && at instanceof Error; depth += 1) {
    const { code } = at as { readonly code?: unknown }
    if (typeof code === 'string') return code
    // Every address of a host was tried.
    at = at instanceof AggregateError ? at.errors[0] : at.cause
  }
  return 'failed'
}
