// The card of a form elicitation (MCP, "Elicitation", form mode), and its sheet beside the chat, which has room for all fields. Values
// are kept while the request waits. Several forms that came in one result are steps: one is shown at a time, and the last one sends
// them all. A form that came alone is its own only step.

import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { type ElicitationField, elicitationFields, validateElicitation } from '#app/consent/elicitation.ts'
import type { ConsentAnswer, ConsentRequest, ConsentRequestOf } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { type Json, type JsonObject, ownMember } from '#app/json.ts'
import { focusRequest, focusRequestSoon } from '#renderer/navigation/focus.ts'
import { navigate } from '#renderer/router.ts'
import type { FormDraft, FormValue, FormValues } from '#renderer/stores/request-drafts.ts'
import { useConsent, useRequestDraft, useShallow, useStores } from '#renderer/stores/store-hooks.tsx'
import { Button, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Badge } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { anyHidden, fitsField, Growing, ServerName, useTextsInTurn, WholeVisibleText } from '#renderer/ui/visible-text.tsx'
import { AllowButton, DenyButton, useUnseen } from '../request/answer-buttons.tsx'
import { ConsentRequestFrame, SheetFrame } from '../request/request-frame.tsx'
import { type AnswerFollower, useAnswer } from '../request/use-answer.ts'
import { useArming } from '../request/use-arming.ts'
import type { Review } from '../request/use-review.ts'
import { FormField } from './form-field.tsx'

function proposedValues(fields: readonly ElicitationField[]): FormValues {
  return Object.fromEntries(fields.flatMap((field) => (field.kind === 'unsupported' ? [] : [[field.name, proposed(field)]])))
}

/** Default of a field. A field that looks like a secret is never filled in, nor one with a text that an input cannot show. */
function proposed(field: Exclude<ElicitationField, { kind: 'unsupported' }>): FormValue {
  if (field.kind === 'boolean') return field.default ?? false
  if (field.kind === 'choices') return field.default ?? []
  if (field.kind === 'number') return String(field.default ?? '')
  return field.secret || !fitsField(field.default ?? '') ? '' : (field.default ?? '')
}

/** The value as JSON, or undefined where it is no answer, as an empty text or number. */
function sentAs(field: ElicitationField, value: FormValue): Json | undefined {
  if (field.kind === 'choices') return Array.isArray(value) && (value.length > 0 || field.required) ? [...value] : undefined
  if (typeof value !== 'string') return typeof value === 'boolean' ? value : undefined
  if (value === '') return undefined
  // What is no number stays text, so that the check can say so.
  if (field.kind === 'number') return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
  return value
}

function toContent(fields: readonly ElicitationField[], values: FormValues): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = ownMember(values, field.name)
      const sent = value === undefined ? undefined : sentAs(field, value)
      return sent === undefined ? [] : [[field.name, sent]]
    }),
  )
}

type FormRequest = ConsentRequestOf<'elicitation-form'>

type FormSteps = ReturnType<typeof useFormSteps>

const isOfGroup = (one: ConsentRequest, request: FormRequest): one is FormRequest =>
  one.id === request.id || (one.kind === 'elicitation-form' && one.step !== undefined && one.step.group === request.step?.group)

