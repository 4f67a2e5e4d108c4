import type { CommandName } from './command-line.ts'

const overview = `Assent, the MCP host that asks first.

usage: assent COMMAND [OPTIONS]

  serve                        the app in a browser, on this machine only
  servers                      every server: state, protocol, what it offers
  doctor  [SERVER]             why a server does not start, and what mends it
  tools   [SERVER]             the tools that a model would see
  call    SERVER TOOL [JSON]   one call of a tool: asked, checked, recorded
  read    SERVER URI           a resource of a server
  prompt  SERVER NAME [JSON]   a prompt of a server
  chat    -p TEXT              one turn with a model and all tools
  secret  set|list|remove      values that servers.json names as \${input:ID}
  audit                        the record of what was asked, decided and run
  export  CONVERSATION|--all   chats as JSON or Markdown
  import  FILE|--from WHAT     chats that were exported, or servers of other programs

  --config FILE    an mcpServers file, in place of the profile's own; without
                   --data-dir the run leaves nothing behind
  --data-dir DIR   the profile; default: ASSENT_DATA_DIR, else the user's own
  --approve WHAT   all, none or ask; default: ask on a terminal, else none
  --json           JSON on stdout, and nothing else there
  --verbose        more on stderr

assent help COMMAND says more. Exit codes: 0 done, 1 failed, 2 bad usage, 3 refused.
`

const approveText = `  --approve all|none|ask   what happens when a tool is to run or a server asks for
                           something; ask: y/N on the terminal. With --config, all
                           also starts the servers of that file unasked, and
                           signs in to them.
  --elicit JSON            fills in every form that a server asks for
  --roots DIR[,DIR]        folders that a server is told of when it asks and is allowed to
`
const shared = `  --config FILE            an mcpServers file, in place of the profile's own; without
                           --data-dir a profile is made for this run and removed
  --data-dir DIR           the profile
  --json                   JSON on stdout, and nothing else there
  --verbose                more on stderr
`

