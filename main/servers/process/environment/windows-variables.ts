// Variables of the Windows registry. Parsing is tested by tables; the command was never run on Windows.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { win32 } from 'node:path'
import { orElse } from '#app/or-else.ts'
import { system32 } from '#main/base/powershell.ts'

const registryKeys = {
  machine: 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment',
  person: 'HKCU\\Environment',
  proxy: 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings',
} as const
type RegistryKey = Exclude<keyof typeof registryKeys, 'proxy'>

/** Text of a key as `reg export` writes it; undefined where it fails. Replaced in tests. */
export type ReadRegistry = (key: RegistryKey) => Promise<string | undefined>

const limitMs = 3000

/**
 * Reads a key of the Windows registry: a process has the variables of its own start only. `reg export` writes UTF-16, where `reg query`
 * prints in the console's code page, which has not every name. Never run on Windows.
 */
export async function readRegistry(key: keyof typeof registryKeys): Promise<string | undefined> {
  const folder = mkdtempSync(win32.join(tmpdir(), 'assent-registry-'))
  const file = win32.join(folder, 'key.reg')
  try {
    return await new Promise((resolve) => {
      const args = ['export', registryKeys[key], file, '/y']
      execFile(system32('reg.exe'), args, { timeout: limitMs, windowsHide: true }, (error) =>
        resolve(error ? undefined : orElse(() => readFileSync(file, 'utf16le'), undefined)),
      )
    })
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Parses the first key's values of type REG_SZ (`"…"`) and REG_EXPAND_SZ (`hex(2):` of UTF-16, over several lines). */
function registryValues(output: string) {
  // Keys below it follow, each behind its name in brackets.
  const [, own = ''] = output.split(/^\[.*\]\r?$/m)
  const lines = own.replace(/\\\r?\n\s*/g, '').split(/\r?\n/)
  return lines.flatMap((line) => {
    const [, rawName, plain, hex] = /^"((?:[^"\\]|\\.)*)"=(?:"((?:[^"\\]|\\.)*)"|hex\(2\):([0-9a-f,]*))$/i.exec(line) ?? []
    if (rawName === undefined) return []
    const name = unescaped(rawName)
    if (hex === undefined) return { name, text: unescaped(plain ?? ''), expands: false }
    const bytes = Buffer.from(hex.replaceAll(',', ''), 'hex')
    return { name, text: bytes.toString('utf16le').replace(/\0+$/, ''), expands: true }
  })
}
const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1')

/** Merges variables by upper-case name; the person's win, but PATH has both. `%NAME%` is expanded once, from `env` and earlier values. */
export function registryVariables(
  output: Readonly<Record<RegistryKey, string | undefined>>,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const known = new Map(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name.toUpperCase(), value] as const])))
  const found = new Map<string, string>()
  const paths: string[] = []
  for (const key of ['machine', 'person'] as const) {
    const values = registryValues(output[key] ?? '')
    const plain = new Map(values.filter(({ expands }) => !expands).map(({ name, text }) => [name.toUpperCase(), text]))
    for (const { name, text, expands } of values) {
      const upper = name.toUpperCase()
      const expand = (whole: string, inner: string): string =>
        plain.get(inner.toUpperCase()) ?? found.get(inner.toUpperCase()) ?? known.get(inner.toUpperCase()) ?? whole
      const value = expands ? text.replaceAll(/%([^%=]+)%/g, expand) : text
      if (upper === 'PATH') paths.push(value)
      // The machine's USERNAME is SYSTEM, and its TEMP is not the person's.
      else if (key === 'person' || !['USERNAME', 'TEMP', 'TMP'].includes(upper)) found.set(upper, value)
    }
  }
  if (paths.length > 0) found.set('PATH', paths.flatMap((path) => path.split(';').filter(Boolean)).join(';'))
  return Object.fromEntries(found)
}
