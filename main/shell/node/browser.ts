// Opens an address in the person's browser, without a shell in between: the address is one argument of one program.
import { spawn } from 'node:child_process'
import { system32 } from '#main/base/system32.ts'

const programs: Readonly<Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>>> = {
  darwin: ['open'],
  win32: [system32('rundll32.exe'), 'url.dll,FileProtocolHandler'],
}

/** Resolves to whether a program took it. Where there is no display there is no browser to try. */
export async function openInBrowser(url: string, env: Readonly<Record<string, string | undefined>> = process.env): Promise<boolean> {
  if (process.platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY'] && !env['BROWSER']) return false
  const [command, ...args] = programs[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
