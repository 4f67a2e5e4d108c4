// Steps of a start that are requests: the method, how long the response took, and the response in short.
import type { JSONRPCErrorResponse, JSONRPCResultResponse } from '@modelcontextprotocol/client'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject } from '#app/json.ts'
import type { StepEnd, StepRecorder } from '#main/servers/process/start-recorder.ts'
import type { RawResponse } from '#main/servers/transport/stdio/raw-requests.ts'

/** An older server does not know `server/discover`: its error is an answer too. */
const mayFail = (method: string): boolean => method === 'server/discover'

export function endStep(end: StepEnd | undefined, method: string, message: JSONRPCErrorResponse | JSONRPCResultResponse): void {
  if ('result' in message) end?.(true, summaryOf(message.result))
  else end?.(mayFail(method), errorWords(message.error))
}

export const failStep = (end: StepEnd | undefined, error: unknown): void =>
  end?.(false, error instanceof Error ? error.message : String(error))

/** Records a request that is made before there is a client. */
export function timeRaw(steps: StepRecorder | undefined, method: string, answer: Promise<RawResponse>): void {
  const end = steps?.step(method)
  if (!end) return
  answer.then(
    (said) => {
      if (said.kind === 'result') end(true, summaryOf(said.result))
      else if (said.kind === 'error') end(mayFail(method), errorWords(said.error))
      else end(false, t`no answer`)
    },
    (error: unknown) => failStep(end, error),
  )
}

const errorWords = ({ code, message }: { readonly code: number; readonly message: string }): string => t`error ${code}: ${message}`

const lists = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const

function summaryOf(result: unknown): string {
  if (!isJsonObject(result)) return ''
  const { protocolVersion, supportedVersions } = result
  if (typeof protocolVersion === 'string') return protocolVersion
  if (Array.isArray(supportedVersions)) return supportedVersions.slice(0, 10).map(String).join(', ')
  const list = lists.find((name) => Array.isArray(result[name]))
  return list === undefined ? '' : t`${(result[list] as readonly unknown[]).length} entries`
}
