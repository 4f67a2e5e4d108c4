// A tool's annotations in words (MCP, "Tool annotations"). They are the server's claims: said as such unless it is trusted.
import type { ToolEntry } from '#app/server/catalogue.ts'

export function annotationWords(annotations: ToolEntry['annotations']): string[] {
  if (!annotations) return []
  const words: string[] = []
  if (annotations.readOnlyHint === true) words.push('only reads')
  else if (annotations.destructiveHint === true) words.push('can destroy')
  else if (annotations.destructiveHint === false) words.push('only adds')
  else if (annotations.readOnlyHint === false) words.push('changes things')
  if (annotations.idempotentHint === true && annotations.readOnlyHint !== true) words.push('same result when repeated')
  if (annotations.openWorldHint === true) words.push('reaches outside')
  if (annotations.openWorldHint === false) words.push('stays inside')
  return words
}