/** `onGo`: called with the id of the step to show. */
function useFormSteps(request: FormRequest, follower?: AnswerFollower, onGo?: (id: string) => void) {
  const { actions, requestDrafts } = useStores()
  const { busy, answer } = useAnswer(request, follower)
  const [sending, setSending] = useState(false)
  const open = useConsent(useShallow((state) => state.requests.filter((one) => isOfGroup(one, request))))
  const group = [...open].sort((a, b) => (a.step?.index ?? 0) - (b.step?.index ?? 0))
  const chosen = useStore(requestDrafts.store, ({ byRequest }) => group.find(({ id }) => byRequest[id]?.shown)?.id)
  const at = group.findIndex(({ id }) => id === request.id)
  const late = useStore(requestDrafts.store, ({ left }) => {
    const answered = request.step && left[request.step.group]
    return answered !== undefined && !answered.includes(request.id)
  })
  const draftOf = (id: string) => requestDrafts.store.getState().byRequest[id] ?? {}

  const go = (id: string): void => {
    for (const one of group) {
      const { shown: _, ...draft } = draftOf(one.id)
      requestDrafts.set(one.id, one.id === id ? { ...draft, shown: true } : draft)
    }
    onGo?.(id)
    focusRequestSoon(id)
  }
  const contentOf = (one: FormRequest) => {
    const fields = elicitationFields(one.requestedSchema)
    return validateElicitation(one.requestedSchema, toContent(fields, draftOf(one.id).form?.values ?? proposedValues(fields)))
  }
  /** Answers the request of this step last: that moves the focus on. */
  const answerAll = async (answerTo: (one: FormRequest) => ConsentAnswer): Promise<void> => {
    if (sending || busy) return
    setSending(true)
    for (const one of group) if (one.id !== request.id) await actions.answer(one.id, answerTo(one))
    setSending(false)
    answer(answerTo(request))
  }

  const dismiss = (): void => {
    const ids = group.map(({ id }) => id)
    if (request.step) requestDrafts.leave(request.step.group, ids)
    void answerAll(() => ({ kind: 'cancel' }))
  }
  // This form was on its way while the others were skipped.
  useEffect(() => {
    if (late) answer({ kind: 'cancel' })
  }, [late, answer])

  return {
    shown: (chosen ?? group[0]?.id ?? request.id) === request.id,
    busy: busy || sending,
    /** Ids of the neighbours that still wait. */
    back: group[at - 1]?.id,
    next: group[at + 1]?.id,
    go,
    answer,
    /** Sends all steps. Where one is wrong, goes there instead. */
    send(): void {
      const wrong = group.find((one) => !contentOf(one).ok)
      if (wrong) {
        const { form } = draftOf(wrong.id)
        if (form) requestDrafts.set(wrong.id, { ...draftOf(wrong.id), form: { ...form, checked: true } })
        go(wrong.id)
        return
      }
      void answerAll((one) => {
        const checked = contentOf(one)
        return { kind: 'allow', scope: 'once', content: (checked.ok ? checked.content : {}) as Record<string, Json> }
      })
    },
    dismiss,
    focus: () => void focusRequest(request.id),
  }
}

const wrongAnswersLabel = (count: number): string => t`${count} {value|values} to correct.`

/** The values of a step and its answers. `place`: the element that must stand still before the form can be sent. */
function useFormAnswer(request: FormRequest, steps: FormSteps, place: RefObject<HTMLElement | null>) {
  const { requestDrafts, actions } = useStores()
  const draft = useRequestDraft(request.id)
  const { requestedSchema, message } = request
  const fields = useMemo(() => elicitationFields(requestedSchema, message), [requestedSchema, message])
  const form: FormDraft = draft.form ?? { values: proposedValues(fields), changed: [], checked: false }
  const { values, changed } = form
  const checked = validateElicitation(request.requestedSchema, toContent(fields, values))
  const all = Object.entries(checked.ok ? {} : checked.errors)
  // Errors of changed fields, and all once the person tried to go on.
  const errors = all.filter(([name]) => form.checked || changed.includes(name))
  const arming = useArming(place, JSON.stringify([request.message, request.requestedSchema, steps.next === undefined]))
  const keep = (change: Partial<FormDraft>): void => requestDrafts.set(request.id, { ...draft, form: { ...form, ...change } })
  return {
    fields,
    values,
    errors: Object.fromEntries(errors),
    arming,
    wrong: errors.length,
    /** Whether the request holds a character that cannot be seen. */
    hidden: useMemo(() => anyHidden([message, requestedSchema]), [message, requestedSchema]),
    write: (name: string, value: FormValue): void =>
      keep({ values: { ...values, [name]: value }, changed: changed.includes(name) ? changed : [...changed, name] }),
    /** Goes to the next step, or from the last one sends all. */
    goOn(): void {
      keep({ checked: true })
      const left = all.length
      if (left > 0) actions.announce(wrongAnswersLabel(left))
      else if (steps.next !== undefined) steps.go(steps.next)
      else if (arming.mayPress()) steps.send()
    },
    decline: (): void => steps.answer({ kind: 'deny' }),
  }
}

const StepBadge = ({ request: { step } }: { readonly request: FormRequest }) =>
  step ? <Badge>{tx`${step.index} of ${step.count}`}</Badge> : null

const FormMessage = ({ request: { message, server, conversationId, step } }: { readonly request: FormRequest }) => (
  <p className="dim">
    {conversationId === undefined
      ? tx`“${<WholeVisibleText text={message} />}” Answers go to ${<ServerName name={server} />}.`
      : tx`“${<WholeVisibleText text={message} />}” Answers go to ${<ServerName name={server} />} and into this chat.`}
    {step && <> {t`Nothing is sent before the last step.`}</>}
  </p>
)

