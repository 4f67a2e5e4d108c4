// Patterns in the output of a program that ended, with the diagnosis of each. The texts are those of Node, npm, Python, uv and shells, which
// have no error codes; nowhere else is an error recognised by its text. A diagnosis that is not sure says “may”.
import { isBuiltin } from 'node:module'
import { t } from '#app/i18n/translate.ts'
import type { DiagnosisCode } from '#app/server/doctor.ts'
import { plainText } from '#app/text/ansi-escapes.ts'
import { programName } from '#app/text/format-text.ts'
import { howToGet, missingInterpreterRule } from './diagnose-launch.ts'
import {
  change,
  copyInstall,
  type DiagnosisCase,
  type DiagnosisFinding,
  finding,
  log,
  permissions,
  readAgain,
  retry,
  sentences,
  wroteSentence,
} from './diagnosis-input.ts'
import { branch, errno, isError, outputOf, reasonIn } from './exit-reason.ts'
import { packageMissingRule, programHelp } from './known-launchers.ts'
import { missingVariables } from './missing-variables.ts'

interface Sign {
  readonly pattern: RegExp
  /** Makes the diagnosis. `word`: named group of the pattern that matched; `line`: whole line with it. */
  readonly says: (one: DiagnosisCase, word: string | undefined, line: string) => DiagnosisFinding | undefined
}

