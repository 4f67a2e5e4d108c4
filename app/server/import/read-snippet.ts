// Anything that somebody pastes into "Add a server", understood. The one way in for text; see `snippet.ts` for its result.
import { asDefined, found } from './found.ts'
import { nameOfUrl } from './names.ts'
import { readCommand } from './read-command.ts'
import { readJson } from './read-json.ts'
import type { FoundServer, Snippet, SnippetFormat } from './snippet.ts'

/** `file`: what the text is called in problems. Throws nothing: what cannot be read is among the problems. */
export function readSnippet(pasted: string, file = 'the pasted text'): Snippet {
  const text = pasted.replace(/^\uFEFF/, '')
  const trimmed = text.trim()
  if (trimmed === '') return snippetOf('unknown')
  if (/^["{[]|^\/[/*]/.test(trimmed)) return readJson(text, file)
  if (/^https?:\/\/\S+$/i.test(trimmed) && URL.canParse(trimmed)) return snippetOf('url', readUrl(trimmed))
  return snippetOf('command', readCommand(trimmed))
}

const snippetOf = (format: SnippetFormat, server?: FoundServer): Snippet => ({
  format,
  servers: server ? [server] : [],
  inputs: [],
  problems: [],
})

const readUrl = (url: string): FoundServer =>
  found(nameOfUrl(new URL(url)), { ...asDefined, transport: 'streamable-http', url, headers: {} }, { line: 1, column: 1 })
