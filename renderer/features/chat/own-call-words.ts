// What a line says of a call of the host's own tools, which no server sees and nobody is asked about. Pure.
import type { ToolCall } from '#app/chat/message.ts'
import { isJsonObject } from '#app/json.ts'
import { t } from '#app/words/translate.ts'

const titles: Readonly<Record<string, string>> = {
  assent__find_tools: t`looks for tools`,
  assent__read_result: t`reads on in a result`,
}

export const ownCallTitle = ({ modelName }: Pick<ToolCall, 'modelName'>): string => titles[modelName] ?? modelName

/** What came of it, where that is more than how long it took. */
export function ownCallNote({ state }: Pick<ToolCall, 'state'>): string | undefined {
  if (state.kind !== 'done' || state.result.isError || !isJsonObject(state.result.structuredContent)) return undefined
  const { found } = state.result.structuredContent
  if (!Array.isArray(found)) return undefined
  return found.length === 0 ? t`none found` : t`${found.length} found`
}
