// Accounts for a pasted text after it was read: credentials that stand beside a server and reached none, and values that belong to the
// machine or the account of whoever wrote the text. Each becomes a note, so that nothing is lost or taken literally in silence.
import { looksSecret } from '#app/text/secret-names.ts'
import type { Candidate, Snippet } from '../candidate.ts'
import { positionAt } from '../config/json-tree.ts'
import type { ConfigProblem, ServerDefinition } from '../definition.ts'
import { isElsewhere, leftOut } from './import-notes.ts'

/** `KEY=value` and `X-Key: value` at the start of a line, and a header anywhere. */
const assigned =
  /^[ \t>*`-]*(?:export +|set +|\$env:)?"?((?-i:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+))"? *= *["']?[^\s"']|\b(Authorization|(?:X-)?Api-Key|X-[A-Z][\w-]{2,40})\b["'`*]* *: *["'`]?[\w<{$[]|\b(API[ -]key|Bearer token|access token)\b["'`*]* *[:=] *\S/gim
const mostNamed = 20
const home = /(?:^|[=:"' ])((?:[A-Za-z]:)?[\\/]+(?:Users|home)[\\/]+(?!node\b|app\b|Shared\b|Public\b)[\w.-]+[\\/][^\s"']*)/

const textsOf = (definition: ServerDefinition): string[] =>
  definition.transport === 'stdio' ? [definition.command, ...definition.args, definition.cwd ?? '', ...Object.values(definition.env)] : []

function withHomes(server: Candidate, place: Pick<ConfigProblem, 'file'>): Candidate {
  // A value that is a path as a whole may have blanks.
  const [path] = textsOf(server.definition).flatMap((text) => {
    const found = home.exec(text)
    return found?.index === 0 && found[0] === found[1] ? text : (found?.[1] ?? [])
  })
  if (path === undefined || /^(?:docker|podman)$/.test(server.definition.transport === 'stdio' ? server.definition.command : ''))
    return server
  const { line, column } = server
  return { ...server, problems: [...server.problems, { ...place, line, column, server: server.name, ...isElsewhere(path) }] }
}

/** Adds the notes. `isPage`: of a page, which documents all settings, only credentials count. */
export function withUnread(snippet: Snippet, text: string, file: string, isPage: boolean): Snippet {
  if (snippet.servers.length === 0) return snippet
  const known = JSON.stringify(snippet).toLowerCase()
  const isGiven = /"authorization"|api[-_]?key|token/.test(known)
  const names = new Map<string, number>()
  for (const { 1: variable, 2: header, 3: words, index } of text.matchAll(assigned)) {
    const name = variable ?? header ?? words ?? ''
    if (!names.has(name) && (variable === undefined ? !isGiven : !isPage || looksSecret(name))) names.set(name, index)
    if (names.size >= mostNamed) break
  }
  const lost = [...names]
    .filter(([name]) => !known.includes(name.toLowerCase()))
    .map(([name, index]) => ({ file, ...positionAt(text, index), ...leftOut(name) }))
  const servers = snippet.servers.map((server) => withHomes(server, { file }))
  return { ...snippet, servers, problems: [...snippet.problems, ...lost] }
}
