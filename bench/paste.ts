// How long a README of 100 kB takes to read: snippets of public READMEs between prose, each in its fence. Wall time is the median of
// nine readings after two that warm up; CPU time beside it, since the machine may be busy.

import { readSnippet } from '#app/server/import/read-snippet.ts'
import { publicSnippets } from '#main/install/other-apps/public-snippets.testing.ts'

const SIZE = 100_000

export async function benchPaste(): Promise<object> {
  let text = ''
  for (const { text: snippet } of publicSnippets('corpus')) {
    if (text.length > SIZE) break
    text += `## A client\n\nSome words about the \`thing\`, see https://example.com/docs.\n\n\`\`\`\n${snippet}\n\`\`\`\n\n`
  }
  const runs = Array.from({ length: 11 }, () => {
    const start = performance.now()
    const before = process.cpuUsage()
    const { servers } = readSnippet(text)
    const { user, system } = process.cpuUsage(before)
    return { servers: servers.length, wall: performance.now() - start, cpu: (user + system) / 1000 }
  }).slice(2)
  const median = (values: readonly number[]): number => Math.round(values.toSorted((a, b) => a - b)[4] ?? 0)
  return {
    characters: text.length,
    servers: runs[0]?.servers,
    wallMs: median(runs.map(({ wall }) => wall)),
    cpuMs: median(runs.map(({ cpu }) => cpu)),
  }
}
