// TOML is not read: only Codex and few others keep servers in it, and Codex prints them as JSON. The servers of such a file are named,
// each with what to do, so that none is missed.
import { t } from '#app/i18n/translate.ts'
import { positionAt } from '#app/server/config/json-tree.ts'
import { emptySnippet, type Snippet } from '../candidate.ts'

/** Header `[mcp_servers.NAME]`, or `[[mcp_servers]]` with the name in it, as Vibe writes it. */
const header =
  /^[ \t]*\[(?:[ \t]*mcp_servers[ \t]*\.[ \t]*(?:"([^"\n]{1,64})"|'([^'\n]{1,64})'|([\w-]{1,64}))[ \t]*\]|\[[ \t]*mcp_servers[ \t]*\]\](?:[ \t]*\n[ \t]*name[ \t]*=[ \t]*"([^"\n]{1,64})")?)/gm
const most = 100

export const hasTomlServers = (text: string): boolean => /^[ \t]*\[[ \t]*(?:mcp_servers[ \t]*\.|\[[ \t]*mcp_servers[ \t]*\]\])/m.test(text)

export function namedOfToml(text: string, file: string): Snippet {
  const problems = [...text.matchAll(header)].slice(0, most).map((found) => {
    const server = found[1] ?? found[2] ?? found[3] ?? found[4] ?? 'mcp_servers'
    return {
      file,
      ...positionAt(text, found.index),
      server,
      message: t`“${server}” is in TOML, which is not read.`,
      remedy: t`Paste what \`codex mcp list --json\` prints.`,
    }
  })
  return { ...emptySnippet, problems }
}
