// Grants that are suggested for a server whose entry says nothing of a sandbox, each with its reason. A suggestion gives nothing by
// itself: it is shown with the launch, and resolved and refused as any other grant. Pure.

import { programName } from '../../text/format-text.ts'
import type { StdioDefinition } from '../definition.ts'
import { type FetchedPackage, fetchedBy } from '../fetched.ts'
import { anyWebsite, hostsOfAddress, parseHostPattern, patternOf } from './host-pattern.ts'
import type { SandboxSuggestion } from './sandbox-suggestion.ts'
import { isAddressToCall, type PathFacts, pathIn, portNamed, type SuggestedPath, suggestPaths } from './suggest-paths.ts'

// Shipped list of well-known servers: what each reaches and keeps, read from its package (npm) or its source (of PyPI's) in November 2026. Hosts that only
// count its users are left out: a server works without them. A line is a suggestion; the person sees it and decides. Pure.

interface KnownServer {
  /** Names of its packages, several apart by spaces. A star at the end stands for any rest. */
  readonly npm?: string
  readonly pypi?: string
  /** Hosts, apart by spaces. `{NAME=default}`: the value of a variable of the entry's; without it and a default, the host is left out. */
  readonly hosts?: string
  /** Variables and options, apart by spaces, that name another address in place of these hosts. */
  readonly unless?: string
  /** Files and folders, apart by spaces, suggested where they are there. */
  readonly read?: string
  readonly write?: string
  /** Port of the host that a variable names without one. */
  readonly port?: number
  /** Folders with browsers that it starts. */
  readonly browser?: 'playwright' | 'puppeteer'
}

/** Folders of browsers that were installed for a server, by the names that their tools give them. */
const browserFolders: Readonly<Record<'playwright' | 'puppeteer', { readonly parents: readonly string[]; readonly names: RegExp }>> = {
  playwright: {
    parents: ['~/.cache/ms-playwright', '~/Library/Caches/ms-playwright'],
    names: /^(?:chromium|chromium_headless_shell|chrome-for-testing|firefox|webkit|ffmpeg)-\d+$/,
  },
  puppeteer: { parents: ['~/.cache/puppeteer'], names: /^(?:chrome|chrome-headless-shell|firefox)$/ },
}

const google = '*.googleapis.com accounts.google.com'
const aws = '*.amazonaws.com *.api.aws'
const azure = 'login.microsoftonline.com graph.microsoft.com *.azure.com *.azure.net *.windows.net'
const huggingFace = 'huggingface.co *.huggingface.co *.hf.co'

