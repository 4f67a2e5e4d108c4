// The platform without Electron: the page opens links itself, and there is no picker.

import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import type { SystemNotice } from '#app/chat/system-notification.ts'
import type { ShellSummary } from '#app/contract/snapshot.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { systemClock } from '#main/base/clock.ts'
import { powershell } from '#main/base/powershell.ts'
import type { SecretStore } from '#main/base/secret-store.ts'
import { spend } from '#main/consent/approved.ts'
import type { Platform } from '#main/platform.ts'
import { readRegistry } from '#main/servers/process/environment/windows-variables.ts'
import type { BuiltinLauncher } from '#main/servers/process/server-process.ts'
import { askSystemForProxy } from '#main/servers/transport/http/dispatchers.ts'
import { launchStdio } from '#main/servers/transport/stdio/stdio-process.ts'
import { createSpeaker } from './languages.ts'
import { cliEntry, demoServerEntry } from './program-files.ts'

/** Variables that a Node child needs, and those by which tests control the demo server. No others are passed on. */
const passedOn = ['SystemRoot', 'TEMP', 'TMPDIR', 'LANG', 'NODE_COMPILE_CACHE', 'ASSENT_DEMO_STEP_MS']

/** The servers that ship with Assent, as Node children on this very Node. */
export const launchBuiltin: BuiltinLauncher = (_module, env, care) => {
  const ours = passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]))
  return launchStdio({
    command: process.execPath,
    args: [demoServerEntry],
    env: { ...Object.fromEntries(ours), ...env },
    cwd: dirname(demoServerEntry),
    clock: systemClock,
    ...(care ? { watches: care.watches } : {}),
    ...(care?.grace ? { limits: { grace: care.grace } } : {}),
  })
}

interface NodePlatformOptions {
  readonly kind: 'web' | 'cli'
  readonly secrets: SecretStore
  /** Default: the profile of whoever starts the program. */
  readonly profile?: { readonly dataDir: string; readonly isDefault: boolean }
  /** Default: the page that asked opens it. */
  readonly openUrl?: Platform['openUrl']
  /** Default: nobody is told, since the page or the terminal shows requests. */
  readonly notify?: Platform['notify']
}

const operatingSystem = (): ShellSummary['os'] =>
  process.platform === 'darwin' ? 'mac' : process.platform === 'win32' ? 'windows' : 'linux'

const noPicker = (): Promise<never> =>
  Promise.reject(new HostError('platform.unavailable', t`There is no picker here. Type the path instead.`))

export function createNodePlatform({ kind, secrets, profile, openUrl, notify = () => undefined }: NodePlatformOptions): Platform {
  askSystemForProxy(nodeProxy())
  return {
    shell: {
      kind,
      os: operatingSystem(),
      canChooseFolder: false,
      // A keyring that is opened late may turn out to be none.
      get secrets() {
        return secrets.kind
      },
    },
    secrets,
    commandLine: (command) => [
      process.execPath,
      cliEntry,
      command,
      ...(profile && !profile.isDefault ? ['--data-dir', profile.dataDir] : []),
    ],
    async openUrl(approval) {
      const approved = spend(approval)
      return openUrl ? openUrl(approved) : 'page'
    },
    chooseFolder: noPicker,
    chooseFile: noPicker,
    notify,
    ...(kind === 'web' ? { speak: createSpeaker() } : {}),
    launchBuiltin,
  }
}

/** Shows a notification by the program that the system has for it; on Windows there is none. One that is not there shows nothing. */
export function notifySystem({ title, body }: SystemNotice, os: NodeJS.Platform = process.platform): void {
  const script = `function run([title,body]){const app=Application.currentApplication();app.includeStandardAdditions=true;app.displayNotification(body,{withTitle:title})}`
  const programs: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
    linux: ['notify-send', '--app-name=Assent', '--', title, body],
    darwin: ['/usr/bin/osascript', '-l', 'JavaScript', '-e', script, '--', title, body],
  }
  const [program, ...args] = programs[os] ?? []
  if (program !== undefined) execFile(program, args, { timeout: 10_000 }, () => undefined)
}

// The proxy of the system's settings for the shells without Electron, which asks Chromium: `scutil --proxy` on macOS, the registry on Windows,
// and there PowerShell for what a script (PAC) says; macOS has no program that runs one. Never run on either; tested by recorded outputs.

/** Milliseconds for which an answer holds: people change networks. */
const freshMs = 60_000

/** Returns what answers for a URL; undefined on a system whose proxies stand in the environment. */
export function nodeProxy(
  platform: NodeJS.Platform = process.platform,
  read: () => Promise<string | undefined> = platform === 'win32' ? () => readRegistry('proxy') : readScutil,
  askScript: (origin: string) => Promise<string> = askWindows,
): ((url: string) => Promise<string | undefined>) | undefined {
  const parse = platform === 'win32' ? windowsProxy : platform === 'darwin' ? macProxy : undefined
  if (!parse) return undefined
  let text: Promise<string | undefined> | undefined
  let until = 0
  const answers = new Map<string, Promise<string>>()
  return async (url) => {
    if (performance.now() > until || !text) {
      text = read()
      until = performance.now() + freshMs
      answers.clear()
    }
    const settings = (await text) ?? ''
    if (!/^"AutoConfigURL"=".+"\r?$/m.test(settings)) return parse(settings, new URL(url))
    const { origin } = new URL(url)
    const answer = answers.get(origin) ?? askScript(origin)
    answers.set(origin, answer)
    return proxyInAnswer(await answer, origin)
  }
}

/** .NET runs the script that the settings name. A script for PowerShell, which reads the address from its input. */
const scriptOfSettings = `
$address = [Uri][Console]::In.ReadLine()
[Net.WebRequest]::GetSystemWebProxy().GetProxy($address).AbsoluteUri
`
const askWindows = (origin: string): Promise<string> =>
  new Promise((resolve) => {
    const { file, args, options } = powershell(scriptOfSettings)
    execFile(file, args, { ...options, timeout: 10_000 }, (_error, stdout) => resolve(stdout)).stdin?.end(`${origin}\n`)
  })

/** Reads .NET's answer, which is the address itself where there is no proxy (`IWebProxy.GetProxy`), or nothing. */
function proxyInAnswer(answer: string, origin: string): string | undefined {
  const proxy = URL.parse(answer.trim())
  return proxy && proxy.origin !== origin ? proxy.origin : undefined
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