type FormFieldsProps = { readonly request: FormRequest; readonly answer: ReturnType<typeof useFormAnswer> }

function FormFields({ request: { server }, answer: { fields, values, errors, write } }: FormFieldsProps) {
  const drawn = useTextsInTurn(useMemo(() => fields.map(lengthOf), [fields]))
  return (
    <>
      <div className="form-fields">
        {fields.slice(0, drawn).map((field) => (
          <FormField
            key={field.name}
            server={server}
            field={field}
            value={ownMember(values, field.name)}
            error={ownMember(errors, field.name)}
            onChange={(value) => write(field.name, value)}
          />
        ))}
        {drawn < fields.length && <Growing />}
      </div>
      <p className="faint">{tx`Cancel sends no answer. ${<ServerName name={server} />} may ask again.`}</p>
    </>
  )
}

const lengthOf = (field: ElicitationField): number => JSON.stringify(field).length

/** `sheet`: the buttons stand in a sheet: they are large, and Escape closes it. */
type FormButtonsProps = FormFieldsProps & { readonly steps: FormSteps; readonly sheet?: boolean }

function FormButtons({ request: { server, step }, answer, steps, sheet = false }: FormButtonsProps) {
  const { arming, wrong, hidden, goOn, decline } = answer
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
        <AllowButton arming={arming} blocked={steps.busy} plain={wrong > 0 || hidden} large={sheet} onPress={goOn}>
          {tx`Send to ${<ServerName name={server} />}`}
        </AllowButton>
      ) : (
        <Button variant={wrong > 0 || hidden || unseen !== undefined ? 'plain' : 'primary'} size={size} onClick={goOn}>
          {t`Next`}
        </Button>
      )}
      <DenyButton large={sheet} onPress={decline}>
        {step ? t`Decline this one` : t`Decline`}
      </DenyButton>
      {wrong > 0 && <span className="help dangertext">{wrongAnswersLabel(wrong)}</span>}
      <span className="grow" />
      <Button variant="ghost" size={size} onClick={steps.dismiss}>
        {t`Cancel`}
      </Button>
    </>
  )
}

export function FormCard({ request }: { readonly request: FormRequest }) {
  const steps = useFormSteps(request)
  return steps.shown ? <FormStepCard request={request} steps={steps} /> : null
}

function FormStepCard({ request, steps }: { readonly request: FormRequest; readonly steps: FormSteps }) {
  const card = useRef<HTMLElement>(null)
  const answer = useFormAnswer(request, steps, card)
  const { id, conversationId } = request
  const review = conversationId === undefined ? undefined : () => navigate({ page: 'chat', id: conversationId, review: id })
  return (
    <ConsentRequestFrame
      request={request}
      card={card}
      beside={<StepBadge request={request} />}
      headActions={review && <SmallGhostButton className="wide-only" onClick={review}>{t`Open full size`}</SmallGhostButton>}
      onAllow={answer.goOn}
      allowKey={t`Send`}
      onDeny={answer.decline}
      denyKey={t`Decline`}
      onReview={review}
      onEscapeWriting={steps.focus}
      footer={<FormButtons request={request} answer={answer} steps={steps} />}
    >
      <FormMessage request={request} />
      <FormFields request={request} answer={answer} />
    </ConsentRequestFrame>
  )
}

export function FormSheet({ request, review }: { readonly request: FormRequest; readonly review: Review }) {
  const footer = useRef<HTMLElement>(null)
  const steps = useFormSteps(request, review.follower, review.show)
  const answer = useFormAnswer(request, steps, footer)
  const { shown, go } = steps
  useEffect(() => {
    // The card is that of the same step when the sheet closes.
    if (!shown) go(request.id)
  })
  return (
    <SheetFrame
      review={review}
      detail={<StepBadge request={request} />}
      onAllow={answer.goOn}
      allowKey={t`Send`}
      onDeny={answer.decline}
      denyKey={t`Decline`}
      footerRef={footer}
      footer={<FormButtons request={request} answer={answer} steps={steps} sheet />}
    >
      <FormMessage request={request} />
      <FormFields request={request} answer={answer} />
    </SheetFrame>
  )
}
