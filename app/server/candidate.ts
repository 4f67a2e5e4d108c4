// Candidate: a server that was understood in text of others and is not here yet. `review-candidate.ts` reviews it,
// `main/install/save-server.ts` saves it. Reading a source runs nothing and trusts nothing, and
// fetches only a site that the person had looked at.
import { z } from 'zod'
import { defined } from '#app/or-else.ts'
import { type ConfigProblem, configProblem, type ServerDefinition, serverDefinition, serverName } from './definition.ts'
import { inputDeclaration } from './inputs/input.ts'
import { plainSecretsOf } from './inputs/plain-secrets.ts'

/** `unknown`: nothing was recognised. `mcp-servers`: as most programs write it. */
const configFormats = ['unknown', 'mcp-servers', 'vscode', 'claude-code', 'zed', 'goose', 'continue', 'opencode'] as const
const snippetFormat = z.enum([...configFormats, 'claude-mcp-add', 'code-add-mcp', 'command', 'url', 'install-link'])
export type SnippetFormat = z.infer<typeof snippetFormat>

export const candidate = z.object({
  name: serverName,
  /** Launch or address. Never trusted, and never started with the app: only the person decides that. */
  definition: serverDefinition,
  /** Names of variables or headers whose values belong in the secret store, as `keepSecrets` of `server.save` takes them. */
  secrets: z.array(z.string()),
  /** Notes on what was left out or is worth a look. They do not keep it from being added. */
  problems: z.array(configProblem),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
  project: z.string().optional(),
})
export type Candidate = z.infer<typeof candidate>

export const snippet = z.object({
  format: snippetFormat,
  servers: z.array(candidate),
  /** Declarations of the values that `${input:ID}` stands for. One may be used by several servers. */
  inputs: z.array(inputDeclaration),
  problems: z.array(configProblem),
  /** Address that is all of the text: its site may name servers. */
  site: z.string().optional(),
})
export type Snippet = z.infer<typeof snippet>

export const emptySnippet: Snippet = { format: 'unknown', servers: [], inputs: [], problems: [] }

type Place = Pick<ConfigProblem, 'file' | 'line' | 'column'>

/** Reading without a server, with the one problem that says why. */
export const onlyProblem = (place: Place, message: string, remedy: string, format: SnippetFormat = 'unknown'): Snippet => ({
  ...emptySnippet,
  format,
  problems: [{ ...place, message, remedy }],
})

export const movePlaces = (reading: Snippet, move: <T extends Partial<Place>>(one: T) => T): Snippet => ({
  ...reading,
  servers: reading.servers.map((server) => move({ ...server, problems: server.problems.map(move) })),
  problems: reading.problems.map(move),
})

/** Settings of a server until the person changes them. */
export const asDefined = { enabled: true, start: 'needed', trusted: false } as const

const mostNotes = 50

/** Makes a candidate. Trust and start with the app, which its source cannot decide, are reset. */
export function toCandidate(
  name: string,
  definition: ServerDefinition,
  { line, column, project }: Partial<Place> & { readonly project?: string | undefined },
  problems: readonly ConfigProblem[] = [],
): Candidate {
  const own = definition.transport === 'builtin' ? definition : { ...definition, trusted: false, start: 'needed' as const }
  return {
    name,
    definition: own,
    secrets: plainSecretsOf(own),
    // A variable in several places makes the same note several times.
    problems: [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()].slice(0, mostNotes),
    ...defined({ line, column, project }),
  }
}
