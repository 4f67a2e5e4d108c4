// How Windows' own PowerShell is run: by its whole path, without the person's profile, and with a small environment, so that
// no module of somebody else's is loaded in place of its own. It reads no input by itself (`-InputFormat None`), or it would
// take what is meant for the script. Never `detached`: without a console it ends before its first line (nodejs/node#51018).
// Pure, and tested by a table only: no machine of ours runs Windows.
import { win32 } from 'node:path'

// Programs of Windows itself, by their whole path: a bare `cmd.exe` would be looked for in the folder that we run in and
// on the PATH first, where anybody may have put one. Pure, and tested by a table only: no machine of ours runs Windows.

type System32Program = 'cmd.exe' | 'reg.exe' | 'rundll32.exe' | 'taskkill.exe' | 'WindowsPowerShell\\v1.0\\powershell.exe'

/** A SystemRoot that is no absolute path of a drive is not believed. */
export function system32(program: System32Program, env: Readonly<Record<string, string | undefined>> = process.env): string {
  const given = Object.entries(env).find(([name]) => name.toUpperCase() === 'SYSTEMROOT')?.[1] ?? ''
  const root = /^[A-Za-z]:\\[^"%/:*?<>|]+$/.test(given) && !given.includes('..') ? given.replace(/\\+$/, '') : 'C:\\Windows'
  return `${root}\\System32\\${program}`
}

interface PowershellStart {
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
