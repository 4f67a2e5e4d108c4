// Programs of Windows itself, by their whole path: a bare `cmd.exe` would be looked for in the folder that we run in and
// on the PATH first, where anybody may have put one. Pure, and tested by a table only: no machine of ours runs Windows.

type System32Program = 'cmd.exe' | 'reg.exe' | 'rundll32.exe' | 'taskkill.exe' | 'WindowsPowerShell\\v1.0\\powershell.exe'

/** A SystemRoot that is no absolute path of a drive is not believed. */
export function system32(program: System32Program, env: Readonly<Record<string, string | undefined>> = process.env): string {
  const given = Object.entries(env).find(([name]) => name.toUpperCase() === 'SYSTEMROOT')?.[1] ?? ''
  const root = /^[A-Za-z]:\\[^"%/:*?<>|]+$/.test(given) && !given.includes('..') ? given.replace(/\\+$/, '') : 'C:\\Windows'
  return `${root}\\System32\\${program}`
}
