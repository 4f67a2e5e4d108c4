// Programs of Windows itself. Pure, and tested by tables only: no machine of ours runs Windows.
import { win32 } from 'node:path'

type System32Program =
  | 'cmd.exe'
  | 'icacls.exe'
  | 'reg.exe'
  | 'rundll32.exe'
  | 'taskkill.exe'
  | 'whoami.exe'
  | 'WindowsPowerShell\\v1.0\\powershell.exe'

/** Returns the whole path: a bare `cmd.exe` would be looked up in the working folder first. A SystemRoot that is no drive's is ignored. */
export function system32(program: System32Program, env: Readonly<Record<string, string | undefined>> = process.env): string {
  const given = Object.entries(env).find(([name]) => name.toUpperCase() === 'SYSTEMROOT')?.[1] ?? ''
  const root = /^[A-Za-z]:\\[^"%/:*?<>|]+$/.test(given) && !given.includes('..') ? given.replace(/\\+$/, '') : 'C:\\Windows'
  return `${root}\\System32\\${program}`
}

/** Variables that PowerShell needs to find its own parts, and to compile a type. */
const wanted: ReadonlySet<string> = new Set([
  ...['SYSTEMROOT', 'WINDIR', 'SYSTEMDRIVE', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES'],
  ...['PROGRAMFILES(X86)', 'PROGRAMW6432', 'COMSPEC', 'PATHEXT', 'PROCESSOR_ARCHITECTURE'],
])

/**
 * Returns how PowerShell is started: without the person's profile and with a small environment, so that no foreign module is loaded.
 * PowerShell reads no input by itself (`-InputFormat None`), since stdin belongs to the script. The caller must not start it `detached`:
 * without a console it ends before its first line (nodejs/node#51018).
 * @throws {Error} when the script holds a quotation mark (`"`), which two sets of rules would quote.
 */
export function powershell(script: string, env: Readonly<Record<string, string | undefined>> = process.env) {
  if (script.includes('"')) throw new Error('A script for PowerShell must not hold a quotation mark.')
  const file = system32('WindowsPowerShell\\v1.0\\powershell.exe', env)
  const folder = win32.dirname(system32('cmd.exe', env))
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && wanted.has(name.toUpperCase()))
  return {
    file,
    args: ['-NoLogo', '-NoProfile', '-NonInteractive', '-InputFormat', 'None', '-Command', script.trim()],
    options: { cwd: folder, env: { ...(Object.fromEntries(kept) as Record<string, string>), PATH: folder }, windowsHide: true },
  }
}
