// A link that another program had Assent open: `assent://install?name=…&config=…` (docs/install-links.md). It can only ever
// bring a server to the screen that adds one. What else it says (to trust it, to start it, to answer in the person's place)
// is left out, and named.
import { t } from '#app/i18n/translate.ts'
import type { Snippet } from '../candidate.ts'
import { readSnippet } from '../read-snippet.ts'

const known = ['name', 'config', 'inputs']
const mostNamed = 10

const problem = (message: string, remedy: string, server?: string): Snippet['problems'][number] => ({
  file: t`the link`,
  line: 1,
  column: 1,
  message,
  remedy,
  ...(server === undefined ? {} : { server }),
})
const refused = (message: string): Snippet => ({
  format: 'install-link',
  servers: [],
  inputs: [],
  problems: [problem(message, t`Look for the command or the JSON on the page that has the link.`)],
})

/** Never throws: what cannot be used is among the problems. */
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
  const said = problem(
    t`The link also says ${named.join(', ')}: that is left out.`,
    t`A link adds nothing by itself, trusts nothing and starts nothing.`,
  )
  return { ...snippet, servers: snippet.servers.map((server) => ({ ...server, problems: [...server.problems, said] })) }
}
