// What a text holds that somebody pasted, opened or was sent: servers found in it, whatever program it was written for.
// Reading it runs nothing, fetches nothing and trusts nothing; whoever found a server hands it on in this shape.
import { z } from 'zod'
import { type ConfigProblem, configProblem, type ServerDefinition, serverDefinition, serverName } from '../definition.ts'
import { inputDeclaration } from '../inputs/input.ts'
import { plainSecretsOf } from '../inputs/plain-secrets.ts'

const snippetFormat = z.enum([
  /** Nothing was recognised. */
  'unknown',
  /** `mcpServers`, as most programs write it. */
  'mcp-servers',
  'vscode',
  'claude-code',
  'zed',
  'goose',
  'continue',
  'opencode',
  'claude-mcp-add',
  'code-add-mcp',
  'command',
  'url',
  'install-link',
])
export type SnippetFormat = z.infer<typeof snippetFormat>

const candidate = z.object({
  /** As it is called there; it may be taken here. */
  name: serverName,
  /** Never trusted, and never of those that start with the app: that is for the person to say. */
  definition: serverDefinition,
  /** Values that belong in the secret store, by name, as `keepSecrets` of `server.save` takes them. */
  secrets: z.array(z.string()),
  /** What was not taken over of it, or is worth a look. It can be used all the same. */
  problems: z.array(configProblem),
  /** Where it stands, counted from 1. */
  line: z.number().int().optional(),
  column: z.number().int().optional(),
  /** The project that it is for, where the file keeps them apart. */
  project: z.string().optional(),
})
export type Candidate = z.infer<typeof candidate>

export const snippet = z.object({
  format: snippetFormat,
  servers: z.array(candidate),
  /** What is said of the values that `${input:ID}` stands for in the servers. */
  inputs: z.array(inputDeclaration),
  /** What cannot be used, and why. */
  problems: z.array(configProblem),
})
export type Snippet = z.infer<typeof snippet>

export const emptySnippet: Snippet = { format: 'unknown', servers: [], inputs: [], problems: [] }

/** What holds for a server until the person says otherwise. */
export const asDefined = { enabled: true, start: 'needed', trusted: false } as const

/** More of them on one server help nobody. */
const mostNotes = 50

interface Where {
  readonly line?: number | undefined
  readonly column?: number | undefined
  readonly project?: string | undefined
}

/** Whoever wrote the text: whether to trust its servers, and which start with the app, is not for it to say. */
export function toCandidate(
  name: string,
  definition: ServerDefinition,
  { line, column, project }: Where,
  problems: readonly ConfigProblem[] = [],
): Candidate {
  const own = definition.transport === 'builtin' ? definition : { ...definition, trusted: false, start: 'needed' as const }
  return {
    name,
    definition: own,
    secrets: plainSecretsOf(own),
    // One variable may stand in several places.
    problems: [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()].slice(0, mostNotes),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(project === undefined ? {} : { project }),
  }
}
