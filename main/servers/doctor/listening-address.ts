// Finds the address in the output of a server that listens on one, and so says nothing on stdout. Programs that only have a page, metrics or
// a debugger beside stdio are left alone.
import { isJsonObject } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'
import { plainText } from '#app/text/ansi-escapes.ts'

interface Listening {
  /** Address to connect to, with the path that the output names, else the usual one. */
  readonly url: string
  readonly line: string
}

const says = /\b(?:listen(?:s|ing)|running|started|starting|available|serving|ready|endpoint)\b/i
const beside =
  /\bwss?:|\b(?:debugger|devtools|inspector|metrics|telemetry|dashboard|workbench|health|callback|oauth|redirect|proxy|bridge|web ?socket|socket|stdio|database|redis)\b/i
const local = String.raw`(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])`
const whole = new RegExp(String.raw`\bhttps?://${local}(?::\d{2,5})?(?:/[\w./-]*)?`, 'i')
const bare = new RegExp(String.raw`(?<![\w.:/-])(?:${local}|\*)?:(\d{2,5})\b|\bport:? (\d{2,5})\b`, 'i')
const endsAsServer = /\/(?:mcp|sse)\/?$/

/** Words of one line of a log in JSON; else the line. */
function wordsOf(line: string): string {
  const value = line.startsWith('{') ? parseJson(line) : undefined
  const words = isJsonObject(value) ? (value['msg'] ?? value['message']) : undefined
  return typeof words === 'string' ? words : plainText(line)
}

const reachable = (url: string): string => url.replace(/(?<=:\/\/)(?:0\.0\.0\.0|\[::\])/, '127.0.0.1')

/** Address in a line that says that something listens there; undefined for any other line. */
function addressIn(line: string): string | undefined {
  if (!says.test(line) || beside.test(line)) return undefined
  const url = whole.exec(line)?.[0]
  if (url !== undefined) return reachable(url)
  const [found = '', port, named] = bare.exec(line) ?? []
  const number = port ?? named
  if (number === undefined) return undefined
  return reachable(`http://${port === undefined || /^[*:]/.test(found) ? '127.0.0.1' : found.replace(/:\d+$/, '')}:${number}`)
}

export const saysItListens = (line: string): boolean => addressIn(wordsOf(line)) !== undefined

export function listeningAddress(output: readonly string[]): Listening | undefined {
  const lines = output.map(wordsOf)
  const line = lines.find((one) => addressIn(one) !== undefined)
  if (line === undefined) return undefined
  const named = lines
    .filter((one) => !beside.test(one))
    .map((one) => whole.exec(one)?.[0])
    .find((url) => url !== undefined && endsAsServer.test(url))
  if (named !== undefined) return { url: reachable(named), line }
  const isOld = lines.some((one) => /\bSSE\b/.test(one)) && !lines.some((one) => /\bHTTP\b|streamable/i.test(one.replace(whole, '')))
  return { url: `${(addressIn(line) ?? '').replace(/\/$/, '')}${isOld ? '/sse' : '/mcp'}`, line }
}
