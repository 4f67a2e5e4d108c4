// What rows about secrets that are said back share: the secret, its encodings, and all places where a run may leave it.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Stage } from '../../stage.ts'

export const family = 'secrets said back'
export const secret = 'Zq7~v9/Kx+3=Wm&8t"Lr5 Hy2?Nb6'
export const plain = 'Ab1~c2/De+4=Fg&6h"Ij7 Kl8?Mn9'

export const base64 = (text: string): string => Buffer.from(text).toString('base64')
export const escaped = (text: string, upper = false): string =>
  [...text]
    .map((one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
    .map((one) => (upper ? one.toUpperCase().replace('\\U', '\\u') : one))
    .join('')
export const hex = (text: string): string => Buffer.from(text).toString('hex')

/** Every text that the run left below the folder, by file. */
export function filesOf(folder: string, wanted: (path: string) => boolean): Record<string, string> {
  if (!existsSync(folder)) return {}
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  return Object.fromEntries(
    paths.filter((path) => wanted(path) && statSync(path).isFile()).map((path) => [path, readFileSync(path, 'latin1')]),
  )
}
export const found = (places: Readonly<Record<string, string>>, words: readonly string[]): string[] =>
  Object.entries(places).flatMap(([where, text]) =>
    words.flatMap((word) =>
      [word, JSON.stringify(word).slice(1, -1)]
        .filter((form) => text.includes(form))
        .slice(0, 1)
        .map(
          (form) => `it is said in ${where}: ${JSON.stringify(text.slice(Math.max(0, text.indexOf(form) - 80), text.indexOf(form) + 80))}`,
        ),
    ),
  )

export const more = { env: { API_TOKEN: `\${input:token}` } }
export const keep = ({ host }: Stage, value: string): Promise<unknown> =>
  host.request('server.setSecret', { name: 'hostile', id: 'token', value })

/** What a stage keeps of a server, as text. */
export async function kept({ host, test }: Stage): Promise<Record<string, string>> {
  const { messages } = await host.request('server.messages', { name: 'hostile', after: 0 })
  const { lines, earlier } = await host.request('server.log', { name: 'hostile' })
  const { rows } = await host.request('audit.list', { limit: 500 })
  return {
    inspector: JSON.stringify(messages),
    log: JSON.stringify([lines, earlier]),
    record: JSON.stringify(rows),
    page: JSON.stringify(host.snapshot().servers),
    ...filesOf(join(test.dataDir, 'logs'), () => true),
  }
}
