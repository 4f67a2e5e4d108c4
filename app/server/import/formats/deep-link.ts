// Reader of Assent's own install link: `assent://install?name=…&config=…` (docs/install-links.md). It can only bring a server to the
// screen that adds one; any other parameter is left out, and named.
import { t } from '#app/i18n/translate.ts'
import type { Snippet } from '../candidate.ts'
import { readSnippet, refusedLink } from '../read-snippet.ts'

const known = ['name', 'config', 'inputs']
const mostNamed = 10

const refused = (message: string): Snippet => refusedLink(t`the link`, message)

/** Reads the link. Never throws: what cannot be used is among the problems. */
export function readInstallLink(text: string): Snippet {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'assent:') return refused(t`This is no link of Assent’s.`)
  const action = `${url.host}${url.pathname}`.replace(/^\/+|\/+$/g, '')
  if (action !== 'install') return refused(t`Assent knows no such link: only servers can be brought by one.`)
  const snippet = readSnippet(text, t`the link`)
  if (snippet.format !== 'install-link') return refused(t`The link carries no server that can be read.`)
  const ignored = [...new Set(url.searchParams.keys())].filter((name) => !known.includes(name))
  if (ignored.length === 0) return snippet
  const named = ignored.slice(0, mostNamed).map((name) => `“${name.slice(0, 40)}”`)
  const note = {
    ...{ file: t`the link`, line: 1, column: 1 },
    message: t`The link also says ${named.join(', ')}: that is left out.`,
    remedy: t`A link adds nothing by itself, trusts nothing and starts nothing.`,
  }
  return { ...snippet, servers: snippet.servers.map((server) => ({ ...server, problems: [...server.problems, note] })) }
}
