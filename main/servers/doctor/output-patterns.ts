// Patterns in the output of a program that ended, with the diagnosis of each. The texts are those of Node, npm, Python, uv and shells, which
// have no error codes; nowhere else is an error recognised by its text. A diagnosis that is not sure says “may”.
import { isBuiltin } from 'node:module'
import { t } from '#app/i18n/translate.ts'
import type { DiagnosisCode } from '#app/server/doctor.ts'
import { plainText } from '#app/text/ansi-escapes.ts'
import { programName } from '#app/text/format-text.ts'
import { missingInterpreterRule } from './diagnose-launch.ts'
import { type DiagnosisCase, type DiagnosisFinding, finding, quoteLastLine, sentences, wroteSentence } from './diagnosis-input.ts'
import { change, copyInstall, log, readAgain, retry } from './doctor-actions.ts'
import { isError, outputOf, reasonIn } from './exit-reason.ts'
import { programHelp } from './known-launchers.ts'
import { missingVariables } from './missing-variables.ts'
import { packageMissingRule } from './package-missing.ts'

interface Sign {
  readonly pattern: RegExp
  /** Makes the diagnosis. `word`: named group of the pattern that matched; `line`: whole line with it. */
  readonly says: (one: DiagnosisCase, word: string | undefined, line: string) => DiagnosisFinding | undefined
}

