// The help of the command line, wrapped to the terminal, with options in one column and their meaning in another.
import { t } from '#app/i18n/translate.ts'
import { endpointPresets } from '#app/models/presets.ts'
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

const overview = (): Help => ({
  title: t`Assent, the MCP host that asks first.`,
  usage: ['COMMAND [OPTIONS]'],
  parts: [
    [
      ['serve', t`the app in a browser, on this machine only`],
      ['servers', t`every server: state, protocol, what it offers`],
      ['doctor  [SERVER]', t`why a server does not start, and what mends it`],
      ['tools   [SERVER]', t`the tools that a model would see`],
      ['call    SERVER TOOL [JSON]', t`one call of a tool: asked, checked, recorded`],
      ['read    SERVER URI', t`a resource of a server`],
      ['prompt  SERVER NAME [JSON]', t`a prompt of a server`],
      ['chat    -p TEXT', t`one turn with a model and all tools`],
      ['model   add|list|remove', t`providers of models: a preset, or any address`],
      ['secret  set|list|remove', t`values that servers.json names as \${input:ID}`],
      ['audit', t`the record of what was asked, decided and run`],
      ['export  CONVERSATION|--all', t`chats as JSON or Markdown`],
      ['import  FILE|--from WHAT', t`chats that were exported, or servers of other programs`],
    ],
    [
      ['--config FILE', t`an mcpServers file, in place of the profile's own; without --data-dir the run leaves nothing behind`],
      dataDir(),
      ['--approve WHAT', t`all, none or ask; default: ask on a terminal, else none`],
      json(),
      verbose(),
    ],
    t`assent help COMMAND says more. Exit codes: 0 done, 1 failed, 2 bad usage, 3 refused.`,
  ],
})

const dataDir = (): HelpEntry => ['--data-dir DIR', t`the profile; default: ASSENT_DATA_DIR, else the user's own`]
const json = (): HelpEntry => ['--json', t`JSON on stdout, and nothing else there`]
const verbose = (): HelpEntry => ['--verbose', t`more on stderr`]
const roots = (): HelpEntry => ['--roots DIR[,DIR]', t`folders that a server is told of when it asks and is allowed to`]

const sandbox = (): HelpEntry => [
  '--sandbox on|off',
  t`all local servers run in a sandbox, or none; default: each in one, unless you or its entry say otherwise`,
]

const shared = (): readonly HelpEntry[] => [
  [
    '--approve all|none|ask',
    t`what happens when a tool is to run or a server asks for something; ask: y/N on the terminal. With --config, all also starts the servers of that file unasked, in the sandbox that is suggested, and signs in to them.`,
  ],
  ['--elicit JSON', t`fills in every form that a server asks for`],
  roots(),
  sandbox(),
  ['--config FILE', t`an mcpServers file, in place of the profile's own; without --data-dir a profile is made for this run and removed`],
  ['--data-dir DIR', t`the profile`],
  json(),
  verbose(),
]

/** Help of a command that starts servers. `entries`: its own options. */
const startsServers = (usage: readonly string[], about: string, ...entries: readonly HelpEntry[]): Help => ({
  usage,
  parts: [about, [...entries, ...shared()]],
})