const scriptMissing = (one: DiagnosisCase, path: string | undefined): DiagnosisFinding | undefined => {
  const { definition, facts } = one
  if (path === undefined || definition.transport !== 'stdio') return undefined
  const file = path.split(/[\\/]/).at(-1) ?? path
  const inQuotes = definition.args.some((arg) => /^(["']).*\1$/.test(arg) && path.endsWith(arg))
  const short = t`${path} was not found`
  if (inQuotes)
    return finding('script-not-found', [change('args'), retry()], {
      short,
      why: t`It runs without a shell.`,
      remedy: t`Take the quotation marks out of the argument.`,
    })
  // Only a file that an argument names: a module that the server itself misses is another failure.
  if (!definition.args.some((arg) => (arg.split(/[\\/]/).at(-1) ?? '') === file)) return undefined
  return finding('script-not-found', [change('args'), change('cwd'), retry()], {
    short,
    remedy: facts.nearFile === undefined ? t`Correct the path.` : t`Did you mean “${facts.nearFile}”?`,
  })
}

const launcher = (definition: DiagnosisCase['definition']): string => (definition.transport === 'stdio' ? definition.command : '')

const registryAway = ({ definition }: DiagnosisCase, line: string): DiagnosisFinding =>
  finding('registry-unreachable', [retry(), log(), change('args')], {
    short: t`${launcher(definition)} could not fetch the package`,
    why: wroteSentence(line),
    remedy: t`Check the network, then try again.`,
  })

const newerNode = ({ facts }: DiagnosisCase, line: string): DiagnosisFinding => {
  const help = programHelp('node', facts.platform)
  return finding('needs-newer-node', [...copyInstall(help), change('command'), log(), retry()], {
    short: t`may need a newer Node.js`,
    why: wroteSentence(line),
    remedy: t`Install a newer Node.js, or name one by its whole path.`,
  })
}

/** Diagnosis of `sh -c` and of package scripts, where the shell ran and did not find the program. */
const shellFoundNothing = (one: DiagnosisCase, program: string, line: string): DiagnosisFinding => {
  const help = programHelp(program, one.facts.platform)
  const isPath = /[\\/]/.test(program)
  return finding('command-not-found', [...copyInstall(help), change('args'), readAgain(), log(), retry()], {
    short: t`${isPath ? program : programName(program)} was not found`,
    why: sentences(wroteSentence(line), help?.comesWith),
    remedy: isPath ? t`Correct the path.` : howToGet(help),
  })
}

/** Diagnosis that quotes the line. */
const quoting =
  (code: DiagnosisCode, says: () => Pick<DiagnosisFinding, 'short' | 'remedy' | 'actions'>): Sign['says'] =>
  (_one, _word, line) => ({ code, ...says(), why: wroteSentence(line) })

/** Place of `missingVariables` among the patterns. */
const variables = 'variables'

/** Patterns in order of certainty; the first that fits counts. */
const signs: readonly (Sign | typeof variables)[] = [
  {
    // Messages of bubblewrap and sandbox-exec. A server can write the same: it must not talk anybody out of its sandbox.
    pattern: /^(?:bwrap|sandbox-exec): \S/,
    says: (_one, _word, line) =>
      finding(/^bwrap: Can't (?!mount proc)/.test(line) ? 'sandbox-grant' : 'sandbox-missing', [permissions(), retry(), log()], {
        short: t`its sandbox cannot be made`,
        why: wroteSentence(line),
        remedy: t`Try again.`,
      }),
  },
  {
    pattern: /env: (?:can't execute )?['‘"]?(?<program>[^'’":\s]+)['’"]?: No such file or directory/,
    says: (one, word) => missingInterpreterRule(one, word),
  },
  {
    // dash, bash, zsh; cmd.
    pattern:
      /^(?:\S*\/)?[\w.-]*sh: (?:exec: )?(?:line )?(?:\d+: )?(?:exec: )?(?<program>[^:\s]+): (?:command )?not found$|^zsh:(?:\d+:)? command not found: (?<program2>\S+)$|^'(?<program3>[^']+)' is not recognized as an internal or external command/,
    says: (one, word, line) => shellFoundNothing(one, word ?? '', line),
  },
  {
    // `uv run`: neither the project nor the PATH has it.
    pattern: /^error: Failed to spawn: `(?<program>[^`]+)`/,
    says: (one, word, line) => shellFoundNothing(one, word ?? '', line),
  },
  {
    // Go, Node, and programs that start others and say so themselves.
    pattern:
      /\bexec: "(?<program>[^"]+)": executable file not found in |\bspawn (?<program2>[\w.-]+) ENOENT\b|[`'"]?\b(?<program3>(?!command|executable|file|program|binary|it\b)[A-Za-z][\w.-]*)[`'"]? (?:CLI |command |executable )?(?:is required but )?(?:was |is |could )?not (?:be )?found(?: in| on|\b.{0,80} in) (?:your |the )?(?:system )?[$%]?PATH\b/,
    says: (one, word, line) => shellFoundNothing(one, word ?? '', line),
  },
  { pattern: /: bad interpreter: |required file not found/, says: (one) => missingInterpreterRule(one) },
  {
    pattern: /JavaScript heap out of memory|\bMemoryError\b|Cannot allocate memory|out of memory|OutOfMemoryError/i,
    says: (_one, _word, line) => outOfMemoryRule(line),
  },
  {
    pattern: /npm (?:ERR!|error) code (?<code>E404|ETARGET|ENOVERSIONS)/,
    says: (one, _word, line) => {
      const spec = npmPackage(one)
      const detail = one.trace.stderr.find((each) => /404 {2}|404 Not Found|No matching version/.test(each))
      // A package that it depends on.
      const [, named = ''] = /(?:No matching version found for |404 +')((?:@[\w.-]+\/)?[^\s'@]+@[^\s']*[^\s'.])/.exec(detail ?? '') ?? []
      const isOther = named !== '' && !named.startsWith(`${spec?.replace(/(.)@[^/]*$/, '$1') ?? ''}@`)
      return packageMissingRule(isOther ? named : spec, 'npm', detail ?? line)
    },
  },
  {
    pattern:
      /npm (?:ERR!|error) (?:code|errno) (?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)/,
    says: (one, _word, line) => registryAway(one, line),
  },
  {
    pattern:
      /No matching distribution found for (?<pack>\S+)|Because (?<pack2>\S+) was not found in the package registry|Because there (?:is|are) no versions? of (?<pack3>\S+)|Package `?(?<pack4>[^`\s]+)`? (?:was )?not found in the (?:package )?registry/,
    says: (one, word, line) => {
      // pip says the same of every package while it cannot reach its index.
      const away = one.trace.stderr.find((each) =>
        /NewConnectionError|Failed to establish a new connection|NameResolutionError|Max retries/.test(each),
      )
      if (away !== undefined) return registryAway(one, away)
      return packageMissingRule(word, 'python', line)
    },
  },
  {
    pattern: /An executable named `(?<program>[^`]+)` is not provided by package|could not determine executable to run/,
    says: (_one, word, line) => {
      const byUv = word !== undefined
      const form = byUv ? 'uvx --from PACKAGE PROGRAM' : 'npx -y -p PACKAGE PROGRAM'
      return finding('program-not-in-package', [change('args'), log(), retry()], {
        short: t`its package has no such program`,
        why: wroteSentence(line),
        remedy: t`Name the package and the program: ${form}.`,
      })
    },
  },
  {
    // Only the module that `-m` names: one that the program itself misses is another failure.
    pattern: /: No module named '?(?<module>[\w.]+)'?$|(?:^|: )Error while finding module specification for '(?<module2>[\w.]+)'/,
    says: (one, module = '', line) => {
      const asked = definitionArgs(one)
      if (asked[asked.indexOf('-m') + 1] !== module || !asked.includes('-m')) return undefined
      const pip = `${one.definition.transport === 'stdio' ? one.definition.command : 'python'} -m pip install`
      return finding('package-not-found', [change('args'), change('command'), log(), retry()], {
        short: t`the module ${module} is missing`,
        why: wroteSentence(line),
        remedy: t`Install its package (${pip} …), or name another Python.`,
      })
    },
  },
  {
    pattern:
      /error sending request for url|Failed to fetch: `|dns error: |Could not connect, are you offline|client error \(Connect\)|Error response from daemon: (?:Get|Head) "https?:/,
    says: (one, _word, line) => registryAway(one, line),
  },
  {
    pattern:
      /Cannot connect to the Docker daemon|Docker (?:Desktop|daemon|Engine) is not running|failed to connect to the docker API|error during connect: .*docker|docker\.sock: connect:/i,
    says: quoting('docker-not-running', () => ({
      short: t`Docker is not running`,
      remedy: t`Start Docker, then try again.`,
      actions: [retry(), log()],
    })),
  },
  {
    pattern:
      /pull access denied for (?<image>\S+?),|manifest (?:for (?<image2>\S+) )?(?:unknown|not found)|repository (?<image3>\S+) not found/,
    says: (_one, word, line) => packageMissingRule(word, 'images', line),
  },
  {
    pattern:
      /EADDRINUSE|AddrInUse|[Aa]ddress (?:already )?in use|conflicts with an existing registration|Only one usage of each socket address|[Pp]ort \d+ (?:is|was) (?:already |currently )?(?:in use|taken|used|occupied)|port is already allocated/,
    says: quoting('port-in-use', () => ({
      short: t`its port is taken`,
      remedy: t`End the other program, or set another port.`,
      actions: [change('args'), change('env'), log(), retry()],
    })),
  },
  {
    // Node, deno, bun; Python; shells.
    pattern:
      /Cannot find module '(?<path>[^']+)'|Module not found "(?<path2>[^"]+)"|can't open file '?(?<path3>[^':]+)'?|(?:sh|bash|zsh): (?:\d+: )?(?:line \d+: )?(?:[Cc]an't open |cannot open )?(?<path4>[^:\s]+): [Nn]o such file|Unable to access jarfile (?<path5>.+)$/,
    says: (one, word) => scriptMissing(one, word),
  },
  {
    // Messages of Node, of npm and yarn, and of programs that check the version themselves.
    pattern:
      /\[ERR_UNKNOWN_BUILTIN_MODULE\]|No such built-in module|EBADENGINE|[Rr]equires? (?:at least )?Node(?:\.?js)? (?:version )?[>=v\d]|[Uu]nsupported engine|[Tt]he engine "node" is incompatible|\bNode(?:\.?js)? (?:version )?v?\d[\w.]*\+? (?:or (?:higher|newer|later|above)|and (?:above|up|newer)|is not supported)|does not support Node(?:\.?js)? v?\d|ERR_UNKNOWN_FILE_EXTENSION|ERR_REQUIRE_ESM|bad option: /,
    says: (one, _word, line) => newerNode(one, line),
  },
  {
    // Syntax and globals that an older one does not have.
    pattern:
      /Unexpected (?:token|identifier) '(?:with|assert|\?\?=?|\|\|=|&&=|\?\.|\.)'|ReferenceError: (?:\w+Stream|File|FormData|fetch|Headers|Request|Response|Blob|AbortController|structuredClone|WebSocket|CustomEvent|EventTarget|crypto|navigator) is not defined/,
    says: (one, _word, line) => newerNode(one, line),
  },
  {
    // Until version 6 `npx` says what it installed, and prints an error without its name.
    pattern: /^Unexpected token '/,
    says: (one, _word, line) => (one.trace.stderr.some((each) => /^npx: installed \d+ in /.test(each)) ? newerNode(one, line) : undefined),
  },
  {
    // A module that comes with Node.
    pattern: /Cannot find (?:module|package) '(?<module>[^']+)'/,
    says: (one, word, line) => (isBuiltin(word ?? '') ? newerNode(one, line) : undefined),
  },
  {
    pattern: /^SyntaxError: /,
    says: (one, _word, line) =>
      one.trace.stderr.some((each) => /^Node\.js v\d|\((?:node:)?internal\/modules\/|[\\/]node_modules[\\/].*:\d+$/.test(each))
        ? newerNode(one, line)
        : undefined,
  },
  variables,
  {
    pattern: /\bNo module named '(?<module>[^']+)'|Cannot find (?:module|package) '(?<module2>[^']+)'|ImportError: /,
    says: (_one, module, line) =>
      finding('module-missing', [log(), change('command'), change('args'), retry()], {
        short: module === undefined ? t`a module is missing` : t`the module ${module} is missing`,
        why: wroteSentence(line),
        remedy: t`Install its dependencies (npm install or pip install).`,
      }),
  },
  {
    pattern:
      /\b(?:provide|specify|give|pass|expected|missing|needs?)\b[^.]{0,80}\barguments?\b|[Ii]nvalid number of arguments|[Nn]ot enough (?:non-option )?arguments|[Tt]oo few arguments|[Mm]issing (?:required )?(?:argument|option|flag|parameter)s?\b|arguments? (?:are|is) (?:missing|required)|the following arguments are required|\b[Mm]issing (?:required )?[`'"]?--[a-z]|[Uu]nknown command: undefined|[Nn]o (?:sub)?command (?:was )?(?:given|specified|provided)|must supply a command|[Ee]xpected input for flag/,
    // A Python call that lacks arguments is a mistake in the program.
    says: (_one, _word, line) => (/TypeError: |[Uu]nknown option/.test(line) ? undefined : argumentMissing(line)),
  },
  {
    pattern:
      /unrecognized (?:command or )?arguments?|unrecognized option|un(?:known|supported) (?:option|argument|flag|switch|transport|command|mode)\b|unexpected argument|illegal option|invalid (?:option|argument\(s\)|--[a-z])|no command registered for|are mutually exclusive/i,
    says: quoting('wrong-arguments', () => ({
      short: t`does not take these arguments`,
      remedy: checkArguments(),
      actions: [change('args'), log(), retry()],
    })),
  },
  { pattern: /[Rr]equired (?:sub)?command was not provided/, says: (_one, _word, line) => argumentMissing(line) },
  {
    // What is required has no name of its own, and the options that would give it are listed.
    pattern: /\b(?:configuration|spec|specification|url|path|file|directory|database|connection string) (?:is|are) required\b/i,
    says: (one, _word, line) => (outputOf(one).lines.some((each) => /(?<![\w-])--[a-z]/.test(each)) ? argumentMissing(line) : undefined),
  },
  {
    pattern: /\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN)\b|\bgaierror\b/,
    says: quoting('host-unknown', () => ({
      short: t`host not found`,
      remedy: t`Check its key, its settings and the network.`,
      actions: [change('env'), change('args'), log(), retry()],
    })),
  },
  {
    // A database or service of the server, on this computer or elsewhere.
    pattern: /\bECONNREFUSED\b|ConnectionRefusedError|[Cc]onnection refused/,
    says: quoting('service-not-running', () => ({
      short: t`its database or service does not answer`,
      remedy: t`Start its database or service, or correct the address.`,
      actions: [change('env'), change('args'), log(), retry()],
    })),
  },
  {
    pattern: /\bEACCES\b|\bEPERM\b|[Pp]ermission denied|PermissionError|Operation not permitted/,
    says: quoting('permission-denied', () => ({
      short: t`permission denied`,
      remedy: t`Change the permissions of the file, or use another one.`,
      actions: [log(), change('args'), change('env'), retry()],
    })),
  },
]

