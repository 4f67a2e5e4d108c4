// What the server says about its tool, in its own words and marked as such, and the exact text that would be sent.
import type { ToolCallRequest } from '#app/consent/request.ts'
import type { JsonObject } from '#app/json.ts'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { LongText } from './argument-list.tsx'

function claims({ annotations }: ToolCallRequest): string {
  const words = [
    annotations?.readOnlyHint === true && 'only reads',
    annotations?.destructiveHint === true && 'may destroy',
    annotations?.idempotentHint === true && 'can be repeated without harm',
    annotations?.openWorldHint === true && 'reaches the outside world',
  ].filter(Boolean)
  return words.join(', ')
}

export function ToolReview({ request, edited }: { readonly request: ToolCallRequest; readonly edited: JsonObject | undefined }) {
  const claimed = claims(request)
  return (
    <dl className="kv review">
      <dt>Tool</dt>
      <dd className="mono">
        <Revealed text={request.tool} />
      </dd>
      <dt>{request.server} says</dt>
      <dd>
        {request.description ? (
          <>
            “<Revealed text={request.description} />”
          </>
        ) : (
          <span className="faint">nothing about it</span>
        )}
      </dd>
      {claimed && (
        <>
          <dt>It claims</dt>
          <dd>
            it {claimed} {!request.trusted && <span className="faint">(not counted: you don’t trust its word)</span>}
          </dd>
        </>
      )}
      <dt>Sent as</dt>
      <dd>
        <LongText text={edited ? JSON.stringify(edited) : request.argumentsText} label="the arguments as they are sent" />
      </dd>
    </dl>
  )
}
