// A tool's annotations in words (MCP, "Tool annotations"). They are the server's claims: said as such unless it is trusted.
import type { ToolEntry } from '#app/server/catalogue.ts'
import { t } from '#app/words/translate.ts'

export function annotationWords(annotations: ToolEntry['annotations']): string[] {
  if (!annotations) return []
  const words: string[] = []
  if (annotations.readOnlyHint === true) words.push(t`only reads`)
  else if (annotations.destructiveHint === true) words.push(t`can destroy`)
  else if (annotations.destructiveHint === false) words.push(t`only adds`)
  else if (annotations.readOnlyHint === false) words.push(t`changes things`)
  if (annotations.idempotentHint === true && annotations.readOnlyHint !== true) words.push(t`same result when repeated`)
  if (annotations.openWorldHint === true) words.push(t`reaches outside`)
  if (annotations.openWorldHint === false) words.push(t`stays inside`)
  return words
}
