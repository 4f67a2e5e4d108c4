// What a server inherits: enough to find its home, its temporary folder, its language and the way out through a proxy.
// Everything else, tokens above all, it gets only when its definition says so.

const posixNames = ['HOME', 'LOGNAME', 'SHELL', 'TERM', 'USER', 'LANG', 'LANGUAGE', 'TMPDIR', 'TZ']
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
  if (platform === 'win32') return windowsNames.includes(upper) || proxyNames.includes(upper)
  return (
    posixNames.includes(name) || name.startsWith('LC_') || (proxyNames.includes(upper) && (name === upper || name === name.toLowerCase()))
  )
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
  for (const [name, value] of Object.entries(configured)) set(name, value)
  return Object.fromEntries(child.values())
}