const scriptMissing = (one: DiagnosisCase, path: string | undefined): DiagnosisFinding | undefined => {
  const { name, definition, facts } = one
  if (path === undefined || definition.transport !== 'stdio') return undefined
  const file = path.split(/[\\/]/).at(-1) ?? path
  const inQuotes = definition.args.some((arg) => /^(["']).*\1$/.test(arg) && path.endsWith(arg))
  if (inQuotes)
    return finding('script-not-found', [change('args'), retry()], {
      short: t`${file} was not found`,
      message: t`${name} doesn’t start: the file ${path} was not found.`,
      why: t`The argument stands in quotation marks. There is no shell in between, so they count as part of the name.`,
      remedy: t`Take the quotation marks out: each argument is one piece already, also with spaces in it.`,
    })
  // Only a file that an argument names: a module that the server itself misses is another failure.
  if (!definition.args.some((arg) => (arg.split(/[\\/]/).at(-1) ?? '') === file)) return undefined
  return finding('script-not-found', [change('args'), change('cwd'), retry()], {
    short: t`${file} was not found`,
    message: t`${name} doesn’t start: the file ${path} was not found.`,
    why: t`${definition.command} runs, but what it should run is not there.`,
    remedy:
      facts.nearFile === undefined ? t`Correct its path: the whole path is best.` : t`Did you mean ${facts.nearFile}? Correct its path.`,
  })
}

const launcher = (definition: DiagnosisCase['definition']): string =>
  definition.transport === 'stdio' ? definition.command : t`its launcher`

const registryAway = ({ name, definition }: DiagnosisCase, line: string): DiagnosisFinding =>
  finding('registry-unreachable', [retry(), log(), change('args')], {
    short: t`its package cannot be fetched`,
    message: t`${name} doesn’t start: ${launcher(definition)} could not fetch the package.`,
    why: wroteSentence(line),
    remedy: t`Check the network and the proxy, then try again. A package that is installed needs no network.`,
  })

const newerNode = ({ name, facts }: DiagnosisCase, line: string): DiagnosisFinding => {
  const help = programHelp('node', facts.platform)
  return finding('needs-newer-node', [...copyInstall(help), change('command'), log(), retry()], {
    short: t`may need a newer Node`,
    message: t`${name} doesn’t start: its Node.js does not understand the program.`,
    why: t`${wroteSentence(line)} Most often the Node.js that runs it is too old.`,
    remedy: t`Get a newer Node.js, or name one that you have by its whole path. If it is new, the file itself is at fault.`,
  })
}

/** Diagnosis of `sh -c` and of package scripts, where the shell ran and did not find the program. */
const shellFoundNothing = (one: DiagnosisCase, program: string, line: string): DiagnosisFinding => {
  const help = programHelp(program, one.facts.platform)
  return finding('command-not-found', [...copyInstall(help), change('args'), readAgain(one), log(), retry()], {
    short: t`${programName(program)} was not found`,
    message: t`${one.name} doesn’t start: ${launcher(one.definition)} did not find the program ${program}.`,
    why: sentences(wroteSentence(line), help?.comesWith),
    remedy: help?.install ? t`Install it with “${help.install}”, then try again.` : t`Install it, or correct its name.`,
  })
}

/** Diagnosis that quotes the line. `says`: makes the rest of it, given the name of the server. */
const quoting =
  (code: DiagnosisCode, says: (name: string) => Omit<DiagnosisFinding, 'code' | 'why'>): Sign['says'] =>
  ({ name }, _word, line) => ({ code, ...says(name), why: wroteSentence(line) })

/** Place of `missingVariables` among the patterns. */
const variables = 'variables'

/** Patterns in order of certainty; the first that fits counts. */
const signs: readonly (Sign | typeof variables)[] = [
  {
    pattern: /env: (?:can't execute )?['‘"]?(?<program>[^'’":\s]+)['’"]?: No such file or directory/,
    says: (one, word) => missingInterpreterRule(one, word),
  },
  {
    // dash, bash, zsh; cmd.
    pattern:
      /^(?:\S*\/)?\w*sh: (?:line )?(?:\d+: )?(?<program>[^:\s]+): (?:command )?not found$|^zsh:(?:\d+:)? command not found: (?<program2>\S+)$|^'(?<program3>[^']+)' is not recognized as an internal or external command/,
    says: (one, word, line) => shellFoundNothing(one, word ?? '', line),
  },
  { pattern: /: bad interpreter: |required file not found/, says: (one) => missingInterpreterRule(one) },
  {
    pattern: /JavaScript heap out of memory|\bMemoryError\b|Cannot allocate memory|out of memory|OutOfMemoryError/i,
    says: (one, _word, line) => outOfMemoryRule(one, line),
  },
  {
    pattern: /npm (?:ERR!|error) code (?<code>E404|ETARGET|ENOVERSIONS)/,
    says: (one, _word, line) => {
      const spec = npmPackage(one)
      const detail = one.trace.stderr.find((each) => /404 {2}|404 Not Found|No matching version/.test(each))
      return packageMissingRule(one, spec, 'npm', detail ?? line)
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
      return packageMissingRule(one, word, 'python', line)
    },
  },
  {
    pattern: /An executable named `(?<program>[^`]+)` is not provided by package|could not determine executable to run/,
    says: ({ name, definition }, word, line) => {
      const byUv = word !== undefined
      const form = byUv ? 'uvx --from PACKAGE PROGRAM' : 'npx -y -p PACKAGE PROGRAM'
      return finding('program-not-in-package', [change('args'), log(), retry()], {
        short: t`its package has no such program`,
        message: t`${name} doesn’t start: ${launcher(definition)} has the package, but no program of that name is in it.`,
        why: wroteSentence(line),
        remedy: t`Name both, the package and the program in it: ${form}. Its documentation says what the program is called.`,
      })
    },
  },
  {
    // Only the module that `-m` names: one that the program itself misses is another failure.
    pattern: /: No module named '?(?<module>[\w.]+)'?$|: Error while finding module specification for '(?<module2>[\w.]+)'/,
    says: (one, module = '', line) => {
      const asked = definitionArgs(one)
      if (asked[asked.indexOf('-m') + 1] !== module || !asked.includes('-m')) return undefined
      const pip = `${one.definition.transport === 'stdio' ? one.definition.command : 'python'} -m pip install`
      return finding('package-not-found', [change('args'), change('command'), log(), retry()], {
        short: t`${module} is not installed`,
        message: t`${one.name} doesn’t start: this Python has no module ${module}.`,
        why: wroteSentence(line),
        remedy: t`Install its package into this very Python (${pip} …), or name the Python of the environment that has it by its whole path.`,
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
      /Cannot connect to the Docker daemon|failed to connect to the docker API|error during connect: .*docker|docker\.sock: connect:/i,
    says: quoting('docker-not-running', (name) => ({
      short: t`Docker is not running`,
      message: t`${name} doesn’t start: Docker is not running.`,
      remedy: t`Start Docker, then try again.`,
      actions: [retry(), log()],
    })),
  },
  {
    pattern:
      /pull access denied for (?<image>\S+?),|manifest (?:for (?<image2>\S+) )?(?:unknown|not found)|repository (?<image3>\S+) not found/,
    says: (one, word, line) => packageMissingRule(one, word, 'images', line),
  },
  {
    pattern: /EADDRINUSE|[Aa]ddress already in use/,
    says: quoting('port-in-use', (name) => ({
      short: t`its port is taken`,
      message: t`${name} doesn’t start: a port that it wants is in use already.`,
      remedy: t`End the other program (it may be an earlier copy of this server), or give this one another port.`,
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
      /\[ERR_UNKNOWN_BUILTIN_MODULE\]|No such built-in module|EBADENGINE|[Rr]equires? (?:at least )?Node(?:\.?js)? (?:version )?[>=v\d]|[Uu]nsupported engine|[Tt]he engine "node" is incompatible|\bNode(?:\.?js)? (?:version )?v?\d[\w.]*\+? (?:or (?:higher|newer|later|above)|and (?:above|up|newer)|is not supported)|ERR_UNKNOWN_FILE_EXTENSION|bad option: /,
    says: (one, _word, line) => newerNode(one, line),
  },
  {
    // Syntax and globals that an older one does not have.
    pattern:
      /Unexpected (?:token|identifier) '(?:with|assert|\?\?=?|\|\|=|&&=|\?\.|\.)'|ReferenceError: (?:\w+Stream|File|FormData|fetch|Headers|Request|Response|Blob|AbortController|structuredClone|WebSocket|CustomEvent|EventTarget|crypto|navigator) is not defined/,
    says: (one, _word, line) => newerNode(one, line),
  },
  {
    // A module that comes with Node.
    pattern: /Cannot find (?:module|package) '(?<module>[^']+)'/,
    says: (one, word, line) => (isBuiltin(word ?? '') ? newerNode(one, line) : undefined),
  },
  {
    pattern: /^SyntaxError: /,
    says: (one, _word, line) =>
      one.trace.stderr.some((each) => /^Node\.js v\d|\((?:node:)?internal\/modules\//.test(each)) ? newerNode(one, line) : undefined,
  },
  variables,
  {
    pattern: /ModuleNotFoundError: No module named '(?<module>[^']+)'|Cannot find (?:module|package) '(?<module2>[^']+)'|ImportError: /,
    says: ({ name }, module, line) =>
      finding('module-missing', [log(), change('command'), change('args'), retry()], {
        short: module === undefined ? t`a module is missing` : t`${module} is missing`,
        message:
          module === undefined
            ? t`${name} doesn’t start: a module that it uses is not installed.`
            : t`${name} doesn’t start: the module ${module} that it uses is not installed.`,
        why: wroteSentence(line),
        remedy: t`Install what it depends on (such as npm install or pip install in its folder), or check that it runs in the right environment.`,
      }),
  },
  {
    pattern:
      /\b(?:provide|specify|give|pass|expected|missing|needs?)\b[^.]{0,80}\barguments?\b|[Ii]nvalid number of arguments|[Nn]ot enough (?:non-option )?arguments|[Tt]oo few arguments|[Mm]issing (?:required )?(?:argument|option|flag|parameter)s?\b|arguments? (?:are|is) (?:missing|required)|the following arguments are required|\b[Mm]issing (?:required )?[`'"]?--[a-z]|[Uu]nknown command: undefined|[Nn]o (?:sub)?command (?:was )?(?:given|specified|provided)/,
    says: (one, _word, line) => argumentMissing(one, line),
  },
  {
    pattern:
      /unrecognized arguments|unrecognized option|[Uu]nknown option|[Uu]nknown argument|unexpected argument|illegal option|invalid option/,
    says: quoting('wrong-arguments', (name) => ({
      short: t`does not take these arguments`,
      message: t`${name} doesn’t start: it does not take the arguments that it was given.`,
      remedy: t`Compare them with what its documentation says. There is no shell: each argument stands on a line of its own, without quotes.`,
      actions: [change('args'), log(), retry()],
    })),
  },
  {
    // A database or service of the server, on this computer or elsewhere.
    pattern: /\bECONNREFUSED\b|ConnectionRefusedError|[Cc]onnection refused/,
    says: quoting('service-not-running', (name) => ({
      short: t`what it needs does not answer`,
      message: t`${name} doesn’t start: something that it wants to reach is not running.`,
      remedy: t`Start what it connects to (such as its database), or correct the address that it is given.`,
      actions: [change('env'), change('args'), log(), retry()],
    })),
  },
  {
    pattern: /\bEACCES\b|\bEPERM\b|[Pp]ermission denied|PermissionError|Operation not permitted/,
    says: quoting('permission-denied', (name) => ({
      short: t`is not allowed to`,
      message: t`${name} doesn’t start: the system does not let it do something that it wants to.`,
      remedy: t`Allow it for that file or folder, or let the server use another one.`,
      actions: [log(), change('args'), change('env'), retry()],
    })),
  },
]

