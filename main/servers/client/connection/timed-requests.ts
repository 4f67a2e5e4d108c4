// The exchange of a start, a step for each request: what was asked, how long the answer took, what it said in short.
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import type { StepEnd, StepRecorder } from '#main/servers/process/start-recorder.ts'
import type { RawResponse } from '#main/servers/transport/stdio/raw-requests.ts'

interface TimedRequests {
  sent(id: RequestId, method: string): void
  answered(message: JSONRPCMessage): void
  failed(id: RequestId, error: unknown): void
}

/** `greeted`: `initialize` was answered before; what goes on now is not another one. */
export function timeRequests(steps: StepRecorder | undefined, { greeted = false } = {}): TimedRequests {
  const open = new Map<RequestId, { readonly method: string; readonly end: StepEnd }>()
  return {
    sent(id, method) {
      if (steps && !(greeted && method === 'initialize')) open.set(id, { method, end: steps.step(method) })
    },
    answered(message) {
      if ('method' in message || message.id === undefined) return
      const asked = open.get(message.id)
      if (!asked) return
      open.delete(message.id)
      if ('result' in message) asked.end(true, summaryOf(message.result))
      else asked.end(asked.method === 'server/discover', errorWords(message.error))
    },
    failed(id, error) {
      open.get(id)?.end(false, error instanceof Error ? error.message : String(error))
      open.delete(id)
    },
  }
}

/** The same for a request that is made before there is a client. */
export function timeRaw(steps: StepRecorder | undefined, method: string, answer: Promise<RawResponse>): void {
  if (!steps) return
  const end = steps.step(method)
  answer.then(
    (said) => {
      if (said.kind === 'result') end(true, summaryOf(said.result))
      // An older server does not know the question: that is an answer too.
      else if (said.kind === 'error') end(method === 'server/discover', errorWords(said.error))
      else end(false, said.kind === 'timeout' ? t`no answer` : t`it ended before it answered`)
    },
    (error: unknown) => end(false, error instanceof Error ? error.message : String(error)),
  )
}

const errorWords = ({ code, message }: { readonly code: number; readonly message: string }): string => t`error ${code}: ${message}`

const lists = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const

function summaryOf(result: unknown): string {
  if (!isJsonObject(result)) return ''
  const { protocolVersion, supportedVersions } = result as JsonObject
  if (typeof protocolVersion === 'string') return protocolVersion
  if (Array.isArray(supportedVersions)) return supportedVersions.slice(0, 10).map(String).join(', ')
  const list = lists.find((name) => Array.isArray(result[name]))
  return list === undefined ? '' : t`${(result[list] as readonly unknown[]).length} entries`
}
