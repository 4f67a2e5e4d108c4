/** Most entries that are taken of one server's lists; the person is told of the rest. */
export const mostTaken = { tools: 10_000, resources: 100_000, resourceTemplates: 10_000, prompts: 10_000 } as const

/** Most tool definitions that are kept as accepted, over all servers; the oldest go first. */
export const mostAccepted = 1000
