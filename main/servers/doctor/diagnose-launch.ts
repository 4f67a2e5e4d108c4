// Diagnoses of a start that failed before the server ran: its command, its folder, its values.
import { t } from '#app/i18n/translate.ts'
import { editField, pathSource, pathSourceLabel } from '#app/server/doctor.ts'
import { programName } from '#app/text/format-text.ts'
import {
  change,
  commandOf,
  copy,
  copyInstall,
  type DiagnosisCase,
  type DiagnosisFinding,
  type DiagnosisRule,
  editWhere,
  finding,
  listAt,
  log,
  namedValue,
  numberAt,
  permissions,
  readAgain,
  retry,
  sentences,
  textAt,
} from './diagnosis-input.ts'
import { installRosetta, otherProcessor, programHelp } from './known-launchers.ts'

/** Sentence on how to install a program. */
export const howToGet = (help: ReturnType<typeof programHelp>): string =>
  help?.install === undefined
    ? t`Install it, or write its whole path as the command.`
    : t`Install it with “${help.install}”, then try again.`

export const commandNotFoundRule: DiagnosisRule = (one) => {
  const { error, facts } = one
  const { data } = error
  const program = commandOf(one)
  const file = textAt(data, 'file')
  const isPath = /[\\/]/.test(program)
  if (textAt(data, 'there') === 'folder' && isPath)
    return finding('command-is-a-folder', [change('command'), change('cwd')], {
      short: t`${program} is a folder`,
      remedy: t`Correct the path.`,
    })
  if (textAt(data, 'there') === 'file' && file !== undefined) return notExecutableRule(file, facts.platform)
  const first = programOfLine(program)
  if (first !== undefined)
    return finding('command-not-found', [change('command')], {
      short: t`${program} was not found`,
      why: t`It runs without a shell.`,
      remedy: t`Keep only ${first} as the command. Move the rest to the arguments.`,
    })
  if (isPath)
    return finding('wrong-path', [change('command'), retry()], {
      short: t`${program} was not found`,
      remedy: t`Correct the path.`,
    })
  const help = programHelp(program, facts.platform)
  const like = textAt(data, 'didYouMean')
  const source = pathSource.safeParse(textAt(data, 'pathSource')).data
  const actions = [
    ...(like === undefined ? [] : [{ kind: 'use-command', label: t`Use ${like}`, command: like } as const]),
    ...copyInstall(help),
    change('command'),
    // A start-up file of the shell may have changed since the PATH was read.
    ...(source === 'config' ? [] : [readAgain()]),
    retry(),
  ]
  return finding('command-not-found', actions, {
    short: t`${programName(program)} was not found`,
    why: sentences(help?.comesWith, source && t`Not in ${pathSourceLabel(source)}.`),
    remedy: sentences(like && t`Did you mean “${like}”?`, howToGet(help)),
  })
}

/** Returns the first word of a whole command line: it is no path, or an option follows. A path may hold spaces. */
function programOfLine(command: string): string | undefined {
  const [program = '', ...rest] = command.trim().split(/\s+/)
  const isLine = rest.length > 0 && (!/[\\/]/.test(program) || rest.some((word) => word.startsWith('-')))
  return isLine ? program : undefined
}

