/** Of one server's lists so many are taken; what is over is left, and the person is told. */
export const mostTaken = { tools: 10_000, resources: 100_000, resourceTemplates: 10_000, prompts: 10_000 } as const

/** Tools, of all servers, whose definition is kept as the person accepted it; the earliest go first. */
export const mostAccepted = 1000
