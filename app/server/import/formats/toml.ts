// TOML is not read: Codex alone keeps servers in it, and says them as JSON when asked. So that nothing is missed in silence,
// the servers of such a file are named, each with what to do.
import { t } from '#app/i18n/translate.ts'
import { positionAt } from '#app/server/config/text-position.ts'
import { emptySnippet, type Snippet } from '../candidate.ts'

/** `[mcp_servers.NAME]`, and a list of them with the name inside, as Vibe has it. */
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
      message: t`“${server}” stands in TOML, which is not read.`,
      remedy: t`Paste what \`codex mcp list --json\` prints into “Add a server”, or its command or address alone.`,
    }
  })
  return { ...emptySnippet, problems }
}
