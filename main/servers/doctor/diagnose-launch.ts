// Diagnoses of a start that failed before the server ran: its command, its folder, its values.
import { t } from '#app/i18n/translate.ts'
import { type EditField, editField } from '#app/server/doctor.ts'
import { programName } from '#app/text/format-text.ts'
import {
  commandOf,
  type DiagnosisCase,
  type DiagnosisFinding,
  type DiagnosisRule,
  finding,
  listAt,
  namedValue,
  numberAt,
  sentences,
  textAt,
} from './diagnosis-input.ts'
import { change, copy, copyInstall, edit, editWhere, readAgain, retry } from './doctor-actions.ts'
import { programHelp } from './known-launchers.ts'

const notInPath = (source: string | undefined): string => {
  const owners: Record<string, string> = {
    terminal: t`It isn’t in any folder of the PATH of your terminal.`,
    fallback: t`It isn’t in any folder of the PATH of Assent, nor where programs usually are.`,
    registry: t`It isn’t in any folder of the PATH of Windows.`,
    config: t`It isn’t in any folder of the PATH that servers.json sets for it.`,
  }
  return owners[source ?? ''] ?? t`It isn’t in any folder of your login shell’s PATH.`
}

/** Sentence on how to install a program. `isElse`: it follows the suggestion of another one. */
function howToGet(help: ReturnType<typeof programHelp>, isElse: boolean): string {
  if (help?.install !== undefined)
    return isElse ? t`If not, install it with “${help.install}”, then try again.` : t`Install it with “${help.install}”, then try again.`
  if (help) return isElse ? t`If not, install it from there, then try again.` : t`Install it from there, then try again.`
  return isElse ? t`If not, install it, or write where it is: the whole path.` : t`Install it, or write where it is: the whole path.`
}

export const commandNotFoundRule: DiagnosisRule = (one) => {
  const { name, error, facts } = one
  const { data } = error
  const program = commandOf(one)
  const file = textAt(data, 'file')
  const isPath = /[\\/]/.test(program)
  if (textAt(data, 'there') === 'folder' && isPath)
    return finding('command-is-a-folder', [change('command'), change('cwd')], {
      short: t`its command is a folder`,
      message: t`${name} doesn’t start: ${program} is a folder, not a program.`,
      why: t`A folder cannot be run.`,
      remedy: t`Name the program in it, or make it the folder that the server runs in.`,
    })
  if (textAt(data, 'there') === 'file' && file !== undefined) return notExecutableRule(one, file)
  const first = programOfLine(program)
  if (first !== undefined)
    return finding('command-not-found', [change('command')], {
      short: t`${first} was not found by that name`,
      message: t`${name} doesn’t start: there is no program called “${program}”.`,
      why: t`There is no shell in between: the whole line is taken for the name of a program.`,
      remedy: t`Leave only ${first} as the command, and put the rest into the arguments.`,
    })
  if (isPath)
    return finding('wrong-path', [change('command'), retry()], {
      short: t`${programName(program)} was not found`,
      message: t`${name} doesn’t start: there is no program at ${program}.`,
      why: t`It may have been moved, renamed or removed, or its disk is not connected.`,
      remedy: t`Correct the path.`,
    })
  const help = programHelp(program, facts.platform)
  const like = textAt(data, 'didYouMean')
  const actions = [
    ...(like === undefined ? [] : [{ kind: 'use-command', label: t`Use ${like}`, command: like } as const]),
    ...copyInstall(help),
    change('command'),
    // A start-up file of the shell may have changed since the PATH was read.
    ...(textAt(data, 'pathSource') === 'config' ? [] : [readAgain(one)]),
    retry(),
  ]
  return finding('command-not-found', actions, {
    short: t`${programName(program)} was not found`,
    message: t`${name} doesn’t start: the program ${program} was not found.`,
    why: sentences(help?.comesWith, notInPath(textAt(data, 'pathSource'))),
    remedy: sentences(like && t`Did you mean ${like}?`, howToGet(help, like !== undefined)),
  })
}

/** Returns the first word of a whole command line: it is no path, or an option follows. A path may hold spaces. */
function programOfLine(command: string): string | undefined {
  const [program = '', ...rest] = command.trim().split(/\s+/)
  const isLine = rest.length > 0 && (!/[\\/]/.test(program) || rest.some((word) => word.startsWith('-')))
  return isLine ? program : undefined
}

