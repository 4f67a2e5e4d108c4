import { containerOf, programOf } from './command-programs.ts'

const tidy = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 64)

/** "@scope/server-notes@2.1.0" → "notes". */
function nameOfPackage(word: string): string {
  const last =
    word
      .replace(/\.git$|\/+$/g, '')
      .split('/')
      .at(-1) ?? word
  const bare = last.replace(/(.)(?:[@:=#[]|==).*$/, '$1').replace(/\.(js|mjs|cjs|ts|py|exe|jar|dll)$/i, '')
  const short = bare.replace(/^(mcp-server-|mcp_server_|server-|mcp-|mcp_)/, '').replace(/(-mcp-server|_mcp_server|-mcp|_mcp|-server)$/, '')
  // `dist/index.js` says nothing; the folder above it does.
  if (/^(index|main|server|app|cli|stdio|run|dist|build|src|bin|out)$/i.test(short) && word.includes('/'))
    return nameOfPackage(word.slice(0, word.lastIndexOf('/')))
  // `@playwright/mcp`: the scope says more.
  if (/^(mcp|server|mcp-server)$/.test(short) && /^@?[^/]+\//.test(word) && !word.includes(':'))
    return tidy(word.split('/').at(-2)?.replace(/^@/, '') ?? short)
  return tidy(short || bare)
}

/** Subcommands of runners, before the package that they run. */
const verbs = new Set(['run', 'dlx', 'x', 'tool', 'exec', 'start', 'mcp', 'gateway'])
/** Options of runners that take a value; the value of one in `naming` may name what is run. */
const withValue =
  /^(-e|--env|--env-file|-v|--volume|--mount|-p|--publish|--network|--net|--name|-w|--workdir|-u|--user|--entrypoint|--platform|--add-host|--python|-c|--with|--directory|--project|--prefix|--add-dir)$/
const naming = /^(-m|--package|--from)$/

export function nameOfCommand(words: readonly string[]): string {
  const [program = '', ...rest] = words
  const runner =
    /^(npx|npm|pnpm|yarn|uvx|bunx|pipx|node|tsx|deno|bun|python\d?(\.\d+)?|py|docker|podman|uv|go|cargo|java|dotnet|dnx)$/.test(
      programOf(program),
    )
  let named = /^(?:docker|podman)$/.test(programOf(program)) ? containerOf(rest)?.image : undefined
  if (runner)
    for (let index = 0; index < rest.length && named === undefined; index++) {
      const word = rest[index] ?? ''
      if (withValue.test(word)) index++
      else if (naming.test(word) && word === '-m') named = rest[index + 1]
      else if (naming.test(word)) index++
      else if (!word.startsWith('-') && !verbs.has(word)) named = word
    }
  return nameOfPackage((named ?? program).replaceAll('\\', '/').replace(/^(jsr|npm):/, '')) || 'server'
}

/** "mcp.linear.app" → "linear". */
export function nameOfUrl(url: URL): string {
  const labels = url.hostname.split('.').filter((label) => !['mcp', 'api', 'www'].includes(label))
  return (/^[\d.]+$|^\[/.test(url.hostname) ? '' : tidy(labels[0] ?? '')) || 'server'
}
