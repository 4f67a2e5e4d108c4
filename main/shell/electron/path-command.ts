// The command `assent` in terminals, put there and removed by the menu: a file of one line that starts this app, in a folder that is on the
// PATH already, so that no PATH is changed (installers have cut long ones: nsis.sourceforge.io, “Path Manipulation”). The deb has its own.
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, posix, win32 } from 'node:path'
import { promisify } from 'node:util'
import { dialog } from 'electron'
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'
import type { Log } from '#main/base/host-log.ts'
import { lastingProgram } from './start-options.ts'

interface PathPlace {
  readonly os: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The running program. */
  readonly program: string
}

interface PathFile {
  readonly file: string
  readonly text: string
}

/** Stands in the file, so that one of somebody else is left alone. */
const mark = 'Made by the menu of Assent.'

/** Returns the command's file; undefined: this installation has one of its own, or no place for one. */
export function pathFile({ os, env, home, program }: PathPlace): PathFile | undefined {
  if (os === 'darwin') return { file: '/usr/local/bin/assent', text: shellScript(lastingProgram(program)) }
  if (os === 'win32') {
    const local = env['LOCALAPPDATA'] || win32.join(home, 'AppData\\Local')
    return { file: win32.join(local, 'Microsoft\\WindowsApps\\assent.cmd'), text: batchFile(program, local) }
  }
  const image = env['APPIMAGE']
  return image ? { file: posix.join(home, '.local/bin/assent'), text: shellScript(image) } : undefined
}

const shellScript = (program: string): string => `#!/bin/sh\n# ${mark}\nexec '${program.replaceAll("'", "'\\''")}' "$@"\n`

/** cmd.exe reads the file in the code page of the console, which has not every letter of a person's name: the variable has. */
function batchFile(program: string, local: string): string {
  const isBelow = program.toLowerCase().startsWith(`${local.toLowerCase()}\\`)
  const rest = (isBelow ? program.slice(local.length) : program).replaceAll('%', '%%')
  const codePage = /^[\x20-\x7e]*$/.test(rest) ? '' : '@chcp 65001 >nul\r\n'
  return `@rem ${mark}\r\n${codePage}@"${isBelow ? '%LOCALAPPDATA%' : ''}${rest}" %*\r\n`
}

/** Runs AppleScript with arguments. @throws {Error} also when the person cancels */
type RunAppleScript = (script: string, args: readonly string[]) => Promise<unknown>
const runAppleScript: RunAppleScript = (script, args) => promisify(execFile)('/usr/bin/osascript', ['-e', script, ...args])

/** Asks for an administrator's password, in a box of the system: `/usr/local/bin` is root's on a Mac, or not there. */
const asAdministrator = (command: string): string =>
  `on run argv\ndo shell script ${command} with prompt (item 3 of argv) with administrator privileges\nend run`
const [quotedFile, quotedText] = ['quoted form of (item 1 of argv)', 'quoted form of (item 2 of argv)']
const installScript = asAdministrator(
  `"mkdir -p /usr/local/bin && rm -f " & ${quotedFile} & " && printf %s " & ${quotedText} & " > " & ${quotedFile} & " && chmod 755 " & ${quotedFile}`,
)
const removeScript = asAdministrator(`"rm -f " & ${quotedFile}`)

interface PathCommandOptions {
  readonly os: NodeJS.Platform
  readonly log: Log
  /** Told when the file is there or gone. */
  readonly onChange: () => void
  /** Replaced in tests, like `write`. */
  readonly appleScript?: RunAppleScript
  readonly write?: typeof writeAnew
}

function writeAnew(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  rmSync(file, { force: true })
  writeFileSync(file, text, { mode: 0o755 })
}

export type PathCommand = ReturnType<typeof createPathCommand>

export function createPathCommand({ file, text }: PathFile, options: PathCommandOptions) {
  const { os, log, onChange, appleScript = runAppleScript, write = writeAnew } = options
  const found = (): string | undefined => orElse(() => readFileSync(file, 'utf8'), undefined)
  const isInstalled = (): boolean => found()?.includes(mark) === true
  const label = (): string => (isInstalled() ? t`Remove the command “assent”` : t`Install the command “assent”`)

  async function change(installs: boolean, label: string): Promise<void> {
    if (installs && found() !== undefined) throw new Error('EEXIST')
    try {
      if (installs) write(file, text)
      else rmSync(file, { force: true })
    } catch (error) {
      if (os !== 'darwin' || !/^(EACCES|EPERM)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error
      await appleScript(installs ? installScript : removeScript, [file, text, label])
    }
  }
  return {
    label,
    /** Installs the command, or removes it, and says what came of it. */
    async toggle(): Promise<void> {
      const installs = !isInstalled()
      const does = label()
      try {
        await change(installs, does)
        if (installs) await dialog.showMessageBox({ type: 'info', message: t`Saved as ${file}` })
      } catch (error) {
        const { stderr, message } = error as Error & { readonly stderr?: string }
        const reason = stderr?.trim() || message
        log.warn(`The command was not changed: ${reason}`)
        // -128: the person cancelled (AppleScript Language Guide, “Error Numbers”).
        if (!reason.includes('(-128)')) dialog.showErrorBox(does, `${file}: ${reason}`)
      }
      onChange()
    },
  }
}