function notExecutableRule(file: string, platform: NodeJS.Platform): DiagnosisFinding {
  const fix = `chmod +x ${/^[\w./@+-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`}`
  const canBeMade = platform !== 'win32' && !/[\n\r]/.test(file)
  return finding('not-executable', [...(canBeMade ? [copy(fix)] : []), change('command'), retry()], {
    short: t`${file} may not be executed`,
    remedy: t`Use its interpreter as the command, and its path as an argument.`,
  })
}

export const cwdNotFoundRule: DiagnosisRule = ({ error, definition }) => {
  const folder = textAt(error.data, 'cwd') ?? (definition.transport === 'stdio' ? definition.cwd : undefined) ?? ''
  return finding('working-folder-missing', [change('cwd'), retry()], {
    short: textAt(error.data, 'there') === 'file' ? t`${folder} is a file, not a folder` : t`${folder} was not found`,
    remedy: t`Choose another one.`,
  })
}

const nameOfSystem = (system: NodeJS.Platform): string =>
  ({ darwin: 'macOS', win32: 'Windows', linux: 'Linux' })[system as string] ?? system

/** Diagnosis of a program for another computer; undefined when it is for this one, or that cannot be told. */
export function wrongArchitectureRule({ trace, error, facts }: DiagnosisCase): DiagnosisFinding | undefined {
  const { program, platform, arch } = facts
  if (program?.kind !== 'binary') return undefined
  // macOS on ARM runs what is made for Intel, and so does Windows.
  const translated = program.arch === 'x64' && arch === 'arm64' && platform !== 'linux'
  const narrower = program.arch === 'ia32' && arch === 'x64'
  const fits = program.system === platform && (program.arch === undefined || program.arch === arch || translated || narrower)
  if (fits) return undefined
  const file = trace.resolved ?? textAt(error.data, 'command') ?? ''
  return finding('wrong-architecture', [change('command'), retry()], {
    short: t`${file} is for ${nameOfSystem(program.system)} (${program.arch ?? '?'})`,
    remedy: t`Get the build for ${nameOfSystem(platform)} (${arch}).`,
  })
}

/** Diagnosis of macOS' EBADARCH (86), which Node has no name for: the program is for Intel and Rosetta is missing, or for ARM and this is Intel. */
function untranslated({ trace, error, facts }: DiagnosisCase, reason = ''): DiagnosisFinding | undefined {
  if (facts.platform !== 'darwin' || !/-86$/.test(reason)) return undefined
  const onArm = facts.arch === 'arm64'
  return finding('wrong-architecture', [...(onArm ? [copy(installRosetta)] : []), change('command'), retry()], {
    short: t`${trace.resolved ?? textAt(error.data, 'command') ?? ''} is for ${'macOS'} (${otherProcessor[facts.arch] ?? '?'})`,
    remedy: t`Get the build for ${'macOS'} (${facts.arch}).`,
  })
}

export function missingInterpreterRule(one: DiagnosisCase, interpreter?: string): DiagnosisFinding {
  const { trace, facts, error } = one
  const wanted = interpreter ?? (facts.program?.kind === 'script' ? facts.program.interpreter : undefined)
  const program = wanted === undefined ? undefined : programName(wanted)
  const help = program === undefined ? undefined : programHelp(program, facts.platform)
  return finding('missing-interpreter', [...copyInstall(help), change('command'), readAgain(), retry()], {
    short: wanted === undefined ? t`its interpreter is missing` : t`${wanted} was not found`,
    why: sentences(
      t`The first line of ${trace.resolved ?? textAt(error.data, 'command') ?? commandOf(one)} names the program that runs it.`,
      help?.comesWith,
    ),
    remedy: howToGet(help),
  })
}

/** Diagnosis of a text that can be no command line, or none of a batch file on Windows; undefined for any other reason. */
function refusedLine({ error }: DiagnosisCase, reason: string | undefined): DiagnosisFinding | undefined {
  const field = editField.safeParse(textAt(error.data, 'field')).data ?? 'args'
  const argument = numberAt(error.data, 'argument')
  const says = (short: string, remedy: string): DiagnosisFinding =>
    finding('bad-command-line', [change(field), retry()], { short, why: error.message, remedy })
  switch (reason) {
    case 'control-character':
      return says(
        argument === undefined ? t`a line break or NUL in “${field}”` : t`a line break or NUL in argument ${argument}`,
        t`Put the text into a file, and its path into the argument.`,
      )
    case 'batch-name':
      return says(t`the name of its batch file cannot be used`, t`Rename the file.`)
    case 'network-folder':
      return says(t`a batch file cannot run in a network folder`, t`Choose another one.`)
    case 'too-long':
    case 'E2BIG':
    case 'ENAMETOOLONG':
      return says(t`its command line is longer than the system takes`, t`Put the text into a file, and its path into the argument.`)
    default:
      return undefined
  }
}

export const spawnFailedRule: DiagnosisRule = (one) => {
  const { error, trace, facts } = one
  const reason = textAt(error.data, 'reason')
  const command = commandOf(one)
  const refused = refusedLine(one, reason)
  if (refused) return refused
  const other = wrongArchitectureRule(one) ?? untranslated(one, reason)
  if (other) return other
  if (reason === 'EACCES' || reason === 'EPERM') return notExecutableRule(trace.resolved ?? command, facts.platform)
  if (reason === 'ENOENT') return missingInterpreterRule(one)
  const isPassing = reason === 'ETXTBSY' || reason === 'EMFILE'
  return finding('could-not-start', isPassing ? [retry(), change('command')] : [change('command'), retry()], {
    short: t`${command} could not be started`,
    why: error.message,
    remedy:
      reason === 'ETXTBSY' ? t`Try again later.` : reason === 'EMFILE' ? t`Stop some servers, then try again.` : t`Check the command.`,
  })
}

/** Diagnosis of a definition with a field that cannot be used; the data of the error names it. */
export const configInvalidRule: DiagnosisRule = (one) => {
  const { error, definition } = one
  const variable = textAt(error.data, 'variable')
  const reference = textAt(error.data, 'reference')
  const field = editField.safeParse(textAt(error.data, 'field')).data
  const values = change(definition.transport === 'stdio' ? 'env' : 'headers')
  const fix = field === undefined ? editWhere(one) : change(field)
  if (reference !== undefined)
    return finding('unknown-reference', [fix, retry()], {
      short: t`unknown reference ${reference}`,
      why: error.message,
      remedy: t`Use \${input:ID}, \${env:NAME}, \${userHome} or \${workspaceFolder}.`,
    })
  if (variable === undefined)
    return finding('invalid-value', [textAt(error.data, 'name') === 'url' ? change('url') : values, retry()], {
      short: t`a value cannot be used`,
      why: error.message,
      remedy: t`Correct the value.`,
    })
  if (variable.startsWith('workspaceFolder'))
    return finding('variable-missing', [{ kind: 'folders', label: t`Choose a folder` }, fix, retry()], {
      short: t`no folder is set`,
      why: error.message,
      remedy: t`Add the folder in Settings, or write its path.`,
    })
  return finding('variable-missing', [readAgain(), values, retry()], {
    short: t`${variable} is not set`,
    why: error.message,
    remedy: t`Set it in your shell and reload, or write \${input:ID}.`,
  })
}

export const secretMissingRule: DiagnosisRule = ({ error }) => {
  const ids = listAt(error.data, 'ids')
  return finding('secret-missing', [retry()], {
    short: ids.length === 0 ? t`secret missing` : t`secret missing: ${namedValue(ids)}`,
    remedy: t`Enter it on the server's page.`,
    tone: 'warn',
  })
}

