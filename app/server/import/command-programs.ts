// Classification of a pasted command line by its words: one that runs a server, one that prepares for it, or the command of another
// application that adds one.

const runners =
  /^(?:npx|npm|pnpm|pnpx|yarn|bun|bunx|node|tsx|ts-node|deno|uv|uvx|pipx|python(?:3(?:\.\d+)?)?|py|docker|podman|go|cargo|java|dotnet|dnx|ruby|php|mcp-remote|mcp-proxy|supergateway|cmd|sh|bash|nix|mise|npx\.cmd)$/i

export const programOf = (word: string): string => (word.split(/[\\/]/).at(-1) ?? word).replace(/\.(exe|cmd|bat|ps1)$/i, '').toLowerCase()

export const isRunner = (word: string): boolean => runners.test(programOf(word))

/** Tells whether a word is a path or may be the name of a program; no sentence begins like that. */
export const isProgram = (word: string): boolean =>
  isRunner(word) || /^(?:\.{0,2}[\\/]|~[\\/]|[A-Za-z]:[\\/]|\$\{userHome\})\S/.test(word) || /^[a-z0-9][a-z0-9_.-]*$/.test(word)

/** Commands of a README that come before the one that runs the server. */
const preparing =
  /^(?:(?:npm|pnpm|yarn|bun) (?:i|install|ci|add|update|upgrade|up|uninstall|remove|outdated|audit|run (?:build|dev|watch|test|lint|format|typecheck|prepublish\w*)|build|link|init|cache|test|config)\b|(?:pip3?|pipx|uv pip|uv tool|cargo|go|brew|apt(?:-get)?|winget|choco|scoop|gem) (?:install|add)\b|cargo (?:build|check|clean|clippy|fmt|test|update)\b|go (?:build|generate|get|mod|test|vet|work)\b|dotnet (?:build|clean|new|nuget|pack|publish|restore|sln|test|workload|tool (?:install|restore|update))\b|(?:\.[\\/])?(?:mvnw?|gradlew?)\b(?!.*(?:exec:java|spring-boot:run|quarkus:dev| run\b))|(?:bundle|composer|mise) (?:install|require|trust|use)\b|(?:uv|poetry) (?:sync|venv|lock|install|add|python)\b|uv run (?:pytest|ruff|black|pyright|mypy|prek|isort|tox|nox|coverage|pre-commit)\b|npx (?:-y )?(?:@anthropic-ai\/(?:dxt|mcpb)|nx|skills|wrangler|playwright|esbuild|tsc|clear-npx-cache|cdk) |(?:gemini|qwen|claude|codex|copilot) (?:extensions?|plugins?|skills?) |(?:iex|irm|iwr|invoke-\w+|pytest|xattr|codesign|systemctl|which|where|nano|vim?|open|docker-compose)\b|\.\/scripts\/|git |mkdir |cp |mv |rm |curl |wget |source |chmod |(?:docker|podman) (?!(?:run|exec|start|mcp|compose run|container (?:run|exec|start))\b|-)[a-z]+\b|docker mcp (?!gateway run\b)|(?:helm|kubectl|aws|gcloud|az|openssl|jq|cat|ls|type|tail|head|less|tree|code|touch|ln|lsof|kill|pkill) |python3? -m (?:venv|pip)\b|python3? setup\.py|echo |sudo |make\b|cmake\b|(?:npm|npx) login|corepack )/i

export const isPreparing = (line: string): boolean => preparing.test(`${line.trim()} `)

/** Finds command lines that configure another application: `npx @smithery/cli install x --client claude`. */
export const isForeignInstaller = (line: string, words: readonly string[]): boolean =>
  /@smithery\/cli\S* +(?:install|mcp add)\b|(?<!^\/)\b(?:mcp-get|install-mcp|mcp-installer|add-mcp|mcp-add)\b|@(?:[\w-]+\/)?mcpm\b|\bmcpm install\b|^(?:thv|arctl|mcpjungle) |^smithery (?:install|mcp) |^mcp add (?:tool|prompt|resource) \S+$|^(?:uv run |uvx )?fastmcp install |^mcp install \S+\.py\b/.test(
    line,
  ) || setsUp(words)