export const outOfMemoryRule = (line?: string): DiagnosisFinding =>
  finding('out-of-memory', [retry(), log(), change('args'), change('env')], {
    short: t`ran out of memory`,
    why: wroteSentence(line),
    remedy: t`Free memory or give the server more, then try again.`,
  })

const checkArguments = (): string => t`Check its arguments against its documentation.`

const definitionArgs = ({ definition }: DiagnosisCase): readonly string[] => (definition.transport === 'stdio' ? definition.args : [])

const definitionEnv = ({ definition }: DiagnosisCase): ReadonlySet<string> =>
  new Set(definition.transport === 'stdio' ? Object.keys(definition.env) : [])

function npmPackage({ definition }: DiagnosisCase): string | undefined {
  if (definition.transport !== 'stdio') return undefined
  const { args: words } = definition
  const named = words.findIndex((word) => word === '-p' || word === '--package')
  return named === -1 ? words.find((word) => !word.startsWith('-')) : words[named + 1]
}

/** Diagnosis of a missing argument. `line`: what says so, or the usage. */
const argumentMissing = (line: string): DiagnosisFinding =>
  finding('argument-required', [change('args'), log(), retry()], {
    short: t`needs another argument`,
    why: wroteSentence(line),
    remedy: checkArguments(),
  })

