// What was pasted into "Add a server", before the host reads it: JSON goes to `config.parse`; a lone address or a command
// line (as a README gives it) becomes a definition here. Nothing is run or fetched by reading it.
import type { ServerDefinition } from '#app/server/definition.ts'

export type Pasted =
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'one'; readonly name: string; readonly definition: ServerDefinition }

const common = { enabled: true, start: 'needed', trusted: false } as const

/** Words of a command line as a POSIX shell splits them, quotes and backslashes only: nothing is expanded. */
export function splitCommandLine(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let index = 0; index < line.length; index++) {
    const char = line[index] ?? ''
    if (quote) {
      if (char === quote) quote = ''
      else if (char === '\\' && quote === '"' && /["\\$`]/.test(line[index + 1] ?? '')) word = (word ?? '') + line[++index]
      else word = (word ?? '') + char
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (char === '\\' && index + 1 < line.length && /[\s"'\\]/.test(line[index + 1] ?? '')) {
      const next = line[++index]
      if (next !== '\n') word = (word ?? '') + next
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + char
  }
  if (word !== undefined) words.push(word)
  return words
}

const tidy = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 64)

/** "@scope/server-notes@2.1.0" → "notes". */
function nameOfPackage(word: string): string {
  const last = word.split('/').at(-1) ?? word
  const bare = last.replace(/(.)[@:=].*$/, '$1').replace(/\.(js|mjs|cjs|ts|py|exe|jar)$/i, '')
  const short = bare.replace(/^(mcp-server-|server-|mcp-)/, '').replace(/(-mcp-server|-mcp|-server)$/, '')
  return tidy(short || bare)
}

export function nameOfCommand(words: readonly string[]): string {
  const [program = '', ...rest] = words
  const runner = /(^|[\\/])(npx|uvx|bunx|pipx|node|deno|bun|python3?|docker|uv)(\.exe|\.cmd)?$/i.test(program)
  const argument = runner ? rest.find((word) => !word.startsWith('-') && !['run', 'dlx', 'x', 'tool', 'exec'].includes(word)) : undefined
  return nameOfPackage((argument ?? program).replaceAll('\\', '/')) || 'server'
}

/** "mcp.linear.app" → "linear". */
export function nameOfUrl(url: URL): string {
  const labels = url.hostname.split('.').filter((label) => !['mcp', 'api', 'www'].includes(label))
  return (/^[\d.]+$|^\[/.test(url.hostname) ? '' : tidy(labels[0] ?? '')) || 'server'
}

/** A name that is not taken: "notes", "notes-2" … */
export function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name
  for (let count = 2; ; count++) {
    const next = `${name.slice(0, 60)}-${count}`
    if (!taken.includes(next)) return next
  }
}

export function readPaste(text: string): Pasted {
  const trimmed = text.trim()
  if (trimmed === '') return { kind: 'empty' }
  if (/^["{[]|^\/[/*]/.test(trimmed)) return { kind: 'json', text }
  if (/^https?:\/\/\S+$/i.test(trimmed) && URL.canParse(trimmed)) {
    return {
      kind: 'one',
      name: nameOfUrl(new URL(trimmed)),
      definition: { ...common, transport: 'streamable-http', url: trimmed, headers: {} },
    }
  }
  const words = splitCommandLine(trimmed.replace(/^[$>%]\s+/, ''))
  const env: Record<string, string> = {}
  while (words.length > 1 && /^[A-Za-z_]\w*=/.test(words[0] ?? '')) {
    const word = words.shift() ?? ''
    env[word.slice(0, word.indexOf('='))] = word.slice(word.indexOf('=') + 1)
  }
  const [command = '', ...args] = words
  return { kind: 'one', name: nameOfCommand(words), definition: { ...common, transport: 'stdio', command, args, env } }
}
