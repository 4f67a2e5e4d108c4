// Names for servers that came without one.

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