/** Diagnosis of the first pattern that fits the output; undefined when none does. */
export function readSigns(one: DiagnosisCase): DiagnosisFinding | undefined {
  const output = outputOf(one)
  const reason = reasonIn(output)
  const whole = (line: string): string =>
    reason?.includes(
      line
        .replace(branch, '')
        .trim()
        .replace(/^(?:\[cause\]|Caused by): /, ''),
    )
      ? reason
      : line
  const fits = ({ pattern, says }: Sign, lines: readonly string[]): DiagnosisFinding | undefined => {
    for (const line of lines) {
      const match = pattern.exec(line)
      if (!match) continue
      const word = Object.values(match.groups ?? {}).find((group) => group !== undefined)
      const found = says(one, word, whole(line))
      if (found) return found
    }
    return undefined
  }
  for (const sign of signs) {
    const found = sign === variables ? missingVariables(output, definitionEnv(one)) : fits(sign, output.lines)
    if (found) return found
  }
  if (output.usage !== undefined && !output.lines.some(isError)) return argumentMissing(output.usage)
  // A launcher's warning counts only where nothing else tells more.
  const warnings = one.trace.stderr.map(plainText)
  const engine = warnings.find((line) => /EBADENGINE|Unsupported engine/.test(line))
  if (engine !== undefined) return newerNode(one, engine)
  const others = output.lines.length === 0 ? warnings.filter((line) => errno.test(line)) : []
  for (const sign of signs) {
    const found = sign === variables ? undefined : fits(sign, others)
    if (found) return found
  }
  return undefined
}
