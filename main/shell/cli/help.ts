// The help of the command line, wrapped to the terminal, with options in one column and their meaning in another.

import { formatList } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { endpointFormats, endpointPresets } from '#app/models/presets.ts'
import { hostId } from '#app/server/import/app-names.ts'
import type { CommandName } from './command-line.ts'

type HelpEntry = readonly [typed: string, means: string]

interface Help {
  readonly title?: string
  /** Each after the name of the program. */
  readonly usage: readonly string[]
  readonly parts: readonly (string | readonly HelpEntry[] | { readonly example: string })[]
}

const WIDTH = 92
/** Columns of the text to type; a longer one has its own line. */
const WIDEST = 26

/** Wraps a text; a word that is wider than the line is not broken. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

function entryLines(entries: readonly HelpEntry[]): string[] {
  const column = Math.min(WIDEST, Math.max(...entries.map(([typed]) => typed.length))) + 4
  return entries.flatMap(([typed, means]) => {
    const lines = wrapped(means, WIDTH - column).map((line) => ' '.repeat(column) + line)
    const head = `  ${typed}`
    if (head.length + 2 > column) return [head, ...lines]
    return [head.padEnd(column) + (lines[0] ?? '').trimStart(), ...lines.slice(1)]
  })
}

function partLines(part: Help['parts'][number]): string[] {
  if (typeof part === 'string') return wrapped(part, WIDTH)
  return 'example' in part ? [`  ${part.example}`] : entryLines(part)
}

/** Ends with a line break. */
export function helpText({ title, usage, parts }: Help): string {
  const head = t`usage:`
  const usages = usage.flatMap((line, index) => {
    const begin = `${index === 0 ? head : ' '.repeat(head.length)} assent`
    return wrapped(line, WIDTH - begin.length - 1).map((piece, at) => `${at === 0 ? begin : ' '.repeat(begin.length)} ${piece}`)
  })
  return `${[...(title === undefined ? [] : [[title]]), usages, ...parts.map(partLines)].map((lines) => lines.join('\n')).join('\n\n')}\n`
}

/** Lines that tell what each command does. */
const abouts = (): Readonly<Record<CommandName, string>> => ({
  serve: t`opens the app in a browser on this computer`,
  servers: t`lists servers: state, protocol, counts`,
  doctor: t`explains why a server does not start, and how to fix it`,
  tools: t`lists the tools that a model would see`,
  call: t`calls a tool of a server`,
  read: t`reads a resource of a server`,
  prompt: t`gets a prompt of a server`,
  chat: t`runs one turn with a model and all tools`,
  model: t`manages providers of models`,
  secret: t`manages the values of \${input:ID} in servers.json`,
  mcp: t`offers your servers to an agent, over stdio`,
  audit: t`prints the audit log`,
  export: t`exports chats as JSON or Markdown`,
  import: t`imports chats, or servers of other apps`,
})

const overview = (): Help => {
  const about = abouts()
  return {
    title: t`Assent, the MCP host that asks first.`,
    usage: ['COMMAND [OPTIONS]'],
    parts: [
      [
        ['serve', about.serve],
        ['servers', about.servers],
        ['doctor  [SERVER]', about.doctor],
        ['tools   [SERVER]', about.tools],
        ['call    SERVER TOOL [JSON]', about.call],
        ['read    SERVER URI', about.read],
        ['prompt  SERVER NAME [JSON]', about.prompt],
        ['chat    -p TEXT', about.chat],
        ['model   add|list|remove', about.model],
        ['secret  set|list|remove', about.secret],
        ['mcp', about.mcp],
        ['audit', about.audit],
        ['export  CONVERSATION|--all', about.export],
        ['import  FILE|--from WHAT', about.import],
      ],
      [config(), dataDir(), approve(), json(), verbose()],
      t`assent help COMMAND says more. Exit codes: 0 done, 1 failed, 2 bad usage, 3 refused.`,
    ],
  }
}

const config = (): HelpEntry => ['--config FILE', t`uses only the servers of this file; without --data-dir nothing is kept`]
const dataDir = (): HelpEntry => ['--data-dir DIR', t`data folder; default: ASSENT_DATA_DIR, else your own`]
const approve = (): HelpEntry => [
  '--approve all|none|ask',
  t`answers requests: all allows, none denies, ask asks here. With --config, all also starts its servers`,
]
const json = (): HelpEntry => ['--json', t`JSON on stdout, one value a line`]
const verbose = (): HelpEntry => ['--verbose', t`writes details to stderr`]
const roots = (): HelpEntry => ['--roots DIR[,DIR]', t`folders to share with servers`]
const sandbox = (): HelpEntry => ['--sandbox on|off', t`starts local servers in a sandbox or not; default: as approved, else on`]

const shared = (): readonly HelpEntry[] => [
  approve(),
  ['--elicit JSON', t`fills in every form that a server asks for`],
  roots(),
  sandbox(),
  config(),
  dataDir(),
  json(),
  verbose(),
]

/** Help of a command that starts servers. `entries`: its own options. */
const startsServers = (usage: readonly string[], ...entries: readonly HelpEntry[]): Help => ({ usage, parts: [[...entries, ...shared()]] })

