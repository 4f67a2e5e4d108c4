// A `tools/call` of an MCP App. It needs the same consent and leaves the same audit rows as any other call. It stands in no answer of
// the model, and the model does not read its result.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { isLocal, type ServerDefinition } from '#app/server/definition.ts'
import { newId } from '#main/base/ids.ts'
import type { RunningCalls } from '#main/servers/client/requests/running-calls.ts'
import type { ChatContext } from '../chat-context.ts'
import type { RootsProvider } from '../roots/roots-provider.ts'
import { type CallSteps, runApprovedCall } from '../run-approved-call.ts'

export interface McpAppsContext {
  readonly chat: ChatContext
  readonly running: RunningCalls
  readonly rootsProvider: Pick<RootsProvider, 'beforeCall'>
}

interface McpAppCaller {
  readonly conversationId: string
  readonly callId: string
  readonly server: string
  readonly tool: string
  readonly control: AbortController
  /** Called when the person refused a call and wants the app to stop. */
  readonly onStop: () => void
}

/** @throws HostError `consent.*`, or what the call failed with */
export async function runForMcpApp(
  { chat, running, rootsProvider }: McpAppsContext,
  caller: McpAppCaller,
  tool: ToolEntry,
  args: JsonObject,
  definition: ServerDefinition,
): Promise<JsonObject> {
  const { server, conversationId, control } = caller
  const call = {
    callId: newId(),
    conversationId,
    server,
    tool: tool.name,
    view: { callId: caller.callId, tool: caller.tool },
    signal: control.signal,
    cancel: () => control.abort(),
  }
  const undo = running.add(call)
  try {
    const steps: CallSteps = {
      ask: chat.broker.toolCall,
      send: chat.servers.call,
      onAllowed() {
        rootsProvider.beforeCall(server, conversationId)
        return undefined
      },
    }
    const asked = { tool, trusted: definition.trusted, local: isLocal(definition), arguments: args }
    const end = await runApprovedCall(steps, call, asked)
    if (end.kind === 'ran') return end.result
    if (end.stop) caller.onStop()
    const word = end.decision.word && JSON.stringify(end.decision.word)
    const message = word ? t`The call was refused. Nothing was run. Their word: ${word}` : t`The call was refused. Nothing was run.`
    throw new HostError('consent.denied', message, { data: { server, tool: tool.name } })
  } finally {
    undo()
  }
}