function notExecutableRule({ name }: DiagnosisCase, file: string): DiagnosisFinding {
  const fix = t`chmod +x ${/^[\w./@+-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`}`
  return finding('not-executable', [...(/[\n\r]/.test(file) ? [] : [copy(fix)]), change('command'), retry()], {
    short: t`may not be executed`,
    message: t`${name} doesn’t start: ${file} may not be executed.`,
    why: t`The file is there, but nobody has said that it is a program.`,
    remedy: t`Make it executable, or name the program that runs it (such as node or python) and put the file into the arguments.`,
  })
}

export const cwdNotFoundRule: DiagnosisRule = ({ name, error, definition }) => {
  const folder = textAt(error.data, 'cwd') ?? (definition.transport === 'stdio' ? definition.cwd : undefined) ?? t`it should run in`
  const isFile = textAt(error.data, 'there') === 'file'
  return finding('working-folder-missing', [change('cwd'), retry()], {
    short: t`its folder was not found`,
    message: isFile ? t`${name} doesn’t start: ${folder} is a file.` : t`${name} doesn’t start: the folder ${folder} was not found.`,
    why: isFile ? t`A server runs in a folder.` : t`It may have been moved or renamed, or its disk is not connected.`,
    remedy: t`Choose another folder, or make this one.`,
  })
}

const nameOfArch = (arch: string | undefined): string =>
  ({ x64: t`Intel and AMD (x64)`, arm64: t`ARM (arm64)`, ia32: t`32-bit Intel` })[arch ?? ''] ?? arch ?? t`another kind of computer`
const nameOfSystem = (system: NodeJS.Platform): string =>
  ({ darwin: 'macOS', win32: t`Windows`, linux: t`Linux` })[system as string] ?? system

/** Diagnosis of a program for another computer; undefined when it is for this one, or that cannot be told. */
export function wrongArchitectureRule({ name, trace, error, facts }: DiagnosisCase): DiagnosisFinding | undefined {
  const { program, platform, arch } = facts
  if (program?.kind !== 'binary') return undefined
  // macOS on ARM runs what is made for Intel, and so does Windows.
  const translated = program.arch === 'x64' && arch === 'arm64' && platform !== 'linux'
  const narrower = program.arch === 'ia32' && arch === 'x64'
  const fits = program.system === platform && (program.arch === undefined || program.arch === arch || translated || narrower)
  if (fits) return undefined
  const made = program.system === platform ? nameOfArch(program.arch) : nameOfSystem(program.system)
  return finding('wrong-architecture', [change('command'), retry()], {
    short: t`is made for another computer`,
    message: t`${name} doesn’t start: ${trace.resolved ?? textAt(error.data, 'command') ?? t`its program`} is made for ${made}.`,
    why: t`This computer runs ${nameOfSystem(platform)} on ${nameOfArch(arch)}.`,
    remedy: t`Get the build for ${nameOfSystem(platform)} on ${arch}.`,
  })
}

export function missingInterpreterRule(one: DiagnosisCase, interpreter?: string): DiagnosisFinding {
  const { name, trace, facts, error } = one
  const wanted = interpreter ?? (facts.program?.kind === 'script' ? facts.program.interpreter : undefined)
  const program = wanted === undefined ? undefined : programName(wanted)
  const help = program === undefined ? undefined : programHelp(program, facts.platform)
  return finding('missing-interpreter', [...copyInstall(help), change('command'), readAgain(one), retry()], {
    short: program === undefined ? t`what runs it is missing` : t`${program} was not found`,
    message: t`${name} doesn’t start: ${trace.resolved ?? textAt(error.data, 'command') ?? t`its command`} needs ${wanted ?? t`another program`}, which was not found.`,
    why: sentences(t`The first line of the file names the program that runs it.`, help?.comesWith),
    remedy: help?.install
      ? t`Install it with “${help.install}”, then try again.`
      : program === undefined
        ? t`Install it, or name a program that is there as the command and put the file into the arguments.`
        : t`Install ${program}, or name a program that is there as the command and put the file into the arguments.`,
  })
}

/** Diagnosis of a text that can be no command line, or none of a batch file on Windows; undefined for any other reason. */
function refusedLine({ name, error }: DiagnosisCase, reason: string | undefined): DiagnosisFinding | undefined {
  const field = editField.safeParse(textAt(error.data, 'field')).data ?? 'args'
  const argument = numberAt(error.data, 'argument')
  const where = argument === undefined ? (partOfLine()[field] ?? t`its command line`) : t`argument ${argument}`
  const says = (message: string, why: string, remedy: string): DiagnosisFinding =>
    finding('bad-command-line', [change(field), retry()], {
      short: t`its command line cannot be one`,
      message: t`${name} doesn’t start: ${message}.`,
      why,
      remedy,
    })
  switch (reason) {
    case 'control-character':
      return says(
        t`${where} holds a line break or a NUL`,
        t`A NUL ends every command line, and behind a line break part of it could go unseen: neither is passed on.`,
        t`Take it out: each argument stands on a line of its own. A longer text goes into a file, and its path into the argument.`,
      )
    case 'batch-name':
      return says(
        t`the name of its batch file holds a quotation mark, or ends in a backslash`,
        t`${error.message} It could not be told from what follows it.`,
        t`Rename the file, or name the program that it starts.`,
      )
    case 'too-long':
    case 'E2BIG':
    case 'ENAMETOOLONG':
      return says(
        t`its command line is longer than the system takes`,
        error.message,
        t`Give it less: put the text into a file, and its path into the argument. On Windows a program itself takes more than its batch file.`,
      )
    default:
      return undefined
  }
}

const partOfLine = (): Partial<Record<EditField, string>> => ({ command: t`its command`, cwd: t`its folder`, env: t`its environment` })

export const spawnFailedRule: DiagnosisRule = (one) => {
  const { name, error, trace } = one
  const reason = textAt(error.data, 'reason')
  const command = commandOf(one)
  const refused = refusedLine(one, reason)
  if (refused) return refused
  const other = wrongArchitectureRule(one)
  if (other) return other
  if (reason === 'EACCES' || reason === 'EPERM') return notExecutableRule(one, trace.resolved ?? command)
  if (reason === 'ENOENT') return missingInterpreterRule(one)
  const isPassing = reason === 'ETXTBSY' || reason === 'EMFILE'
  return finding('could-not-start', isPassing ? [retry(), change('command')] : [change('command'), retry()], {
    short: t`could not be started`,
    message: t`${name} doesn’t start: the system did not run ${command}.`,
    why: error.message,
    remedy:
      reason === 'ETXTBSY'
        ? t`Its file is still being written, by an update perhaps. Wait until that is over, then try again.`
        : reason === 'EMFILE'
          ? t`Stop some servers, then try again.`
          : t`Check the command.`,
  })
}

/** Diagnosis of a definition with a field that cannot be used; the data of the error names it. */
export const configInvalidRule: DiagnosisRule = (one) => {
  const { name, error, definition } = one
  const variable = textAt(error.data, 'variable')
  const reference = textAt(error.data, 'reference')
  const field = editField.safeParse(textAt(error.data, 'field')).data
  const values = change(definition.transport === 'stdio' ? 'env' : 'headers')
  const fix = field === undefined ? editWhere(one) : change(field)
  if (reference !== undefined)
    return finding('unknown-reference', [fix, retry()], {
      short: t`holds what stands for nothing`,
      message: t`${name} doesn’t start: ${reference} stands for nothing there.`,
      why: error.message,
      remedy: t`\${input:ID} stands for a value that is asked for once, \${env:NAME} for a variable of yours (in env, headers and oauth), \${userHome} and \${workspaceFolder} for folders.`,
    })
  if (variable === undefined)
    return finding('invalid-value', [textAt(error.data, 'name') === 'url' ? change('url') : values, retry()], {
      short: t`a value cannot be used`,
      message: t`${name} doesn’t start: a value of it cannot be used.`,
      why: error.message,
      remedy: t`Correct it. Nothing was sent.`,
    })
  if (variable.startsWith('workspaceFolder'))
    return finding('variable-missing', [{ kind: 'folders', label: t`Choose a folder` }, fix, retry()], {
      short: t`no folder is set`,
      message: t`${name} doesn’t start: it needs a folder of yours, and none is set.`,
      why: error.message,
      remedy: t`Add the folder in Settings, or write its path in place of the reference.`,
    })
  return finding('variable-missing', [readAgain(one), values, retry()], {
    short: t`${variable} is not set`,
    message: t`${name} doesn’t start: the variable ${variable} is not set.`,
    why: error.message,
    remedy: t`Set it where your shell does, then have that read again. Or write \${input:ID} in its place: then it is asked for once and kept as a secret.`,
  })
}

export const secretMissingRule: DiagnosisRule = ({ name, error }) => {
  const ids = listAt(error.data, 'ids')
  return finding('secret-missing', [retry()], {
    short: ids.length > 1 ? t`secrets are missing` : t`a secret is missing`,
    message:
      ids.length === 0
        ? t`${name} doesn’t start: a secret is not entered yet.`
        : ids.length === 1
          ? t`${name} doesn’t start: ${namedValue(ids)} is not entered yet.`
          : t`${name} doesn’t start: ${namedValue(ids)} are not entered yet.`,
    why: t`servers.json names what it needs; the value itself is yours to give.`,
    remedy: t`Enter it. The server starts as soon as it is there, and the file never holds it.`,
    tone: 'warn',
  })
}

/** Diagnosis of a sandbox that allows something which no sandbox can give. */
export const sandboxGrantRule: DiagnosisRule = ({ name, error }) => {
  const path = textAt(error.data, 'path')
  return finding('sandbox-grant', [edit(t`Edit`, 'command'), retry()], {
    short: t`its sandbox cannot allow that`,
    message:
      path === undefined
        ? t`${name} doesn’t start: its sandbox cannot be made.`
        : t`${name} doesn’t start: its sandbox cannot allow ${path}.`,
    why: error.message,
    remedy: t`Correct “sandbox” in its entry of servers.json.`,
  })
}

/** Diagnosis of a start that needs a sandbox, where the system has none. */
export const sandboxMissingRule: DiagnosisRule = ({ name, error }) =>
  finding('sandbox-missing', [retry(), edit(t`Edit`, 'command')], {
    short: t`there is no sandbox here`,
    message: t`${name} doesn’t start: it is to run in a sandbox, and this computer has none.`,
    why: error.message,
    remedy: textAt(error.data, 'remedy') || t`Run it without a sandbox: “sandboxEnabled” in its entry says false.`,
  })
