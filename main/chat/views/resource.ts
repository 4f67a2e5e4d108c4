// The resource that draws a tool's interface, as a server gave it (MCP Apps, "UI Resource Format"): one HTML document, with
// what it declares beside it. Anything else is refused with a word on why.

import { viewMimeType } from '#app/apps/tool-interface.ts'
import { type ViewPermission, viewPermissions } from '#app/apps/view.ts'
import { HostError } from '#app/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { formatBytes } from '#app/text.ts'
import { t } from '#app/words/translate.ts'

/** UTF-8. An interface with all its code in one file takes a few of them. */
export const largestView = 8_000_000

export interface ViewResource {
  readonly html: string
  readonly csp: Json | undefined
  readonly permissions: readonly ViewPermission[]
  readonly border: boolean
}

export const unreadable = (server: string, uri: string, why: string): HostError =>
  new HostError('view.unreadable', t`“${server}” has no interface at ${uri.slice(0, 200)}: ${why}.`, { data: { server, uri } })

/** `listed`: the `_meta` of its entry in the list, which counts where the content itself has none. Throws `view.*`. */
export function readViewResource(
  result: JsonObject,
  about: { readonly server: string; readonly uri: string; readonly listed?: JsonObject | undefined },
): ViewResource {
  const { server, uri } = about
  const contents = Array.isArray(result['contents']) ? (result['contents'] as readonly Json[]).filter(isJsonObject) : []
  const content = contents.find((one) => one['uri'] === uri) ?? contents[0]
  const refuse = (why: string): HostError => unreadable(server, uri, why)
  if (!content) throw refuse(t`it gave nothing`)
  if (!isViewType(content['mimeType']))
    throw refuse(t`its type is ${JSON.stringify(content['mimeType'] ?? t`not said`).slice(0, 80)}, not ${viewMimeType}`)
  const html = htmlOf(content)
  if (html === undefined) throw refuse(t`it is no text`)
  const bytes = Buffer.byteLength(html)
  if (bytes > largestView)
    throw new HostError(
      'view.too-large',
      t`The interface of “${server}” has ${formatBytes(bytes)}; at most ${formatBytes(largestView)} are drawn.`,
      {
        data: { server, uri, bytes },
      },
    )
  const ui = uiOf(content['_meta']) ?? uiOf(about.listed) ?? {}
  const wished = isJsonObject(ui['permissions']) ? ui['permissions'] : {}
  return {
    html,
    csp: ui['csp'],
    permissions: viewPermissions.filter((name) => wished[name] !== undefined && wished[name] !== null && wished[name] !== false),
    border: ui['prefersBorder'] !== false,
  }
}

function uiOf(meta: Json | undefined): JsonObject | undefined {
  const ui = isJsonObject(meta) ? meta['ui'] : undefined
  return isJsonObject(ui) ? ui : undefined
}

/** `text/html;profile=mcp-app`, spaced, quoted or written large. */
function isViewType(type: Json | undefined): boolean {
  if (typeof type !== 'string') return false
  const [essence = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  return essence === 'text/html' && parameters.some((one) => /^profile\s*=\s*"?mcp-app"?$/.test(one))
}

function htmlOf({ text, blob }: JsonObject): string | undefined {
  if (typeof text === 'string') return text
  if (typeof blob !== 'string' || !/^[A-Za-z0-9+/_\s-]*={0,2}\s*$/.test(blob)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(blob, 'base64'))
  } catch {
    return undefined // It is not UTF-8: the caller says so.
  }
}
