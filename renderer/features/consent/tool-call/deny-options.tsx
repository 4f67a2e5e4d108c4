// A refusal at length: how long it stands, and a word on it that the model reads.
import { useState } from 'react'
import type { ToolCallRequest } from '#app/consent/request.ts'
import { DenyReason } from '../request/deny-reason.tsx'
import { forRefusal, onceOnly, ScopeChoice } from '../request/scope-choice.tsx'
import type { ToolDecision } from './use-tool-decision.ts'

interface DenyForLongProps {
  readonly request: ToolCallRequest
  readonly decision: ToolDecision
  readonly onCancel: () => void
  readonly inline?: boolean
}

export function DenyForLong({ request, decision, onCancel, inline = false }: DenyForLongProps) {
  const [chosen, setChosen] = useState(onceOnly)
  return (
    <>
      <ScopeChoice
        request={request}
        value={chosen}
        offer={decision.offer && forRefusal(decision.offer)}
        onChange={setChosen}
        inline={inline}
        effect="deny"
      />
      <DenyReason
        onDeny={(word, stop) => decision.deny(word, stop, chosen)}
        onCancel={onCancel}
        lasting={chosen.choice === 'narrow' || chosen.choice === 'always'}
      />
    </>
  )
}