// biome-ignore format: a list reads better in rows
const knownServers: readonly KnownServer[] = [
  // Servers of the protocol's own repository, and its archive
  { npm: '@modelcontextprotocol/server-filesystem' },
  { npm: '@modelcontextprotocol/server-memory' },
  { npm: '@modelcontextprotocol/server-sequential-thinking' },
  { npm: '@modelcontextprotocol/server-everything', hosts: 'raw.githubusercontent.com' },
  { npm: '@modelcontextprotocol/server-github', hosts: 'api.github.com' },
  { npm: '@modelcontextprotocol/server-gitlab', hosts: 'gitlab.com', unless: 'GITLAB_API_URL' },
  { npm: '@modelcontextprotocol/server-slack @zencoderai/slack-mcp-server', hosts: 'slack.com' },
  { npm: '@modelcontextprotocol/server-postgres' },
  { npm: '@modelcontextprotocol/server-redis' },
  { npm: '@modelcontextprotocol/server-puppeteer puppeteer-mcp-server', hosts: anyWebsite, browser: 'puppeteer' },
  { npm: '@modelcontextprotocol/server-brave-search @brave/brave-search-mcp-server', hosts: 'api.search.brave.com' },
  { npm: '@modelcontextprotocol/server-google-maps', hosts: 'maps.googleapis.com' },
  { npm: '@modelcontextprotocol/server-gdrive @isaacphi/mcp-gdrive', hosts: google },
  { npm: '@modelcontextprotocol/server-aws-kb-retrieval', hosts: aws },
  { pypi: 'mcp-server-fetch', hosts: anyWebsite },
  { pypi: 'mcp-server-git' },
  { pypi: 'mcp-server-time' },
  { pypi: 'mcp-server-sqlite', npm: 'mcp-server-sqlite-npx' },
  { pypi: 'mcp-server-sentry', hosts: 'sentry.io' },
  // Browsers, and any website
  { npm: '@playwright/mcp @executeautomation/playwright-mcp-server fetcher-mcp', hosts: anyWebsite, browser: 'playwright' },
  { npm: 'chrome-devtools-mcp', hosts: anyWebsite, browser: 'puppeteer' },
  { npm: '@mcp-get-community/server-curl mcp-fetch-server @tokenizin/mcp-npx-fetch', hosts: anyWebsite },
  { npm: 'mcp-searxng', hosts: anyWebsite },
  { npm: 'duckduckgo-mcp-server', hosts: 'duckduckgo.com *.duckduckgo.com' },
  { pypi: 'duckduckgo-mcp-server', hosts: anyWebsite },
  { pypi: 'markitdown-mcp', hosts: anyWebsite },
  { npm: '@browserbasehq/mcp-server-browserbase', hosts: 'api.browserbase.com *.browserbase.com generativelanguage.googleapis.com' },
  // Search and scraping
  { npm: 'tavily-mcp', pypi: 'mcp-tavily', hosts: 'api.tavily.com' },
  { npm: 'exa-mcp-server', hosts: 'api.exa.ai' },
  { npm: 'firecrawl-mcp', hosts: 'api.firecrawl.dev', unless: 'FIRECRAWL_API_URL' },
  { npm: '@perplexity-ai/mcp-server server-perplexity-ask', hosts: 'api.perplexity.ai', unless: 'PERPLEXITY_BASE_URL' },
  { npm: '@brightdata/mcp', hosts: 'api.brightdata.com brd.superproxy.io:9222' },
  { npm: '@apify/actors-mcp-server', hosts: 'api.apify.com mcp.apify.com docs.apify.com', unless: 'APIFY_API_BASE_URL' },
  { npm: '@openbnb/mcp-server-airbnb', hosts: 'www.airbnb.com photon.komoot.io nominatim.openstreetmap.org' },
  { pypi: 'arxiv-mcp-server', hosts: 'arxiv.org export.arxiv.org api.semanticscholar.org', write: '~/.arxiv-mcp-server' },
  { pypi: 'wikipedia-mcp', npm: 'wikipedia-mcp', hosts: '*.wikipedia.org' },
  { npm: '@kimtaeyoon83/mcp-server-youtube-transcript', hosts: 'www.youtube.com' },
  // Documentation
  { npm: '@upstash/context7-mcp', hosts: 'context7.com', unless: 'CONTEXT7_API_URL' },
  { npm: '@mui/mcp', hosts: 'mui.com chat-backend.mui.com' },
  { npm: '@sveltejs/mcp', hosts: 'svelte.dev mcp.svelte.dev' },
  { npm: '@shopify/dev-mcp', hosts: 'shopify.dev' },
  { npm: 'next-devtools-mcp', hosts: 'nextjs.org localhost:3000' },
  { npm: '@21st-dev/magic', hosts: '21st.dev' },
  { npm: '@eslint/mcp' },
  { pypi: 'mcp-nixos', hosts: 'search.nixos.org nix-community.github.io nix-darwin.github.io www.nixhub.io flakehub.com' },
  // Work: issues, chat, notes, mail
  { npm: '@zereight/mcp-gitlab', hosts: 'gitlab.com', unless: 'GITLAB_API_URL --api-url' },
  { npm: 'slack-mcp-server', hosts: 'slack.com *.slack.com' },
  { npm: '@notionhq/notion-mcp-server', hosts: 'api.notion.com', unless: 'BASE_URL' },
  { npm: 'linear-mcp-server @tacticlaunch/mcp-linear', hosts: 'api.linear.app', write: '~/.config/mcp-linear' },
  { npm: '@mondaydotcomorg/monday-api-mcp', hosts: 'api.monday.com' },
  { npm: '@roychri/mcp-server-asana', hosts: 'app.asana.com' },
  { npm: 'todoist-mcp @doist/todoist-ai', hosts: 'api.todoist.com' },
  { npm: '@twilio-alpha/mcp', hosts: '*.twilio.com' },
  { npm: '@line/line-bot-mcp-server', hosts: 'api.line.me api-data.line.me' },
  { npm: '@aashari/mcp-server-atlassian-jira', hosts: '{ATLASSIAN_SITE_NAME}.atlassian.net' },
  { pypi: 'mcp-atlassian', hosts: 'api.atlassian.com auth.atlassian.com', write: '~/.mcp-atlassian' },
  { npm: 'airtable-mcp-server', hosts: 'api.airtable.com content.airtable.com' },
  { npm: 'figma-developer-mcp', hosts: 'api.figma.com s3-alpha.figma.com figma-alpha-api.s3.us-west-2.amazonaws.com' },
  { npm: 'resend-mcp', hosts: 'api.resend.com' },
  { npm: '@gongrzhe/server-gmail-autoauth-mcp', hosts: google, write: '~/.gmail-mcp' },
  { npm: '@cocal/google-calendar-mcp', hosts: google, read: '~/.config/google-calendar-mcp' },
  { pypi: 'workspace-mcp', hosts: google, write: '~/.google_workspace_mcp' },
  { pypi: 'mcp-google-sheets', hosts: google },
  { pypi: 'mcp-obsidian', hosts: '127.0.0.1:{OBSIDIAN_PORT=27124}', unless: 'OBSIDIAN_HOST', port: 27_124 },
  { npm: 'mcp-obsidian' },
  { npm: '@hubspot/mcp-server', hosts: 'api.hubspot.com', unless: 'BASE_URL_OVERRIDE' },
  { npm: '@stripe/mcp', hosts: 'mcp.stripe.com api.stripe.com' },
  // Databases
  { npm: 'mongodb-mcp-server mcp-mongo-server' },
  { npm: '@benborla29/mcp-server-mysql', pypi: 'mysql-mcp-server', port: 3306 },
  { pypi: 'postgres-mcp' },
  { pypi: 'redis-mcp-server', hosts: '127.0.0.1:6379', unless: 'REDIS_HOST --url' },
  { pypi: 'mcp-clickhouse', port: 8443 },
  { pypi: 'mcp-neo4j-cloud-aura-api', hosts: 'api.neo4j.io' },
  { pypi: 'mcp-neo4j-*', hosts: 'localhost:7687', unless: 'NEO4J_URI NEO4J_URL --db-url' },
  { pypi: 'mcp-server-motherduck', hosts: '*.motherduck.com extensions.duckdb.org' },
  { pypi: 'mcp-server-qdrant', hosts: huggingFace },
  { pypi: 'chroma-mcp', hosts: 'chroma-onnx-models.s3.amazonaws.com', port: 8000 },
  { pypi: 'chroma-mcp', hosts: 'api.trychroma.com', unless: 'CHROMA_HOST --host' },
  { npm: '@elastic/mcp-server-elasticsearch' },
  { npm: '@supabase/mcp-server-supabase', hosts: 'api.supabase.com supabase.com', unless: '--api-url' },
  { npm: '@supabase/mcp-server-postgrest' },
  { npm: '@neondatabase/mcp-server-neon', hosts: 'console.neon.tech *.neon.tech' },
  { npm: '@upstash/mcp-server', hosts: 'api.upstash.com *.upstash.io *.upstash.com' },
  { npm: '@pinecone-database/mcp', hosts: 'api.pinecone.io *.pinecone.io' },
  { pypi: 'dbt-mcp', hosts: '*.dbt.com *.getdbt.com', read: '~/.dbt' },
  { pypi: 'basic-memory', hosts: huggingFace, write: '~/basic-memory ~/.basic-memory' },
  // Clouds and operation
  { npm: '@azure/mcp', hosts: azure, read: '~/.azure' },
  { npm: '@azure-devops/mcp', hosts: 'dev.azure.com *.dev.azure.com login.microsoftonline.com *.visualstudio.com', read: '~/.azure' },
  { pypi: 'awslabs-aws-documentation-mcp-server', hosts: 'docs.aws.amazon.com proxy.search.docs.aws.com api.contentrecs.docs.aws.com docs.amazonaws.cn' },
  { pypi: 'awslabs-*', hosts: aws, read: '~/.aws' },
  { npm: '@google-cloud/gcloud-mcp', hosts: google, read: '~/.config/gcloud' },
  { npm: 'firebase-tools', hosts: `${google} *.firebaseio.com firebase.google.com *.google.com`, read: '~/.config/configstore' },
  { npm: '@cloudflare/mcp-server-cloudflare', hosts: 'api.cloudflare.com dash.cloudflare.com', write: '~/.wrangler' },
  { npm: 'mcp-server-kubernetes kubernetes-mcp-server', pypi: 'kubernetes-mcp-server', read: '~/.kube', unless: 'KUBECONFIG KUBECONFIG_PATH --kubeconfig' },
  { npm: '@heroku/mcp-server', hosts: 'api.heroku.com git.heroku.com' },
  { npm: '@netlify/mcp', hosts: 'api.netlify.com app.netlify.com api.netlifysdk.com' },
  { npm: '@circleci/mcp-server-circleci', hosts: 'circleci.com *.circleci.com', unless: 'CIRCLECI_BASE_URL' },
  { npm: '@digitalocean/mcp', hosts: 'api.digitalocean.com' },
  { npm: '@launchdarkly/mcp-server', hosts: 'app.launchdarkly.com app.launchdarkly.us' },
  { npm: '@sentry/mcp-server', hosts: 'sentry.io *.sentry.io', unless: 'SENTRY_HOST --host', write: '~/.sentry' },
  { npm: '@winor30/mcp-server-datadog', hosts: 'api.{DATADOG_SITE=datadoghq.com}' },
  { pypi: 'mcp-grafana', hosts: 'localhost:3000', unless: 'GRAFANA_URL' },
  { npm: '@postman/postman-mcp-server', hosts: 'api.postman.com gateway.postman.com api.eu.postman.com gateway.eu.postman.com' },
  { npm: 'n8n-mcp', hosts: 'api.n8n.io' },
  { pypi: 'semgrep-mcp', hosts: 'semgrep.dev raw.githubusercontent.com', unless: 'SEMGREP_URL' },
  // Media, models, maps
  { npm: 'replicate-mcp', hosts: 'api.replicate.com' },
  { npm: '@vapi-ai/mcp-server', hosts: 'api.vapi.ai' },
  { npm: '@mapbox/mcp-server', hosts: 'api.mapbox.com', unless: 'MAPBOX_API_ENDPOINT' },
  { npm: '@antv/mcp-server-chart', hosts: 'antv-studio.alipay.com', unless: 'VIS_REQUEST_SERVER' },
  { pypi: 'elevenlabs-mcp', hosts: '*.elevenlabs.io' },
  { pypi: 'minimax-mcp' },
  { pypi: 'excel-mcp-server' },
  { pypi: 'blender-mcp', hosts: 'localhost:{BLENDER_PORT=9876}', unless: 'BLENDER_HOST', port: 9876 },
  { npm: '@mobilenext/mobile-mcp', hosts: 'localhost:5037' },
  { npm: '@cyanheads/git-mcp-server' },
  { npm: 'mcp-remote', write: '~/.mcp-auth' },
]

