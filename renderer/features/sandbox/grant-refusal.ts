import type { ErrorValue } from '#app/errors.ts'

/** A grant that the host refused, with its reason. */
export interface GrantRefusal {
  /** Undefined: it does not say which. */
  readonly path: string | undefined
  readonly message: string
}

/** The refused grant of an error; undefined: the error is another. */
export function refusalOf({ code, message, data }: ErrorValue): GrantRefusal | undefined {
  const path = data?.['path']
  return code === 'server.sandbox-grant' ? { path: typeof path === 'string' ? path : undefined, message } : undefined
}
