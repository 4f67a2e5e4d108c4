// What a form's card and its sheet have in common: the server's words, the fields drawn from the schema it sent, the buttons.

import { t } from '#app/words/translate.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Badge } from '#renderer/ui/marks.tsx'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { AllowButton, DenyButton } from './answer-buttons.tsx'
import { FormField } from './form-field.tsx'
import { NotNow } from './not-now.tsx'
import { allowChord, denyChord } from './request-keys.ts'
import { useUnseen } from './unseen.tsx'
import { type FormAnswer, wrongWords } from './use-form-answer.ts'
import type { FormRequest, FormSteps } from './use-form-steps.ts'

export const StepBadge = ({ request: { step } }: { readonly request: FormRequest }) =>
  step ? <Badge>{tx`${step.index} of ${step.count}`}</Badge> : null

export function FormWords({ request: { message, server, conversationId, step } }: { readonly request: FormRequest }) {
  return (
    <p className="dim">
      {conversationId === undefined
        ? tx`“${<Revealed text={message} />}” Your answers go to ${<ServerName name={server} />}.`
        : tx`“${<Revealed text={message} />}” Your answers go to ${<ServerName name={server} />} and into this chat.`}
      {step && <> {t`Nothing is sent before the last step.`}</>}
    </p>
  )
}

interface FormFieldsProps {
  readonly request: FormRequest
  readonly answer: FormAnswer
}

export function FormFields({ request: { server }, answer: { fields, form } }: FormFieldsProps) {
  return (
    <>
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
      <p className="faint">{tx`Decline says no. Not now gives ${<ServerName name={server} />} no answer, and it may ask again.`}</p>
    </>
  )
}

interface FormButtonsProps extends FormFieldsProps {
  readonly steps: FormSteps
  /** In its sheet: the buttons are large, and Escape closes it. */
  readonly sheet?: boolean
}

export function FormButtons({
  request: { server, step },
  answer: { arming, wrong, goOn, decline },
  steps,
  sheet = false,
}: FormButtonsProps) {
  const size = sheet ? 'lg' : 'md'
  const { back, next } = steps
  const unseen = useUnseen()
  return (
    <>
      {back !== undefined && (
        <Button size={size} onClick={() => steps.go(back)}>
          {t`Back`}
        </Button>
      )}
      {next === undefined ? (
        <AllowButton arming={arming} blocked={steps.busy} plain={wrong > 0} chord={allowChord} large={sheet} onPress={goOn}>
          {tx`Send to ${<ServerName name={server} />}`}
        </AllowButton>
      ) : (
        <Button variant={wrong > 0 || unseen !== undefined ? 'plain' : 'primary'} size={size} onClick={goOn}>
          {t`Next`}
        </Button>
      )}
      <DenyButton chord={denyChord} large={sheet} onPress={decline}>
        {step ? t`Decline this one` : t`Decline`}
      </DenyButton>
      {wrong > 0 && <span className="help dangertext">{wrongWords(wrong)}</span>}
      <span className="grow" />
      <NotNow onPress={steps.dismiss} sheet={sheet} />
    </>
  )
}
