// What an engine of the sandbox makes of a prepared launch.

import { lstatSync } from 'node:fs'
import { orElse } from '#app/or-else.ts'
import { parseHostPattern } from '#app/server/sandbox/host-pattern.ts'
import type { SandboxGrants } from '#app/server/sandbox/sandbox-settings.ts'
import type { PreparedLaunch } from '#main/servers/process/environment/environment.ts'
import type { StartView } from './attempts/check-path.ts'
import type { Resolve } from './proxy/decide-host.ts'
import type { FindParent, HostAttempt, HostProxy } from './proxy/host-proxy.ts'
import type { SandboxPlace } from './resolve-grants.ts'

/** A launch in its sandbox: what is started in place of the server. */
export interface ConfinedLaunch {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Whether what is started goes on around the server, as bubblewrap does. Seatbelt becomes the server. */
  readonly wraps: boolean
  /** Environment of what is started, and what is written to its descriptors from 3 on. The tag gets to the server by one of them. */
  readonly tagged: (tag: string) => { readonly env: Readonly<Record<string, string>>; readonly input: readonly Buffer[] }
  /** Changes what the running server may reach. */
  readonly proxy: Pick<HostProxy, 'allow' | 'deny' | 'watchOpen'>
  /** File system as the server sees it, and the paths that are denied whatever is granted. */
  readonly view: StartView & Pick<SandboxGrants, 'denyRead' | 'denyWrite'>
  /** Closes the proxy and removes what was made for this start. May be called twice. */
  readonly dispose: () => void
}

export interface ConfineRequest {
  readonly server: string
  /** Approved grants, with links resolved. */
  readonly grants: SandboxGrants
  readonly launch: PreparedLaunch
  readonly onAttempt: (attempt: HostAttempt) => void
}

export interface ConfineSurroundings {
  readonly place: SandboxPlace
  /** Folder of the server's own, in the data folder. */
  readonly folder: string
  /** Resolves names for the proxy; default: the system. */
  readonly resolve: Resolve | undefined
  /** Finds the person's own proxy of an address. */
  readonly findParent: FindParent | undefined
}

// Variables of a sandboxed server: what leads to sockets of the person's session is taken out, and its proxy put in. Pure but for a
// look whether a value is the path of a socket.
/** Sockets and buses of the session, and descriptors that are not handed on. */
const session =
  /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|SSH_CONNECTION|SSH_CLIENT|SSH_TTY|GPG_AGENT_INFO|GPG_TTY|DISPLAY|WAYLAND_DISPLAY|WAYLAND_SOCKET|XAUTHORITY|XDG_RUNTIME_DIR|XDG_SESSION_.*|DBUS_.*|GNOME_KEYRING_.*|KDE_.*|DOCKER_HOST|CONTAINER_HOST|PODMAN_.*|TMUX.*|STY|PULSE_.*|PIPEWIRE_.*|LISTEN_.*|NOTIFY_SOCKET|JOURNAL_STREAM|INVOCATION_ID|VSCODE_.*|ELECTRON_RUN_AS_NODE|NODE_CHANNEL_FD|KITTY_.*|WEZTERM_.*|ALACRITTY_.*|COLORTERM|WINDOWID|I3SOCK|SWAYSOCK|HYPRLAND_.*|NVIM.*|EMACS_SOCKET.*)$/i

/** Folders of the person's that the server does not have. */
const folders = /^(?:XDG_(?:CACHE|CONFIG|DATA|STATE)_HOME|TMPDIR|TMP|TEMP)$/

const proxies = /^(?:https?|all|no|ftp)_proxy$/i

const isSocket = (value: string): boolean =>
  /^unix:/i.test(value) || (value.startsWith('/') && orElse(() => lstatSync(value).isSocket(), false))

/**
 * Browsers cannot make their own sandbox in this one, which lets nobody make user namespaces; without these they do not start. Playwright's
 * server and Puppeteer read them.
 */
const browsers = { PLAYWRIGHT_MCP_SANDBOX: 'false', PUPPETEER_DANGEROUS_NO_SANDBOX: 'true' }

interface EnvironmentOptions {
  readonly home: string
  readonly tmp: string
  /** Address of its proxy, with the credentials that it asks for. */
  readonly proxy: string
  readonly hosts: readonly string[]
}

export function sandboxEnvironment(
  env: Readonly<Record<string, string>>,
  { home, tmp, proxy, hosts }: EnvironmentOptions,
): Record<string, string> {
  const kept = Object.entries(env).filter(
    ([name, value]) => !session.test(name) && !folders.test(name) && !proxies.test(name) && name !== 'HOME' && !isSocket(value),
  )
  return { ...Object.fromEntries(kept), ...browsers, HOME: home, TMPDIR: tmp, ...proxyVariables(proxy, hosts) }
}

/** `NODE_USE_ENV_PROXY`: Node's own fetch uses the proxy from version 22.21 on. */
function proxyVariables(address: string, hosts: readonly string[]): Record<string, string> {
  const granted = hosts.map((text) => parseHostPattern(text)?.host)
  // What the server itself listens on is not the proxy's matter, unless the computer's own was granted.
  const direct = ['localhost', '127.0.0.1', '::1'].filter((host) => !granted.includes(host)).join(',')
  const names = ['http_proxy', 'https_proxy', 'all_proxy']
  const both = [...names, ...names.map((name) => name.toUpperCase())].map((name) => [name, address] as const)
  return { ...Object.fromEntries(both), no_proxy: direct, NO_PROXY: direct, NODE_USE_ENV_PROXY: '1' }
}
