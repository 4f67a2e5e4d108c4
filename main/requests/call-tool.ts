// `tool.call`: a call of a command, decided like a model's call and ended with its caller.
import type { RequestInput } from '#app/contract/requests.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { isLocal } from '#app/server/definition.ts'
import { newId } from '#main/base/ids.ts'
import { nearest } from '#main/base/nearest-name.ts'
import { runApprovedCall } from '#main/chat/run-approved-call.ts'
import { type Caller, type HostContext, knownServer } from './request-handlers.ts'

/** @throws {HostError} `server.unknown`, `tool.unknown`, `consent.denied`, and why the call failed */
export async function callTool(context: HostContext, params: RequestInput<'tool.call'>, caller?: Caller) {
  const { servers, broker, chat } = context
  const { server, tool: name, arguments: args, timeoutMs } = params
  const definition = servers.view(knownServer(context, server))?.definition
  const { tools } = servers.catalogue(server)
  const tool = tools.find((one) => one.name === name)
  if (!tool || !definition) {
    const names = tools.map((one) => one.name)
    const meant = nearest(name, names)
    const message = t`“${server}” has no tool “${name}”.`
    throw new HostError('tool.unknown', meant === undefined ? message : `${message} ${t`Did you mean “${meant}”?`}`, {
      data: { server, tool: name },
    })
  }
  const callId = newId()
  const call = { callId, server, tool: name, signal: caller?.signal ?? new AbortController().signal, ...defined({ timeoutMs }) }
  const leave = caller?.joined === undefined ? undefined : broker.claim({ joined: caller.joined }, { callId })
  try {
    const steps = { ask: broker.toolCall, send: servers.call, onAllowed: () => chat.joinCall(call) }
    const outcome = await runApprovedCall(steps, call, { tool, trusted: definition.trusted, local: isLocal(definition), arguments: args })
    if (outcome.kind === 'denied') {
      const { word } = outcome.decision
      const message = t`The call was refused. Nothing was run.`
      throw new HostError('consent.denied', word ? `${message} (${word})` : message, { data: { server, tool: name } })
    }
    const { era, protocolVersion, transport = definition.transport === 'builtin' ? 'stdio' : definition.transport } = outcome.session
    return { era, protocolVersion, transport, durationMs: outcome.durationMs, result: outcome.result }
  } finally {
    leave?.()
  }
}