const details: Readonly<Record<CommandName, string>> = {
  serve: `usage: assent serve [--port N] [--no-open] [--data-dir DIR] [--config FILE]
                    [--roots DIR[,DIR]]

Runs Assent on 127.0.0.1 and opens it in the browser. The first line on stdout is
{"url": "…"}: a link that works once. On a terminal, Enter shows a new one.

  --port N         default: any free port
  --no-open        opens no browser
  --data-dir DIR   the profile
  --config FILE    an mcpServers file, in place of the profile's own
  --roots DIR[,DIR]  folders that a server is told of when it asks and you allow it
`,
  servers: `usage: assent servers [OPTIONS]

Starts every enabled server and lists them: state, era, protocol, counts, last error.
Exit 0 also when some did not start: each line says so.

${approveText}${shared}`,
  doctor: `usage: assent doctor [SERVER] [OPTIONS]

Starts SERVER, or every enabled server, and says of each what was tried, step by step, and
why it failed: the command as it was found, the PATH and where that is from, the folder,
the exit code, its last words, and what to do. Exit 1 when one did not start, 3 when all
that did not were refused.

${approveText}${shared}`,
  tools: `usage: assent tools [SERVER] [OPTIONS]

The tools that a model would see, with the names that it would see. Exit 1 or 3 when
SERVER, or without it every server, failed or was refused.

${approveText}${shared}`,
  call: `usage: assent call SERVER TOOL [JSON] [OPTIONS]
       assent call SERVER --from FILE [OPTIONS]

Calls a tool as a model would: you are asked, the call is recorded, the result checked.
JSON holds the arguments, {} when left out. Exit 1 also when the tool says that it failed.

  assent call files read_file '{"path": "notes.txt"}' --config servers.json --approve all

  --from FILE              every call in a file of messages (JSON Lines) that was saved on
                           the server's page, one after the other, each asked about
                           anew. A call with a secret, which was not saved, is left
                           out. Exit 1 or 3 when one was left out, failed or refused.
  --model ID               answers when the server asks your model something
${approveText}${shared}`,
  read: `usage: assent read SERVER URI [OPTIONS]

${approveText}${shared}`,
  prompt: `usage: assent prompt SERVER NAME [JSON] [OPTIONS]

JSON holds the prompt's arguments, as text values.

${approveText}${shared}`,
  chat: `usage: assent chat -p TEXT [--model ID] [OPTIONS]

One turn: the model answers, with all tools of all enabled servers. With --json, one event
a line, "done" the last. Exit 3 when something that it wanted to do was refused.

  -p, --prompt TEXT        what you say
  --model ID               e.g. anthropic/claude-sonnet-4-5; default: that of the settings
${approveText}${shared}`,
  secret: `usage: assent secret set SERVER ID [--data-dir DIR] [--config FILE]
       assent secret list [--json] [--data-dir DIR] [--config FILE]
       assent secret remove SERVER ID [--data-dir DIR] [--config FILE]

Values that a file of servers names as \${input:ID}, kept in the system's keyring and
never shown. set reads the value from stdin, or asks for it without showing it; it is
never an argument, which others on this machine could read.

  assent secret set github token < token.txt

For one run, ASSENT_INPUT_ID in the environment gives the value: ASSENT_INPUT_API_KEY
for \${input:api-key}. A run with --config and no --data-dir keeps nothing and reads
only that, or asks on the terminal.

  --data-dir DIR   the profile; default: ASSENT_DATA_DIR, else the user's own
  --config FILE    the servers are of this file, in place of the profile's own
`,
  audit: `usage: assent audit [--verify [--expect HASH]] [--server NAME] [--since DATE] [--json] [--data-dir DIR]

The record, oldest first; with --json one row a line.

  --verify         checks the whole chain: no row was changed, taken out or moved; exit 1 if so.
                   Also against the hash that the app keeps in the system's keyring, where it can be read
  --expect HASH    with --verify: this row has to be in it still. A hash that you noted elsewhere
                   shows what no check inside the file can: that all of it was written anew
  --server NAME    rows about this server alone
  --since DATE     rows from then on, such as 2026-11-22 or 2026-11-22T09:00
  --data-dir DIR   the profile; default: ASSENT_DATA_DIR, else the user's own
`,
  export: `usage: assent export CONVERSATION|--all [--format json|md] [--out FILE] [--data-dir DIR]

A chat, named by its id or its title, or all of them. JSON has all branches, calls, results
and attachments, and can be imported; Markdown has the branch that is shown. No key and no
setting is in either.

  --all            every chat, those in the archive too
  --format WHAT    json (default) or md
  --out FILE       a file that is not there yet; default: stdout
  --data-dir DIR   the profile; default: ASSENT_DATA_DIR, else the user's own
`,
  import: `usage: assent import FILE [--json] [--data-dir DIR]
       assent import --from WHAT [--server NAME] [--approve all|none|ask] [--json] [--data-dir DIR]

Chats from a file that Assent, Claude or ChatGPT exported: the zip archive as it came, or
the JSON in it. What was imported before is not imported again; what is broken is named
and left out. Nothing in it is ever run.

With --from, servers of another program: all, claude-desktop, claude-code, cursor, vscode,
windsurf, cline, zed, goose, lm-studio, continue, codex; or those of a project's folder or of
a file. They are listed; on a terminal you are asked before anything is written, elsewhere
nothing is, unless --approve says so. What is here already, switched off there, or goes by
another's name is left, unless it is the one that --server names. Nothing is started.

  assent import --from cursor --approve all

  --server NAME    that one alone, under a free name
  --json           what came of it as one JSON value
  --data-dir DIR   the profile; default: ASSENT_DATA_DIR, else the user's own
`,
}

export const usageOf = (command?: CommandName): string => (command === undefined ? overview : details[command])
