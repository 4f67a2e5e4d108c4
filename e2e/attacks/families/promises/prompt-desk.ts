// What rows about prompts of the terminal share: files, servers and questions whose names and words are an attacker's.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { rawResource } from '../../../servers/http/oauth.ts'
import { result } from '../../../servers/http/raw-http.ts'
import type { Message } from '../../../servers/raw/relayed.ts'
import { type Part, saying } from '../../puppet.ts'
import { nameOf, speaker } from '../outsiders/speaking-servers.ts'
import type { Desk } from '../outsiders/terminal-row.ts'

/** Turns words into a name that a file may have. */
export const fileOf = (words: string): string => nameOf(words).replaceAll('/', '')
export const folderOf = ({ bench }: Desk, words: string): string => {
  const folder = join(bench.folder, fileOf(words))
  mkdirSync(folder, { recursive: true })
  return folder
}
export const written = (desk: Desk, words: string, text: string, extension = '.json'): string => {
  const path = join(folderOf(desk, words), `${fileOf(words)}${extension}`)
  writeFileSync(path, text)
  return path
}
export const servers = (desk: Desk, mcpServers: object, more: object = {}): string[] => {
  const path = join(desk.bench.folder, 'asked.json')
  writeFileSync(path, JSON.stringify({ ...more, mcpServers }))
  return ['--config', path]
}
export const ask = ['--approve', 'ask']
export const fromPart = ({ config }: Desk): readonly string[] => config.slice(0, 2)

/** Asks once in the course of a call, and ends the call when it is answered. */
export const during =
  (method: string, params: (words: string) => JsonObject) =>
  (words: string): Part => {
    let open: Message | undefined
    return speaker(words, (message, wire) => {
      if (message.method === 'tools/call') {
        open = message
        wire.send({ jsonrpc: '2.0', id: 'ask', method, params: params(words) })
        return true
      }
      if (message.id !== 'ask' || message.method !== undefined || !open) return false
      wire.send(result(open, saying('PWN END')))
      return true
    })
  }
export const form = (properties: (words: string) => JsonObject, more: JsonObject = {}): ((words: string) => Part) =>
  during('elicitation/create', (words) => ({
    message: words,
    requestedSchema: { type: 'object', properties: properties(words), ...more },
  }))

/** A remote server that wants a sign-in, whose words are the attacker's; the person's browser follows the page that is printed. */
export const signingIn = (words: string, lie: (resource: Awaited<ReturnType<typeof rawResource>>) => void) =>
  rawResource().then((resource) => {
    resource.behave.more = { resource_name: words, scopes_supported: [words] }
    lie(resource)
    return resource
  })
const gone = new Set<string>()
export const follow = (text: string): void => {
  const [, url] = /(http:\/\/[^\s'"]+\/authorize\?[^\s'"\p{Cc}]+)\s/u.exec(text) ?? []
  if (url === undefined || gone.has(url)) return
  gone.add(url)
  fetch(url).catch(() => undefined)
}
export const remote = (desk: Desk): string[] => ['call', 'tracker', 'echo', '{}', ...servers(desk, { tracker: { url: desk.url } })]
