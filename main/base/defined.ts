/** Drops the members that are `undefined`, for optional properties under `exactOptionalPropertyTypes`. */
export const defined = <Members extends object>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>
  }
