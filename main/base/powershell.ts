// How Windows' own PowerShell is run: by its whole path, without the person's profile, and with a small environment, so that
// no module of somebody else's is loaded in place of its own. It reads no input by itself (`-InputFormat None`), or it would
// take what is meant for the script. Never `detached`: without a console it ends before its first line (nodejs/node#51018).
// Pure, and tested by a table only: no machine of ours runs Windows.
import { win32 } from 'node:path'
import { system32 } from './system32.ts'

export interface PowershellStart {
  readonly file: string
  readonly args: string[]
  readonly options: { readonly cwd: string; readonly env: Record<string, string>; readonly windowsHide: true }
}

/** What it needs to find its own parts, and to compile a type. */
const wanted: ReadonlySet<string> = new Set([
  ...['SYSTEMROOT', 'WINDIR', 'SYSTEMDRIVE', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES'],
  ...['PROGRAMFILES(X86)', 'PROGRAMW6432', 'COMSPEC', 'PATHEXT', 'PROCESSOR_ARCHITECTURE'],
])

/** `script` holds no quotation mark (`"`): its quoting on the command line would be by two sets of rules. */
export function powershell(script: string, env: Readonly<Record<string, string | undefined>> = process.env): PowershellStart {
  if (script.includes('"')) throw new Error('A script for PowerShell must not hold a quotation mark.')
  const file = system32('WindowsPowerShell\\v1.0\\powershell.exe', env)
  const folder = win32.dirname(system32('cmd.exe', env))
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && wanted.has(name.toUpperCase()) ? [[name, value]] : [],
  )
  return {
    file,
    args: ['-NoLogo', '-NoProfile', '-NonInteractive', '-InputFormat', 'None', '-Command', script.trim()],
    options: { cwd: folder, env: { ...Object.fromEntries(kept), PATH: folder }, windowsHide: true },
  }
}
