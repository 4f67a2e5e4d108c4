// What a tool says of its interface (MCP Apps, "Resource Discovery"): the resource that draws it, and who may call it. It is
// a server's word: what cannot be read counts as not said, but for the visibility, where it then is closed.
import { isJsonObject, type Json, type JsonObject } from '../json.ts'

/** The extension's name in the capabilities of both sides. */
export const uiExtension = 'io.modelcontextprotocol/ui'
export const mcpAppMimeType = 'text/html;profile=mcp-app'

export interface ToolInterface {
  /** `ui://…`; undefined: it brings no interface. */
  readonly resourceUri: string | undefined
  /** The model may see and call it. */
  readonly forModel: boolean
  /** The views of its own server may call it. */
  readonly forApp: boolean
}

const longestUri = 2000

const isUiUri = (value: Json | undefined): value is string =>
  typeof value === 'string' && value.startsWith('ui://') && value.length > 'ui://'.length && value.length <= longestUri

export function toolInterface(tool: { readonly _meta?: JsonObject | undefined }): ToolInterface {
  const meta = tool._meta ?? {}
  const ui = isJsonObject(meta['ui']) ? meta['ui'] : {}
  // The flat key is that of the drafts; the nested one goes first.
  const resourceUri = [ui['resourceUri'], meta['ui/resourceUri']].find(isUiUri)
  const { visibility } = ui
  const seenBy = Array.isArray(visibility) ? (visibility as readonly Json[]) : [visibility]
  const whole = visibility === undefined
  return { resourceUri, forModel: whole || seenBy.includes('model'), forApp: whole || seenBy.includes('app') }
}