/** Diagnosis of a sandbox that allows something which no sandbox can give. */
export const sandboxGrantRule: DiagnosisRule = ({ error }) => {
  const path = textAt(error.data, 'path')
  return finding('sandbox-grant', [change('command'), retry()], {
    short: path === undefined ? t`its sandbox cannot be made` : t`its sandbox cannot allow ${path}`,
    why: error.message,
    remedy: t`Correct “sandbox” in its entry of servers.json.`,
  })
}

/** Diagnosis of a start that needs a sandbox, where the system has none. */
export const sandboxMissingRule: DiagnosisRule = ({ error }) =>
  finding('sandbox-missing', [retry(), change('command')], {
    short: t`no sandbox on this computer`,
    why: error.message,
    remedy: textAt(error.data, 'remedy') || t`Run it without a sandbox.`,
  })

/** A host that an installation was kept from is one for the person to allow. */
export const notInstalledRule: DiagnosisRule = ({ error: { message, data } }) => {
  const refused = listAt(data, 'refused')
  if (refused.length === 0)
    return finding('package-not-installed', [retry(), log(), change('args')], {
      short: t`could not be installed`,
      why: message,
      remedy: t`Check the network, then try again.`,
    })
  return finding('blocked-by-sandbox', [permissions(), retry(), log()], {
    short: t`sandbox blocked: ${namedValue(refused)}`,
    why: message,
    remedy: t`Allow it under Permissions if the server needs it.`,
  })
}
