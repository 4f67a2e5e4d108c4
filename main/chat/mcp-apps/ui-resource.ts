// The UI resource of a tool (MCP Apps, "UI Resource Format"): one HTML document. Anything else is refused with the reason.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { mcpAppPermissions } from '#app/mcp-apps/app-view.ts'
import { mcpAppMimeType } from '#app/mcp-apps/tool-interface.ts'
import { orElse } from '#app/or-else.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { orAborted } from '#main/base/abort.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import type { Servers } from '#main/servers/lifecycle/servers.ts'

/** Bytes of UTF-8. An interface with all its code in one file takes a few million. */
const LARGEST_HTML = 8_000_000

type UiResourceAddress = Readonly<Record<'server' | 'uri', string>>

/** @throws {HostError} `view.unreadable` (also where the server answers with an error) or `view.too-large` */
export async function fetchUiResource(servers: Servers, { server, uri }: UiResourceAddress, signal: AbortSignal) {
  const result = await orAborted(servers.readResource(server, uri, { signal }), signal).catch((error: unknown) => {
    throw isProtocolError(error) ? unreadable({ server, uri }, t`it answered: ${error.message}`) : error
  })
  const listed = servers.catalogue(server).resources.find((one) => one.uri === uri)?._meta
  return readUiResource(result, { server, uri }, listed)
}

/** Parses the result of `resources/read`. `listed`: the `_meta` of its entry in the list, for contents without one. */
function readUiResource(result: JsonObject, address: UiResourceAddress, listed: JsonObject | undefined) {
  const { server, uri } = address
  const contents = Array.isArray(result['contents']) ? (result['contents'] as readonly Json[]).filter(isJsonObject) : []
  const content = contents.find((one) => one['uri'] === uri) ?? contents[0]
  if (!content || !isAppType(content['mimeType'])) throw unreadable(address, t`it is not ${mcpAppMimeType}`)
  const html = htmlOf(content)
  if (html === undefined) throw unreadable(address, t`it is not ${mcpAppMimeType}`)
  const bytes = Buffer.byteLength(html)
  if (bytes > LARGEST_HTML) {
    const message = t`The interface of “${server}” has ${formatBytes(bytes)}; at most ${formatBytes(LARGEST_HTML)} are drawn.`
    throw new HostError('view.too-large', message, { data: { server, uri, bytes } })
  }
  const ui = uiOf(content['_meta']) ?? uiOf(listed) ?? {}
  const wished = isJsonObject(ui['permissions']) ? ui['permissions'] : {}
  return {
    html,
    csp: ui['csp'],
    domain: ui['domain'],
    permissions: mcpAppPermissions.filter((name) => wished[name] !== undefined && wished[name] !== null && wished[name] !== false),
    border: ui['prefersBorder'] !== false,
  }
}

const unreadable = ({ server, uri }: UiResourceAddress, why: string): HostError =>
  new HostError('view.unreadable', t`“${server}” has no interface at ${uri.slice(0, 200)}: ${why}.`, { data: { server, uri } })

function uiOf(meta: Json | undefined): JsonObject | undefined {
  const ui = isJsonObject(meta) ? meta['ui'] : undefined
  return isJsonObject(ui) ? ui : undefined
}

/** Whether the type is `text/html;profile=mcp-app`, also spaced, quoted or in capitals. */
function isAppType(type: Json | undefined): boolean {
  if (typeof type !== 'string') return false
  const [essence = '', ...parameters] = type.toLowerCase().split(';')
  return essence.trim() === 'text/html' && parameters.some((one) => /^profile\s*=\s*"?mcp-app"?$/.test(one.trim()))
}

function htmlOf({ text, blob }: JsonObject): string | undefined {
  if (typeof text === 'string') return text
  if (typeof blob !== 'string' || !/^[A-Za-z0-9+/_\s-]*(?:=\s*){0,2}$/.test(blob)) return undefined
  return orElse(() => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(blob, 'base64')), undefined)
}
