// UI declaration of a tool (MCP Apps, "Resource Discovery"): its resource and who may call it. Unreadable parts count as absent,
// except for the visibility, which is then closed.
import { isJsonObject, type Json, type JsonObject } from '../json.ts'

export const uiExtension = 'io.modelcontextprotocol/ui'
export const mcpAppMimeType = 'text/html;profile=mcp-app'

const longestUri = 2000

const isUiUri = (value: Json | undefined): value is string =>
  typeof value === 'string' && value.startsWith('ui://') && value.length > 'ui://'.length && value.length <= longestUri

/** `forModel`, `forApp`: whether the model, and apps of the tool's own server, may see and call it. */
export function toolInterface(tool: { readonly _meta?: JsonObject | undefined }) {
  const meta = tool._meta ?? {}
  const ui = isJsonObject(meta['ui']) ? meta['ui'] : {}
  // Drafts use the flat key; the nested one wins.
  const resourceUri = [ui['resourceUri'], meta['ui/resourceUri']].find(isUiUri)
  const { visibility } = ui
  const seenBy = Array.isArray(visibility) ? (visibility as readonly Json[]) : [visibility]
  const whole = visibility === undefined
  return { resourceUri, forModel: whole || seenBy.includes('model'), forApp: whole || seenBy.includes('app') }
}