const details: Readonly<Record<CommandName, () => Help>> = {
  serve: () => ({
    usage: ['serve [--port N] [--no-open] [--data-dir DIR] [--config FILE] [--roots DIR[,DIR]] [--sandbox on|off]'],
    parts: [
      t`The first line on stdout is {"url": "…"}: a link that works once. Enter shows a new one.`,
      [['--port N', t`default: any free port`], dataDir(), config(), roots(), sandbox()],
    ],
  }),
  servers: () => startsServers(['servers [OPTIONS]']),
  doctor: () => startsServers(['doctor [SERVER] [OPTIONS]']),
  tools: () => startsServers(['tools [SERVER] [OPTIONS]']),
  call: () => ({
    usage: ['call SERVER TOOL [JSON] [OPTIONS]', 'call SERVER --from FILE [OPTIONS]'],
    parts: [
      { example: `assent call files read_file '{"path": "notes.txt"}' --config servers.json --approve all` },
      [
        ['--from FILE', t`repeats the calls in messages that were saved on a server's page`],
        ['--timeout SECONDS', t`ends a call without progress; default: from the server's entry or the settings`],
        model(),
        ...shared(),
      ],
    ],
  }),
  read: () => startsServers(['read SERVER URI [OPTIONS]']),
  prompt: () => startsServers(['prompt SERVER NAME [JSON] [OPTIONS]']),
  chat: () =>
    startsServers(['chat -p|--prompt TEXT [--model ID] [--conversation ID|--assistant NAME] [OPTIONS]'], model(), [
      '--conversation ID',
      t`continues a chat, by its id or title`,
    ]),
  model: () => ({
    usage: [
      'model add [NAME] --preset PRESET [--key-env VAR] [--set FIELD=VALUE] [OPTIONS]',
      'model add NAME --url URL [--format FORMAT] [--key-env VAR] [--query NAME=VALUE] [OPTIONS]',
      'model list [--json] [--data-dir DIR]',
      'model remove NAME [--data-dir DIR]',
    ],
    parts: [
      t`The key is read from --key-env or stdin, never from an argument.`,
      { example: 'assent model add --preset mistral --key-env MISTRAL_API_KEY' },
      { example: 'assent model add --preset bedrock --set region=eu-central-1 --key-env AWS_ACCESS_KEY_ID' },
      { example: 'assent model add lab --url https://lab.example/v1 < key.txt' },
      t`Presets: ${endpointPresets.map(({ id }) => id).join(', ')}.`,
      [
        ['--key-env VAR', t`the variable that holds the key at each start`],
        ['--format FORMAT', t`protocol; default: openai. One of ${formatList(endpointFormats)}`],
        ['--set FIELD=VALUE', t`what a preset needs: resource (azure), region, project (vertex)`],
        ['--header NAME=VALUE', t`an extra header; for a secret one, VALUE is the name of its variable`],
        ['--unchecked', t`saves it without asking for its models`],
        json(),
        dataDir(),
      ],
    ],
  }),
  secret: () => ({
    usage: [
      'secret set SERVER ID [--data-dir DIR] [--config FILE]',
      'secret list [--json] [--data-dir DIR] [--config FILE]',
      'secret remove SERVER ID [--data-dir DIR] [--config FILE]',
    ],
    parts: [
      t`Values are kept in the system's keyring. set reads one from stdin, or asks on the terminal.`,
      { example: 'assent secret set github token < token.txt' },
      t`For one run: ASSENT_INPUT_API_KEY in the environment for \${input:api-key}.`,
      [dataDir(), config()],
    ],
  }),
  mcp: () => ({
    usage: ['mcp [--status [--json]] [--data-dir DIR]'],
    parts: [[['--status', t`only says which agents are connected`]]],
  }),
  audit: () => ({
    usage: ['audit [--verify [--expect HASH]] [--server NAME] [--agent NAME] [--since DATE] [--json] [--data-dir DIR]'],
    parts: [
      [
        ['--verify', t`checks the hash chain, also against the hash in the keyring`],
        ['--expect HASH', t`with --verify: fails if no row has this hash`],
        ['--since DATE', t`only rows from then on, such as 2026-11-22T09:00`],
        dataDir(),
      ],
    ],
  }),
  export: () => ({
    usage: ['export CONVERSATION|--all [--format json|md] [--out FILE] [--data-dir DIR]'],
    parts: [[['--out FILE', t`a new file; default: stdout`], dataDir()]],
  }),
  import: () => ({
    usage: [
      'import FILE [--json] [--data-dir DIR]',
      'import --from WHAT|- [--server NAME] [--approve all|none|ask] [--dry-run] [--json] [--data-dir DIR]',
    ],
    parts: [
      t`FILE: an export of Assent, Claude or ChatGPT, zip or JSON.`,
      t`WHAT: a folder, a file, - for stdin, or all, ${hostId.options.filter((id) => id !== 'other').join(', ')}. Nothing is started.`,
      { example: 'assent import --from cursor --approve all' },
      [['--dry-run', t`only print what was read`], json(), dataDir()],
    ],
  }),
}

const model = (): HelpEntry => ['--model ID', t`such as anthropic/claude-sonnet-4-5, or a unique part of it`]

export function usageOf(command?: CommandName): string {
  if (command === undefined) return helpText(overview())
  return helpText({ title: `assent ${command}: ${abouts()[command]}`, ...details[command]() })
}
