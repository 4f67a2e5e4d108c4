// "ledger asks you for an answer": its form, drawn from the schema it sent, checked while the person types. Nothing is sent
// that they did not write or choose, except what the server proposed and they left standing. Of several forms that came
// together one is shown at a time; they go back and forth, and all of them are sent with the last.
import { useMemo, useRef } from 'react'
import { elicitationFields } from '#app/consent/elicitation.ts'
import { useStores } from '#renderer/stores/react.tsx'
import { announce } from '#renderer/stores/view.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Badge } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { AllowButton, DenyButton } from './answer-buttons.tsx'
import { AskFrame } from './ask-frame.tsx'
import { FormField } from './form-field.tsx'
import { NotNow } from './not-now.tsx'
import { allowChord, denyChord } from './request-keys.ts'
import { useArming } from './use-arming.ts'
import { useForm } from './use-form.ts'
import { type FormRequest, type FormSteps, useFormSteps } from './use-form-steps.ts'

export function FormCard({ request }: { readonly request: FormRequest }) {
  const steps = useFormSteps(request)
  return steps.shown ? <FormStepCard request={request} steps={steps} /> : null
}

function FormStepCard({ request, steps }: { readonly request: FormRequest; readonly steps: FormSteps }) {
  const card = useRef<HTMLElement>(null)
  const { view } = useStores()
  const fields = useMemo(() => elicitationFields(request.requestedSchema), [request.requestedSchema])
  const form = useForm(request, fields)
  const { step, server } = request
  const arming = useArming(card, JSON.stringify([request.message, request.requestedSchema, steps.next === undefined]))
  const wrong = Object.keys(form.errors).length

  const goOn = (): void => {
    const left = form.check()
    if (left > 0) announce(view, wrongWords(left))
    else if (steps.next !== undefined) steps.go(steps.next)
    else if (arming.mayPress()) steps.send()
  }
  const decline = (): void => steps.answer({ kind: 'deny' })
  return (
    <AskFrame
      request={request}
      card={card}
      beside={
        step && (
          <Badge>
            {step.index} of {step.count}
          </Badge>
        )
      }
      onAllow={goOn}
      onDeny={decline}
      onEscape={steps.dismiss}
      onEscapeWriting={steps.focus}
      footer={
        <>
          {steps.back !== undefined && <Button onClick={() => steps.back !== undefined && steps.go(steps.back)}>Back</Button>}
          {steps.next === undefined ? (
            <AllowButton arming={arming} blocked={steps.busy} plain={wrong > 0} chord={allowChord} onPress={goOn}>
              Send to {server}
            </AllowButton>
          ) : (
            <Button variant={wrong > 0 ? 'plain' : 'primary'} onClick={goOn}>
              Next
            </Button>
          )}
          <DenyButton chord={denyChord} onPress={decline}>
            {step ? 'Decline this one' : 'Decline'}
          </DenyButton>
          {wrong > 0 && <span className="help dangertext">{wrongWords(wrong)}</span>}
          <span className="grow" />
          <NotNow onPress={steps.dismiss} />
        </>
      }
    >
      <p className="dim">
        “<Revealed text={request.message} />” Your answers go to {server} and into this chat.
        {step && ' Nothing is sent before the last step.'}
      </p>
      <div className="form-fields">
        {fields.map((field) => (
          <FormField
            key={field.name}
            server={server}
            field={field}
            value={form.values[field.name]}
            error={form.errors[field.name]}
            onChange={(value) => form.write(field.name, value)}
          />
        ))}
      </div>
      <p className="faint">Decline says no. Not now gives {server} no answer, and it may ask again.</p>
    </AskFrame>
  )
}

const wrongWords = (count: number): string => (count === 1 ? '1 answer to correct' : `${count} answers to correct`)
