// How long a yes counts. The narrowest comes first and is chosen at the start.
import type { ConsentScope, ToolCallRequest } from '#app/consent/request.ts'
import { type Choice, RadioList } from '#renderer/ui/choices.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'

export const scopeLabel = (scope: ConsentScope): string =>
  ({ once: 'Allow once', conversation: 'Allow in this chat', always: 'Allow and add this rule' })[scope]

interface ScopeChoiceProps {
  readonly request: ToolCallRequest
  readonly value: ConsentScope
  readonly onChange: (scope: ConsentScope) => void
  /** Side by side rather than below each other. */
  readonly inline?: boolean
}

export function ScopeChoice({ request, value, onChange, inline }: ScopeChoiceProps) {
  const tool = (
    <span className="mono">
      <Revealed text={request.tool} />
    </span>
  )
  const choices: Choice<ConsentScope>[] = [
    { value: 'once', label: 'Once' },
    ...(request.conversationId === undefined ? [] : [{ value: 'conversation', label: 'For this conversation' } as const]),
    inline
      ? { value: 'always', label: <>Always for {tool}</>, help: 'Always: with any arguments; asks again if the tool changes.' }
      : {
          value: 'always',
          label: (
            <>
              Always, this tool of {request.server}: {tool}
            </>
          ),
          help: 'with any arguments; asks again if the tool changes',
        },
  ]
  return <RadioList label="How long to allow it" value={value} choices={choices} onChange={onChange} inline={inline ?? false} />
}
