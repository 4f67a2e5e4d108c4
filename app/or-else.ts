/** Returns what `work` returns, or `otherwise` where it throws. */
export function orElse<T, Otherwise>(work: () => T, otherwise: Otherwise): T | Otherwise {
  try {
    return work()
  } catch {
    return otherwise
  }
}

/** Parses JSON text; undefined when it is not JSON. */
export const parseJson = (text: string): unknown => orElse(() => JSON.parse(text) as unknown, undefined)

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** Copies an object without the members that are undefined. */
export const defined = <const T extends object>(members: T): Defined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>
