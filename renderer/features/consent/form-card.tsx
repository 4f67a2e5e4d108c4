// "ledger asks you for an answer": its form, drawn from the schema it sent. Errors show when the person sends it, and
// nothing is sent that they did not write or choose, except what the server proposed and they left standing.
import { useMemo, useRef, useState } from 'react'
import { elicitationFields, validateElicitation } from '#app/consent/elicitation.ts'
import type { ConsentRequestOf } from '#app/consent/request.ts'
import type { Json } from '#app/json.ts'
import { useStores } from '#renderer/stores/react.tsx'
import { announce } from '#renderer/stores/view.ts'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { AllowButton, DenyButton } from './answer-buttons.tsx'
import { AskFrame } from './ask-frame.tsx'
import { FormField } from './form-field.tsx'
import { type FormValues, proposedValues, toContent } from './form-values.ts'
import { NotNow } from './not-now.tsx'
import { allowChord, denyChord } from './request-keys.ts'
import { useAnswer } from './use-answer.ts'
import { useArming } from './use-arming.ts'

export function FormCard({ request }: { readonly request: ConsentRequestOf<'elicitation-form'> }) {
  const card = useRef<HTMLElement>(null)
  const { view } = useStores()
  const { busy, answer } = useAnswer(request)
  const fields = useMemo(() => elicitationFields(request.requestedSchema), [request.requestedSchema])
  const [values, setValues] = useState<FormValues>(() => proposedValues(fields))
  const [sent, setSent] = useState(false)
  const arming = useArming(card, JSON.stringify([request.message, request.requestedSchema]))
  const check = validateElicitation(request.requestedSchema, toContent(fields, values))
  const errors: Readonly<Record<string, string>> = sent && !check.ok ? check.errors : {}
  const wrong = Object.keys(errors).length
  const wrongWords = wrong === 1 ? '1 answer to correct' : `${wrong} answers to correct`

  const submit = (): void => {
    if (busy || !arming.mayPress()) return
    setSent(true)
    if (check.ok) answer({ kind: 'allow', scope: 'once', content: check.content as Record<string, Json> })
    else {
      const count = Object.keys(check.errors).length
      announce(view, count === 1 ? '1 answer to correct.' : `${count} answers to correct.`)
    }
  }
  const decline = (): void => answer({ kind: 'deny' })
  return (
    <AskFrame
      request={request}
      card={card}
      onAllow={submit}
      onDeny={decline}
      footer={
        <>
          <AllowButton arming={arming} blocked={busy} plain={wrong > 0} chord={allowChord} onPress={submit}>
            Send to {request.server}
          </AllowButton>
          <DenyButton chord={denyChord} onPress={decline}>
            Decline
          </DenyButton>
          {wrong > 0 && <span className="help dangertext">{wrongWords}</span>}
          <span className="grow" />
          <NotNow />
        </>
      }
    >
      <p className="dim">
        “<Revealed text={request.message} />” Your answers go to {request.server} and into this chat.
      </p>
      <div className="form-fields">
        {fields.map((field) => (
          <FormField
            key={field.name}
            server={request.server}
            field={field}
            value={values[field.name]}
            error={errors[field.name]}
            onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
      </div>
    </AskFrame>
  )
}
