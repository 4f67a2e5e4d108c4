// What a text holds that somebody pasted, opened or was sent: servers found in it, whatever program it was written for.
// Reading it runs nothing, fetches nothing and trusts nothing; whoever found a server hands it on in this shape.
import { z } from 'zod'
import { configProblem, serverDefinition, serverName } from '../definition.ts'
import { inputDeclaration } from '../input.ts'

export const snippetFormat = z.enum([
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

export const foundServer = z.object({
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
export type FoundServer = z.infer<typeof foundServer>

export const snippet = z.object({
  format: snippetFormat,
  servers: z.array(foundServer),
  /** What is said of the values that `${input:ID}` stands for in the servers. */
  inputs: z.array(inputDeclaration),
  /** What cannot be used, and why. */
  problems: z.array(configProblem),
})
export type Snippet = z.infer<typeof snippet>

export const emptySnippet: Snippet = { format: 'unknown', servers: [], inputs: [], problems: [] }
