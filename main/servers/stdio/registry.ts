// The variables that Windows keeps for the machine and for the person, from what `reg query` prints. A process has those
// of the moment at which it was started; what was installed since is in the registry alone. Pure but for `readRegistry`,
// which was never run: no machine of ours runs Windows.
import { execFile } from 'node:child_process'
import { system32 } from '#main/base/system32.ts'

export const registryKeys = {
  machine: 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment',
  person: 'HKCU\\Environment',
} as const
export type RegistryKey = keyof typeof registryKeys

/** What `reg query` prints for a key; undefined where it fails. The seam. */
export type ReadRegistry = (key: RegistryKey) => Promise<string | undefined>

const limitMs = 3000

export const readRegistry: ReadRegistry = (key) =>
  new Promise((resolve) => {
    execFile(
      system32('reg.exe'),
      ['query', registryKeys[key]],
      { timeout: limitMs, windowsHide: true, maxBuffer: 1024 * 1024 },
      (error, stdout) => resolve(error ? undefined : stdout),
    )
  })

interface Value {
  readonly name: string
  readonly text: string
  readonly expands: boolean
}

function valuesIn(output: string): Value[] {
  return output.split(/\r?\n/).flatMap((line) => {
    const [, name, kind, text] = /^ {4}(\S.*?) {4}(REG_SZ|REG_EXPAND_SZ) {4}(.*)$/.exec(line) ?? []
    // What the console's code page cannot say comes out as a question mark: it names another folder, or none.
    if (name === undefined || text === undefined || text.includes('\uFFFD')) return []
    return { name, text: text.trimEnd(), expands: kind === 'REG_EXPAND_SZ' }
  })
}

/**
 * Variables by their name in capital letters, the person's before the machine's; PATH is the machine's and then the
 * person's. `%NAME%` is put in from `env` and from those before it, once.
 */
export function registryVariables(
  output: Readonly<Record<RegistryKey, string | undefined>>,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const known = new Map(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name.toUpperCase(), value] as const])))
  const found = new Map<string, string>()
  const paths: string[] = []
  for (const key of ['machine', 'person'] as const) {
    const values = valuesIn(output[key] ?? '')
    const plain = new Map(values.filter(({ expands }) => !expands).map(({ name, text }) => [name.toUpperCase(), text]))
    for (const { name, text, expands } of values) {
      const upper = name.toUpperCase()
      const expand = (whole: string, inner: string): string =>
        plain.get(inner.toUpperCase()) ?? found.get(inner.toUpperCase()) ?? known.get(inner.toUpperCase()) ?? whole
      const value = expands ? text.replaceAll(/%([^%=]+)%/g, expand) : text
      if (upper === 'PATH') paths.push(value)
      // The machine's own USERNAME is SYSTEM, and its TEMP is not the person's.
      else if (key === 'person' || !['USERNAME', 'TEMP', 'TMP'].includes(upper)) found.set(upper, value)
    }
  }
  if (paths.length > 0) found.set('PATH', paths.flatMap((path) => path.split(';').filter(Boolean)).join(';'))
  return Object.fromEntries(found)
}