interface KnownFacts extends PathFacts {
  readonly namesIn: (path: string) => readonly string[]
}

/** Finds a launch in the list: its hosts as patterns, and the files and folders that are there. */
function suggestKnown(
  definition: Pick<StdioDefinition, 'command' | 'args' | 'env'>,
  fetched: FetchedPackage | undefined,
  facts: KnownFacts,
): { readonly hosts: readonly string[]; readonly paths: readonly SuggestedPath[]; readonly port?: number } {
  const rows = rowsOf(definition, fetched)
  const inUse = rows.filter(({ unless }) => !words(unless).some((word) => isSet(word, definition)))
  const there = (list: 'read' | 'write') =>
    inUse.flatMap((row): SuggestedPath[] =>
      words(row[list]).flatMap((text) => {
        const path = pathIn(text, facts.home)
        return path !== undefined && (facts.isFolder(path) || facts.isFile(path)) ? [{ list, path }] : []
      }),
    )
  const hosts = inUse.flatMap((row) => words(row.hosts).flatMap((text) => filled(text, definition.env)))
  const port = rows.find((row) => row.port !== undefined)?.port
  const browsers = rows.flatMap(({ browser }) => (browser === undefined ? [] : browsersOf(browser, facts)))
  return { hosts, paths: [...there('read'), ...there('write'), ...browsers], ...(port === undefined ? {} : { port }) }
}