/** Finds clients of servers: the MCP inspector, and a program that is started with servers of its own. */
export const isClient = (line: string, words: readonly string[]): boolean =>
  /@(?:modelcontextprotocol|mcpjam)\/inspector\b|\bmcp-inspector\b|\bmcporter\b|\bmcpo(?:@|:| |$)|\bmcp-use client\b|@smithery\/cli\S* +(?!run\b)\S|^mcp (?:tools|resources|prompts|call|shell|web|get-prompt|read-resource|mock|configs?|alias) |^(?:uv run |uvx )?fastmcp (?:list|call|inspect|discover|dev|version|auth) /.test(
    line,
  ) ||
  words.some(
    (word, index) =>
      /^--(?:(?:additional-)?mcp-config|with-[\w-]*extension)(?:=|$)/.test(word) ||
      (word === '--mcp' && /^[{.]/.test(words[index + 1] ?? '')),
  )

/** Finds the option of a run that does one thing and ends: `--login`, `--oauth-setup`, `--list-accounts`. */
export const onceIn = (words: readonly string[]): string | undefined =>
  words.slice(1).find((word) => /^--(?:login|logout|(?:[a-z]+-)?setup|list-[a-z]+)$/.test(word))

const setting = /^(?:setup|init|install|uninstall|configure|onboard|auth|login|logout)$/
/** Words of a runner before the package, and its options that have no value. */
const leading = /^(?:dlx|exec|x|run|tool|-y|--yes|-q|--quiet|-m|--bun)$/

/** `npx pkg setup`, `pnpm dlx pkg mcp init --client x`, `pkg init --client x`. */
function setsUp(words: readonly string[]): boolean {
  const [program = '', ...rest] = words
  const runner = isRunner(program)
  if (/^(?:docker|podman)$/.test(programOf(program))) {
    const after = containerOf(rest)?.image
    return (
      after !== undefined &&
      /^(?:auth|login|logout|setup)$/.test(
        rest
          .slice(rest.indexOf(after) + 1)
          .join(' ')
          .replace(/^npm run /, ''),
      )
    )
  }
  if (/^(?:down|stop|status|logs|ps|restart)$/.test(rest.join(' '))) return true
  if (!runner && !rest.some((word) => /^--(?:client|agent|ide|editor)(?:=|$)/.test(word))) return false
  // A word after an option may be its value.
  const named = rest.filter((word, index) => {
    const before = rest[index - 1] ?? ''
    return !word.startsWith('-') && !leading.test(word) && (!before.startsWith('-') || leading.test(before))
  })
  const own = runner ? named.slice(1) : named
  const adds = own[0] === 'add' && rest.some((word) => /^--(?:name|client|command|url|agent)(?:=|$)/.test(word))
  return adds || setting.test(own[0] ?? '') || (own[0] === 'mcp' && setting.test(own[1] ?? ''))
}

/** Finds the word of a usage line or a call for help: `[options]`, `<command>`, `--help`. */
export const usageIn = (words: readonly string[]): string | undefined =>
  words.find((word) => /^\[(?:--?[\w-]+|options?|flags|args?|arguments|command|name)[^\]]*\](?:\.\.\.)?$/i.test(word)) ??
  words.find((word) => /^\[--?[\w-]+$/.test(word)) ??
  words.find((word, index) => /^<[^<>]+>$/.test(word) && words[index - 1] === 'add') ??
  words.slice(1).find((word) => word === '...' || word === '…') ??
  words.find((word) => /^<(?:command(?:OrUrl)?|server-id|command-or-url|program|json)>$/i.test(word)) ??
  words.slice(1).find((word) => word === '--help' || word === '--version')

const editors = /^(?:code|code-insiders|cursor|codium|vscodium|windsurf|code-oss)$/

export interface McpVerb {
  /** Words before `mcp`: `claude`, `gh copilot`, or none for `/mcp add`. */
  readonly program: string
  readonly verb: string
  readonly rest: readonly string[]
}

/** Reads `PROGRAM mcp VERB …` of any application that keeps servers, and `/mcp VERB` of a chat. */
export function mcpVerbOf(words: readonly string[]): McpVerb | undefined {
  if (words[0] === '/add-mcp') return { program: '', verb: 'add', rest: words.slice(1) }
  const at = words.findIndex(
    (word, index) => index < 6 && (word === 'mcp' || (index === 0 && word === '/mcp')) && verbs.test(words[index + 1] ?? ''),
  )
  const verb = words[at + 1]
  const before = words.slice(0, at)
  if (at === -1 || verb === undefined || before.some((word) => (word.startsWith('-') || word.includes('=')) && !leading.test(word)))
    return undefined
  return { program: before.join(' '), verb, rest: words.slice(at + 2) }
}

const verbs =
  /^(?:add|add-json|set|add-from-claude-desktop|install|import|list|ls|get|remove|rm|login|logout|auth|enable|disable|status|tools|inspect)$/

export const isAddMcp = (words: readonly string[]): boolean =>
  editors.test(programOf(words[0] ?? '')) && words.some((word) => /^--add-mcp(?:=|$)/.test(word))

export const flagsOfRun =
  /^(?:-[diPtq]+|--(?:rm|init|privileged|read-only|interactive|tty|detach|publish-all|no-healthcheck|oom-kill-disable|sig-proxy|quiet))$/

/** Reads options and image of `docker run` from the words after `docker`. Returns undefined for another subcommand. */
export function containerOf(args: readonly string[]) {
  if (args[0] !== 'run') return undefined
  const options: string[] = []
  for (let index = 1; index < args.length; index++) {
    const word = args[index] ?? ''
    if (!word.startsWith('-')) return { options, image: word }
    options.push(word)
    if (!flagsOfRun.test(word) && (word.startsWith('--') ? !word.includes('=') : word.length === 2)) index++
  }
  return { options, image: undefined }
}

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
const runnerVerbs = new Set(['run', 'dlx', 'x', 'tool', 'exec', 'start', 'mcp', 'gateway'])
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
      else if (word === '--' && programOf(program) === 'dotnet') break
      else if (!word.startsWith('-') && !runnerVerbs.has(word)) named = word
    }
  return nameOfPackage((named ?? program).replaceAll('\\', '/').replace(/^(jsr|npm):/, '')) || 'server'
}

/** "mcp.linear.app" → "linear". */
export function nameOfUrl(url: URL): string {
  const labels = url.hostname.split('.').filter((label) => !['mcp', 'api', 'www'].includes(label))
  return (/^[\d.]+$|^\[/.test(url.hostname) ? '' : tidy(labels[0] ?? '')) || 'server'
}
