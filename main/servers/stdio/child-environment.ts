// What a server inherits, by name: enough to find its home, its language, the way out through a proxy, and the tools of
// the person. Everything else, tokens above all, it gets only when its definition says so. See docs/decisions/0014.

const posixNames: ReadonlySet<string> = new Set([
  // who and where
  ...['HOME', 'LOGNAME', 'SHELL', 'TERM', 'USER', 'TMPDIR', 'TZ'],
  // language
  ...['LANG', 'LANGUAGE', 'LC_ALL', 'LC_ADDRESS', 'LC_COLLATE', 'LC_CTYPE', 'LC_IDENTIFICATION', 'LC_MEASUREMENT', 'LC_MESSAGES'],
  ...['LC_MONETARY', 'LC_NAME', 'LC_NUMERIC', 'LC_PAPER', 'LC_TELEPHONE', 'LC_TIME'],
  // folders of the desktop, and the desktop itself
  ...['XDG_BIN_HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_DIRS', 'XDG_CONFIG_HOME', 'XDG_DATA_DIRS', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR'],
  ...['XDG_STATE_HOME', 'XDG_CURRENT_DESKTOP', 'XDG_SESSION_TYPE', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY'],
  ...['DBUS_SESSION_BUS_ADDRESS'],
  // a socket, not a key: git over ssh needs it
  'SSH_AUTH_SOCK',
])
/** Where tools and their packages are kept, and whom they trust: paths and addresses of sockets, never a word that opens something. */
const toolNames: ReadonlySet<string> = new Set([
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NIX_SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
  ...['NVM_DIR', 'FNM_DIR', 'VOLTA_HOME', 'ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR', 'PYENV_ROOT', 'RBENV_ROOT', 'PNPM_HOME'],
  ...['BUN_INSTALL', 'DENO_INSTALL', 'CARGO_HOME', 'RUSTUP_HOME', 'GOPATH', 'GOROOT', 'GOBIN', 'GEM_HOME', 'JAVA_HOME'],
  ...['HOMEBREW_PREFIX', 'UV_CACHE_DIR', 'UV_TOOL_DIR', 'PIPX_HOME', 'PIPX_BIN_DIR', 'NIX_PATH', 'NIX_PROFILES', 'DOCKER_HOST'],
])
const windowsNames = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
]
const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY']

/** A variable by name; Windows does not tell `Path` from `PATH`. */
export function variable(env: Readonly<Record<string, string | undefined>>, name: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return env[name]
  const upper = name.toUpperCase()
  return Object.entries(env).find(([key]) => key.toUpperCase() === upper)?.[1]
}

function isInherited(name: string, platform: NodeJS.Platform): boolean {
  const upper = name.toUpperCase()
  if (platform === 'win32') return windowsNames.includes(upper) || proxyNames.includes(upper) || toolNames.has(upper)
  const isProxy = proxyNames.includes(upper) && (name === upper || name === name.toLowerCase())
  return posixNames.has(name) || toolNames.has(name) || isProxy
}

/** `configured` wins over what is inherited, and its PATH over `path`. */
export function childEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  path: string,
  configured: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): Record<string, string> {
  const child = new Map<string, readonly [name: string, value: string]>()
  const set = (name: string, value: string): void => void child.set(platform === 'win32' ? name.toUpperCase() : name, [name, value])
  for (const [name, value] of Object.entries(env)) {
    // A value like "() {" is a shell function that bash would run (Shellshock).
    if (value !== undefined && !value.startsWith('()') && isInherited(name, platform)) set(name, value)
  }
  set('PATH', path)
  // `bash -c` whose stdin is a socket takes itself for a remote shell, unless it is within another: it would read the
  // person's .bashrc, slowly, and what that prints would stand among the protocol.
  if (platform !== 'win32') set('SHLVL', '1')
  for (const [name, value] of Object.entries(configured)) set(name, value)
  return Object.fromEntries(child.values())
}