const words = (text: string | undefined): string[] => text?.split(' ') ?? []

/** Name of a Python package in one spelling: https://packaging.python.org/en/latest/specifications/name-normalization/ */
const pythonName = (name: string): string =>
  name
    .replace(/\[.*/, '')
    .toLowerCase()
    .replaceAll(/[-_.]+/g, '-')

/** Rows of the packages that a launch runs: fetched, installed in a folder, as a module of Python's, or by the name of its program. */
function rowsOf({ command, args }: Pick<StdioDefinition, 'command' | 'args'>, fetched: FetchedPackage | undefined): KnownServer[] {
  const [, installed] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec([command, ...args].join('\n')) ?? []
  const at = args.indexOf('-m')
  const module = /^python[\d.]*$/.test(programName(command)) && at !== -1 ? args[at + 1] : undefined
  const npm = fetched?.kind === 'npm' ? fetched.name : fetched ? undefined : (installed ?? programName(command))
  const pypi = fetched?.kind === 'python' ? fetched.name : fetched ? undefined : (module ?? (installed ? undefined : programName(command)))
  const named = (list: string | undefined, name: string | undefined): boolean => name !== undefined && words(list).includes(name)
  const exact = knownServers.filter((row) => named(row.npm, npm) || (pypi !== undefined && named(row.pypi, pythonName(pypi))))
  if (exact.length > 0 || pypi === undefined) return exact
  return knownServers.filter((row) => words(row.pypi).some((word) => word.endsWith('*') && pythonName(pypi).startsWith(word.slice(0, -1))))
}

const isSet = (word: string, { args, env }: Pick<StdioDefinition, 'args' | 'env'>): boolean =>
  word.startsWith('--') ? args.some((arg) => arg === word || arg.startsWith(`${word}=`)) : (env[word] ?? '') !== ''

/** The host with the values of variables in it; none where one has no value, or the result is no pattern. */
function filled(text: string, env: Readonly<Record<string, string>>): string[] {
  const whole = text.replaceAll(/\{(\w+)(?:=([^}]*))?\}/g, (_, name: string, otherwise = '') => env[name] || otherwise || ' ')
  return /^[\w.:*-]+$/.test(whole) && parseHostPattern(whole) ? [whole] : []
}

