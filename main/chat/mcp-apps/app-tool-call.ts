// A tools/call that a view asks for. It goes the way of any other: the same rules, the same questions, the same record, and
// the approval is what runs. It stands in no answer of the model, and the model does not read of it.
import type { ToolCall } from '#app/chat/message.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { isLocal, type ServerDefinition } from '#app/server/definition.ts'
import { newId } from '#main/base/ids.ts'
import { type CallSteps, runApprovedCall } from '../run-approved-call.ts'
import type { McpAppsContext } from './mcp-apps-api.ts'

interface McpAppCaller {
  readonly conversationId: string
  readonly callId: ToolCall['id']
  readonly server: string
  readonly tool: string
  readonly control: AbortController
  /** The person refused a call and wants the view to stop. */
  readonly onStop: () => void
}

/** Rejects with `consent.*`, or with what the call failed with. */
export async function runForMcpApp(
  { deps, running, toldRoots }: McpAppsContext,
  caller: McpAppCaller,
  entry: ToolEntry,
  args: JsonObject,
  definition: ServerDefinition,
): Promise<JsonObject> {
  const { server, conversationId, control } = caller
  const call = {
    callId: newId(),
    conversationId,
    server,
    tool: entry.name,
    view: { callId: caller.callId, tool: caller.tool },
    signal: control.signal,
    cancel: () => control.abort(),
  }
  const undo = running.add(call)
  try {
    const steps: CallSteps = {
      ask: deps.broker.toolCall,
      send: deps.servers.call,
      onAllowed() {
        toldRoots.beforeCall(server, conversationId)
        return undefined
      },
    }
    const asked = { tool: entry, trusted: definition.trusted, local: isLocal(definition), arguments: args }
    const end = await runApprovedCall(steps, call, asked)
    if (end.kind === 'ran') return end.result
    if (end.stop) caller.onStop()
    const word = end.decision.word && JSON.stringify(end.decision.word)
    const message = word ? t`The call was refused. Nothing was run. Their word: ${word}` : t`The call was refused. Nothing was run.`
    throw new HostError('consent.denied', message, { data: { server, tool: entry.name } })
  } finally {
    undo()
  }
}