export function outOfMemoryRule({ name }: DiagnosisCase, line?: string): DiagnosisFinding {
  return finding('out-of-memory', [retry(), log(), change('args'), change('env')], {
    short: t`ran out of memory`,
    message: t`${name} ended: it ran out of memory.`,
    why: line === undefined ? t`The system ends a program so when memory runs short.` : wroteSentence(line),
    remedy: t`Close what needs much memory, or give the server more (for Node.js: --max-old-space-size), then try again.`,
  })
}

const definitionArgs = ({ definition }: DiagnosisCase): readonly string[] => (definition.transport === 'stdio' ? definition.args : [])

function npmPackage({ definition }: DiagnosisCase): string | undefined {
  if (definition.transport !== 'stdio') return undefined
  const { args: words } = definition
  const named = words.findIndex((word) => word === '-p' || word === '--package')
  return named === -1 ? words.find((word) => !word.startsWith('-')) : words[named + 1]
}

/** Diagnosis of a missing argument. `line`: the line that says so; undefined when only the usage was printed. */
function argumentMissing({ name }: DiagnosisCase, line: string | undefined, usage?: string): DiagnosisFinding {
  return finding('argument-required', [change('args'), log(), retry()], {
    short: t`wants another argument`,
    message: t`${name} doesn’t start: it wants another argument.`,
    why: line === undefined ? t`It only wrote how it is used.` : wroteSentence(line),
    remedy:
      usage === undefined || usage === ''
        ? t`Add what its documentation names: a value, or a word such as “run”.`
        : t`Add what it wants: a value, or a word such as “run”. It is used so: ${quoteLastLine(usage)}.`,
  })
}

/** Diagnosis of the first pattern that fits the output; undefined when none does. */
export function readSigns(one: DiagnosisCase): DiagnosisFinding | undefined {
  const output = outputOf(one)
  const reason = reasonIn(output)
  const whole = (line: string): string => (reason?.startsWith(line.trim()) ? reason : line)
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
    const found = sign === variables ? missingVariables(one, output) : fits(sign, output.lines)
    if (found) return found
  }
  if (output.usage !== undefined && !output.lines.some(isError)) return argumentMissing(one, undefined, output.usage)
  // A launcher's warning counts only where nothing else tells more.
  const warning = one.trace.stderr.map(plainText).find((line) => /EBADENGINE|Unsupported engine/.test(line))
  return warning === undefined ? undefined : newerNode(one, warning)
}