function browsersOf(browser: keyof typeof browserFolders, { home, namesIn }: KnownFacts): SuggestedPath[] {
  const { parents, names } = browserFolders[browser]
  return parents.flatMap((parent) => {
    const folder = pathIn(parent, home)
    return folder === undefined
      ? []
      : namesIn(folder).flatMap((name): SuggestedPath[] => (names.test(name) ? [{ list: 'read', path: `${folder}/${name}` }] : []))
  })
}

export interface SuggestionFacts {
  readonly home: string
  readonly isFolder: (path: string) => boolean
  readonly isFile: (path: string) => boolean
  /** Names in a folder; none where it is not there. */
  readonly namesIn: (path: string) => readonly string[]
  /** Hosts of the registries that its package comes from, where it is fetched by the very program that runs. */
  readonly registries?: readonly string[]
}

/** Folders may be written, files read, except those that a server keeps its data in. */
export function suggestGrants(
  definition: Pick<StdioDefinition, 'command' | 'args' | 'env' | 'cwd'>,
  facts: SuggestionFacts,
): readonly SandboxSuggestion[] {
  const found = new Map<string, SandboxSuggestion>()
  const add = (list: SandboxSuggestion['list'], value: string, reason: SandboxSuggestion['reason']): void => {
    if (!found.has(`${list} ${value}`)) found.set(`${list} ${value}`, { list, value, reason })
  }
  const addPaths = (paths: readonly SuggestedPath[], reason: SandboxSuggestion['reason']): void => {
    for (const { list, path } of paths) add(list, path, reason)
  }
  const { args, env } = definition
  const fetched = fetchedBy(definition.command, args)
  const known = suggestKnown(definition, fetched, facts)
  addPaths(suggestPaths.inArguments(definition, facts), 'argument')
  addPaths(suggestPaths.inVariables(definition, facts), 'variable')
  addPaths(known.paths, 'known-server')
  for (const host of hostsInArguments(args)) add('hosts', host, 'url')
  for (const host of hostsInVariables(env, known.port)) add('hosts', host, 'variable')
  for (const host of known.hosts) add('hosts', host, 'known-server')
  for (const host of facts.registries ?? []) add('hosts', host, 'install')
  return [...found.values()]
}