const details: Readonly<Record<CommandName, () => Help>> = {
  serve: () => ({
    usage: ['serve [--port N] [--no-open] [--data-dir DIR] [--config FILE] [--roots DIR[,DIR]] [--sandbox on|off]'],
    parts: [
      t`Runs Assent on 127.0.0.1 and opens it in the browser. The first line on stdout is {"url": "…"}: a link that works once. On a terminal, Enter shows a new one.`,
      [
        ['--port N', t`default: any free port`],
        ['--no-open', t`opens no browser`],
        ['--data-dir DIR', t`the profile`],
        ['--config FILE', t`an mcpServers file, in place of the profile's own`],
        ['--roots DIR[,DIR]', t`folders that a server is told of when it asks and you allow it`],
        sandbox(),
      ],
    ],
  }),
  servers: () =>
    startsServers(
      ['servers [OPTIONS]'],
      t`Starts every enabled server and lists them: state, era, protocol, counts, last error. Exit 0 also when some did not start: each line says so.`,
    ),
  doctor: () =>
    startsServers(
      ['doctor [SERVER] [OPTIONS]'],
      t`Starts SERVER, or every enabled server, and says of each what was tried, step by step, and why it failed: the command as it was found, the PATH and where that is from, the folder, the exit code, its last words, and what to do. Exit 1 when one did not start, 3 when all that did not were refused.`,
    ),
  tools: () =>
    startsServers(
      ['tools [SERVER] [OPTIONS]'],
      t`The tools that a model would see, with the names that it would see. Exit 1 or 3 when SERVER, or without it every server, failed or was refused.`,
    ),
  call: () => ({
    usage: ['call SERVER TOOL [JSON] [OPTIONS]', 'call SERVER --from FILE [OPTIONS]'],
    parts: [
      t`Calls a tool as a model would: you are asked, the call is recorded, the result checked. JSON holds the arguments, {} when left out. Exit 1 also when the tool says that it failed.`,
      { example: `assent call files read_file '{"path": "notes.txt"}' --config servers.json --approve all` },
      [
        [
          '--from FILE',
          t`every call in a file of messages (JSON Lines) that was saved on the server's page, one after the other, each asked about anew. A call with a secret, which was not saved, is left out. Exit 1 or 3 when one was left out, failed or refused.`,
        ],
        ['--timeout SECONDS', t`how long the call may take without a word; default: what the server's entry or the settings say`],
        ['--model ID', t`answers when the server asks your model something; any part of an id that only one model has`],
        ...shared(),
      ],
    ],
  }),
  read: () => ({ usage: ['read SERVER URI [OPTIONS]'], parts: [shared()] }),
  prompt: () => startsServers(['prompt SERVER NAME [JSON] [OPTIONS]'], t`JSON holds the prompt's arguments, as text values.`),
  chat: () =>
    startsServers(
      ['chat -p TEXT [--model ID] [--conversation ID] [OPTIONS]'],
      t`One turn: the model answers, with all tools of all enabled servers. With --json, one event a line, "done" the last. Exit 3 when something that it wanted to do was refused.`,
      ['-p, --prompt TEXT', t`what you say`],
      ['--model ID', t`e.g. anthropic/claude-sonnet-4-5, or any part of it that only one model has; default: that of the settings`],
      ['--conversation ID', t`goes on in a chat, named by its id or its title; "done" of --json names the id`],
    ),
  model: () => ({
    usage: [
      'model add [NAME] --preset PRESET [--key-env VAR] [--set FIELD=VALUE] [OPTIONS]',
      'model add NAME --url URL [--format FORMAT] [--key-env VAR] [OPTIONS]',
      'model list [--json] [--data-dir DIR]',
      'model remove NAME [--data-dir DIR]',
    ],
    parts: [
      t`Providers of models. add asks the address for its models once, then keeps it. The key is read from the variable that --key-env names, or from stdin; it is never an argument, which others on this machine could read.`,
      { example: 'assent model add --preset mistral --key-env MISTRAL_API_KEY' },
      { example: 'assent model add --preset bedrock --set region=eu-central-1 --key-env AWS_ACCESS_KEY_ID' },
      { example: 'assent model add lab --url https://lab.example/v1 < key.txt' },
      t`Presets: ${endpointPresets.map(({ id }) => id).join(', ')}.`,
      [
        ['--key-env VAR', t`the variable's name is kept, its value read at each start: works without a keyring`],
        [
          '--format FORMAT',
          t`openai (default): chat completions; openai-responses: OpenAI's Responses; anthropic: Anthropic's Messages; gemini, bedrock, vertex: of Google and Amazon`,
        ],
        ['--set FIELD=VALUE', t`what a preset needs: resource for azure, region for qwen and bedrock, project and region for vertex`],
        [
          '--header NAME=VALUE',
          t`an extra header of each request; may be repeated. Where NAME looks secret, VALUE is the name of the variable that holds it`,
        ],
        ['--query NAME=VALUE', t`an extra query parameter; may be repeated`],
        ['--unchecked', t`keeps it without asking it for its models`],
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
      t`Values that a file of servers names as \${input:ID}, kept in the system's keyring and never shown. set reads the value from stdin, or asks for it without showing it; it is never an argument, which others on this machine could read.`,
      { example: 'assent secret set github token < token.txt' },
      t`For one run, ASSENT_INPUT_ID in the environment gives the value: ASSENT_INPUT_API_KEY for \${input:api-key}. A run with --config and no --data-dir keeps nothing and reads only that, or asks on the terminal.`,
      [dataDir(), ['--config FILE', t`the servers are of this file, in place of the profile's own`]],
    ],
  }),
  audit: () => ({
    usage: ['audit [--verify [--expect HASH]] [--server NAME] [--since DATE] [--json] [--data-dir DIR]'],
    parts: [
      t`The record, oldest first; with --json one row a line.`,
      [
        [
          '--verify',
          t`checks the whole chain: no row was changed, taken out or moved; exit 1 if so. Also against the hash that the app keeps in the system's keyring, where it can be read`,
        ],
        [
          '--expect HASH',
          t`with --verify: this row has to be in it still. A hash that you noted elsewhere shows what no check inside the file can: that all of it was written anew`,
        ],
        ['--server NAME', t`rows about this server alone`],
        ['--since DATE', t`rows from then on, such as 2026-11-22 or 2026-11-22T09:00`],
        dataDir(),
      ],
    ],
  }),
  export: () => ({
    usage: ['export CONVERSATION|--all [--format json|md] [--out FILE] [--data-dir DIR]'],
    parts: [
      t`A chat, named by its id or its title, or all of them. JSON has all branches, calls, results and attachments, and can be imported; Markdown has the branch that is shown, and names terminal codes. No key and no setting is in either.`,
      [
        ['--all', t`every chat, those in the archive too`],
        ['--format WHAT', t`json (default) or md`],
        ['--out FILE', t`a file that is not there yet; default: stdout`],
        dataDir(),
      ],
    ],
  }),
  import: () => ({
    usage: [
      'import FILE [--json] [--data-dir DIR]',
      'import --from WHAT [--server NAME] [--approve all|none|ask] [--json] [--data-dir DIR]',
    ],
    parts: [
      t`Chats from a file that Assent, Claude or ChatGPT exported: the zip archive as it came, or the JSON in it. What was imported before is not imported again; what is broken is named and left out. Nothing in it is ever run.`,
      t`With --from, servers of another program: all, claude-desktop, claude-code, cursor, vscode, windsurf, cline, zed, goose, lm-studio, continue, codex; or those of a project's folder or of a file. They are listed; on a terminal you are asked before anything is written, elsewhere nothing is, unless --approve says so. What is here already, switched off there, or goes by another's name is left, unless it is the one that --server names. Nothing is started.`,
      { example: 'assent import --from cursor --approve all' },
      [['--server NAME', t`that one alone, under a free name`], ['--json', t`what came of it as one JSON value`], dataDir()],
    ],
  }),
}

export const usageOf = (command?: CommandName): string => helpText((command === undefined ? overview : details[command])())
