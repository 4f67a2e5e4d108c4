// The proxy of the system's settings for the shells without Electron, which asks Chromium: `scutil --proxy` on macOS, the registry on Windows.
// A script (PAC) is not run. Never run on either; tested by recorded outputs.
import { execFile } from 'node:child_process'
import { readRegistry } from '#main/servers/process/environment/windows-variables.ts'

/** Milliseconds for which an answer holds: people change networks. */
const freshMs = 60_000

/** Returns what answers for a URL; undefined on a system whose proxies stand in the environment. */
export function nodeProxy(
  platform: NodeJS.Platform = process.platform,
  read: () => Promise<string | undefined> = platform === 'win32' ? () => readRegistry('proxy') : readScutil,
): ((url: string) => Promise<string | undefined>) | undefined {
  const parse = platform === 'win32' ? windowsProxy : platform === 'darwin' ? macProxy : undefined
  if (!parse) return undefined
  let text: Promise<string | undefined> | undefined
  let until = 0
  return async (url) => {
    if (performance.now() > until || !text) {
      text = read()
      until = performance.now() + freshMs
    }
    return parse((await text) ?? '', new URL(url))
  }
}

const readScutil = (): Promise<string | undefined> =>
  new Promise((resolve) =>
    execFile('/usr/sbin/scutil', ['--proxy'], { timeout: 3000 }, (error, stdout) => resolve(error ? undefined : stdout)),
  )

/** Reads `reg export` of Internet Settings: `host:port` for all, or `http=host:port;https=host:port`. */
export function windowsProxy(text: string, url: URL): string | undefined {
  const [, own = ''] = text.split(/^\[.*\]\r?$/m)
  const value = (name: string): string => new RegExp(`^"${name}"="(.*)"\\r?$`, 'm').exec(own)?.[1] ?? ''
  if (!/^"ProxyEnable"=dword:00000001\r?$/m.test(own) || isExcepted(url.hostname, value('ProxyOverride').split(';'))) return undefined
  const parts = value('ProxyServer').split(';')
  const scheme = url.protocol.slice(0, -1)
  const named = parts.find((part) => part.startsWith(`${scheme}=`))?.slice(scheme.length + 1)
  return address(named ?? parts.find((part) => part !== '' && !part.includes('=')))
}

/** Reads `scutil --proxy`. */
export function macProxy(text: string, url: URL): string | undefined {
  const value = (name: string): string => new RegExp(`^ +${name} : (.*)$`, 'm').exec(text)?.[1]?.trim() ?? ''
  const kind = url.protocol === 'https:' ? 'HTTPS' : 'HTTP'
  const [, list = ''] = /ExceptionsList : <array> \{([^}]*)\}/.exec(text) ?? []
  const exceptions = [...list.matchAll(/^ +\d+ : (.*)$/gm)].map(([, one = '']) => one.trim())
  if (value('ExcludeSimpleHostnames') === '1') exceptions.push('<local>')
  if (value(`${kind}Enable`) !== '1' || isExcepted(url.hostname, exceptions)) return undefined
  return address(`${value(`${kind}Proxy`)}:${value(`${kind}Port`)}`)
}

const address = (server: string | undefined): string | undefined =>
  server ? (/^[a-z][a-z\d+]*:\/\//i.test(server) ? server : `http://${server}`) : undefined

/** `<local>` is a name without a dot; `*` stands for any text; `169.254/16` for what begins so. */
function isExcepted(host: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    if (pattern === '<local>') return !host.includes('.')
    if (/^[\d.]+\/(8|16|24)$/.test(pattern)) return host.startsWith(`${pattern.split('/')[0]}.`)
    const literal = pattern
      .trim()
      .split('*')
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
    return pattern.trim() !== '' && new RegExp(`^${literal.join('.*')}$`, 'i').test(host)
  })
}