/** Value of `--option=value`, else the text itself. */
const valueIn = (text: string): string => /^--?[\w-]+=(.*)$/s.exec(text)?.[1] ?? text

/** Options that name a host apart from its port. */
const hostOption = /^--?(?:[a-z]+-)*(?:host|hostname)$/i

function hostsInArguments(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const [, option = '', joined] = /^(--?[\w-]+)(?:=(.*))?$/s.exec(arg) ?? []
    if (!hostOption.test(option)) return hostsOfAddress(valueIn(arg))
    const host = joined ?? args[index + 1] ?? ''
    const portName = option.replace(/host(?:name)?$/i, 'port')
    const at = args.findIndex((one) => one === portName || one.startsWith(`${portName}=`))
    const port = Number(/=(\d+)$/.exec(args[at] ?? '')?.[1] ?? args[at + 1])
    // An address of this computer is as often one that the server listens on.
    if (!/\.[a-z-]{2,}$/i.test(host)) return []
    const pattern = patternOf(host, at !== -1 && port > 0 ? port : undefined)
    return pattern === undefined ? [] : [pattern]
  })
}

function hostsInVariables(env: Readonly<Record<string, string>>, knownPort: number | undefined): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (!isAddressToCall(name)) return []
    const byAddress = hostsOfAddress(value)
    if (byAddress.length > 0) return byAddress
    if (!/(?:^|_|PG)(?:HOST|HOSTNAME|SERVER|ENDPOINT)$/i.test(name)) return []
    const [, host = '', digits] = /^([a-z\d.-]+)(?::(\d{1,5}))?$/i.exec(value.trim()) ?? []
    if (!/\.|^localhost$/.test(host) && !/HOST(?:NAME)?$/i.test(name)) return []
    const pattern =
      host === '0.0.0.0' || host === '' ? undefined : patternOf(host, Number(digits ?? portNamed(name, env) ?? knownPort ?? 0))
    return pattern === undefined ? [] : [pattern]
  })
}
