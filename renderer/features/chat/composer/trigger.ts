// Whether what is being typed asks for something of a server: `@` at the beginning of a word for a resource, `/` at the
// beginning of the message for a prompt.

export interface Trigger {
  readonly kind: 'resource' | 'prompt'
  /** Where the sign stands. */
  readonly from: number
  readonly query: string
}

export function findTrigger(text: string, caret: number): Trigger | undefined {
  const before = text.slice(Math.max(0, caret - 200), caret)
  const prompt = caret <= 100 ? /^\/(\S*)$/.exec(before) : null
  if (prompt) return { kind: 'prompt', from: 0, query: prompt[1] ?? '' }
  const resource = /(?:^|[\s(])@([^\s@]{0,100})$/.exec(before)
  const query = resource?.[1]
  return query === undefined ? undefined : { kind: 'resource', from: caret - query.length - 1, query }
}
