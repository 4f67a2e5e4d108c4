// Step 1 of a sampling request (MCP, "Sampling"): all that the model would be sent. The person may edit it and choose the model;
// only what they changed goes to the host. The answer is a request of its own, shown before the server gets it. Edits are kept
// while the request waits.

import { useMemo } from 'react'
import type { ConsentRequestOf } from '#app/consent/request.ts'
import {
  applyEdit,
  editOf,
  promptTokens,
  type SamplingCost,
  type SamplingMessage,
  type SamplingPrompt,
  type SamplingTool,
  type SamplingWishes,
  samplingCost,
  samplingTexts,
} from '#app/consent/sampling.ts'
import { formatList, formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { type ModelInfo, takesTemperature } from '#app/models/models.ts'
import type { SamplingDraft } from '#renderer/stores/request-drafts.ts'
import { useModels, useRequestDraft, useStores } from '#renderer/stores/store-hooks.tsx'
import { IconButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { SelectField, TextField } from '#renderer/ui/field.tsx'
import { Badge } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { WarnNotice } from '#renderer/ui/notice.tsx'
import { Fact } from '#renderer/ui/text/section.tsx'
import { anyHidden, ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import { useWhyLabel, WhyAsked } from '../request/request-frame.tsx'
import { YesNoRequest } from '../request/yes-no-request.tsx'
import { LongText } from '../tool-call/argument-list.tsx'
import { EditedText, Messages, OfferedTools, SamplingBudgetLine, useSamplingRule } from './sampling-parts.tsx'

const nothing: SamplingDraft = {}

export function useSamplingDraft(requestId: string) {
  const { requestDrafts } = useStores()
  const draft = useRequestDraft(requestId)
  const sampling = draft.sampling ?? nothing
  const keep = (change: Partial<SamplingDraft>): void => requestDrafts.set(requestId, { ...draft, sampling: { ...sampling, ...change } })
  return [sampling, keep] as const
}

type PromptDraft = ReturnType<typeof usePromptDraft>

/** The prompt as it would be sent: the server's, or the person's edit of it. */
function usePromptDraft(original: ConsentRequestOf<'sampling'>) {
  const [{ prompt: draft }, keep] = useSamplingDraft(original.id)
  const setDraft = (next: SamplingPrompt | undefined): void => keep({ prompt: next })
  const prompt = draft ?? original
  // A prompt may be long: compared once, not at each rendering.
  const { edit, edited, wordless } = useMemo(() => {
    const edit = editOf(prompt)
    const edited = prompt !== original && JSON.stringify(edit) !== JSON.stringify(editOf(original))
    return { edit, edited, wordless: applyEdit(original, edit) === undefined }
  }, [prompt, original])
  return {
    prompt,
    editing: draft !== undefined,
    edited,
    /** A message is empty. */
    wordless,
    /** The changes for the answer; undefined: the server's text stands. */
    edit: edited ? edit : undefined,
    begin: (): void => setDraft({ systemPrompt: prompt.systemPrompt, messages: prompt.messages }),
    undo: (): void => setDraft(undefined),
    writeSystem: (systemPrompt: string): void => setDraft({ ...prompt, systemPrompt }),
    write: (message: number, part: number, text: string): void =>
      setDraft({
        ...prompt,
        messages: prompt.messages.map((one, index) =>
          index === message ? { ...one, parts: one.parts.map((each, at) => (at === part ? { type: 'text' as const, text } : each)) } : one,
        ),
      }),
  }
}

type Request = Pick<ConsentRequestOf<'sampling'>, 'server' | 'hints' | 'wishes'>

/** `models`: how many there are to choose from. */
function modelHelp({ server, hints, wishes }: Request): string {
  const wants = [...hints.map((hint) => `“${hint}”`), ...(priorityWords(wishes?.priorities) ?? [])]
  if (wants.length === 0) return t`Any model`
  return t`Preferred by “${server}”: ${formatList(wants)}.`
}

const names = { cost: t`a low price`, speed: t`speed`, intelligence: t`intelligence` } as const

function priorityWords(priorities: SamplingWishes['priorities']): readonly [string] | undefined {
  const asked = (Object.keys(names) as (keyof typeof names)[])
    .map((name) => ({ name, share: priorities?.[name] ?? 0 }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share)
  const [first, second] = asked
  if (!first) return undefined
  if (!second) return [t`${names[first.name]} first`]
  const [one, two] = [names[first.name], names[second.name]]
  return [first.share === second.share ? t`${one} and ${two}` : t`${one} before ${two}`]
}

/** Wishes of the server for the answer; `note`: whether the model is told of them. */
function wishLines(wishes: SamplingWishes = {}, model: ModelInfo | undefined) {
  const { temperature, stopSequences = [], includeContext, metadata } = wishes
  const takesNone = model && takesTemperature(model.provider) ? '' : t`Not passed on.`
  const heedsNone = model?.ai === false ? t`Not passed on.` : ''
  const unseen = stopSequences.some((one) => one.trim() === '') ? t`Invisible text is left out.` : ''
  const context = includeContext === 'thisServer' ? t`of its own` : t`of all servers`
  const stops = stopSequences.map((one) => JSON.stringify(one)).join(', ')
  return [
    temperature !== undefined && { label: t`Temperature`, value: String(temperature), note: takesNone },
    stops !== '' && { label: t`Stop sequences`, value: stops, note: heedsNone || unseen },
    includeContext !== undefined && { label: t`Asks for context`, value: context, note: t`Not passed on.` },
    metadata && { label: t`Metadata`, value: t`included`, note: t`Not passed on.` },
  ].filter((line) => line !== false && line !== undefined)
}

const hasImage = ({ parts }: SamplingMessage): boolean =>
  parts.some((part) => part.type === 'image' || (part.type === 'tool-result' && part.content.some(({ type }) => type === 'image')))

function hidesAnything({ systemPrompt = '', messages }: SamplingPrompt, tools: readonly SamplingTool[]): boolean {
  const texts = [systemPrompt, ...samplingTexts(messages), ...(tools.length > 0 ? [JSON.stringify(tools)] : [])]
  return anyHidden([...texts, ...tools.flatMap(({ name, description = '' }) => [name, description])])
}

export function SamplingCard({ request }: { readonly request: ConsentRequestOf<'sampling'> }) {
  const { server, tools, maxTokens } = request
  const draft = usePromptDraft(request)
  const { messages } = draft.prompt
  const models = useModels((state) => state.models)
  const [{ model = request.model, longest = String(maxTokens) }, keep] = useSamplingDraft(request.id)
  const rule = useSamplingRule({ request, step: 'requests' })
  const whyWords = useWhyLabel(request)
  const tokens = useMemo(() => promptTokens(draft.prompt, tools), [draft.prompt, tools])
  const cost = samplingCost(tokens, longest, request)
  const chosen = models.find((one) => one.id === model)
  const hidden = useMemo(() => hidesAnything(draft.prompt, tools), [draft.prompt, tools])
  const content = useMemo(() => JSON.stringify([request, model, draft.editing, rule.scope]), [request, model, draft.editing, rule.scope])
  const changes = { ...(draft.edit && { prompt: draft.edit }), ...(cost.most !== maxTokens && { maxTokens: cost.most }) }
  return (
    <YesNoRequest
      request={request}
      content={content}
      headActions={
        !draft.editing && <IconButton label={t`Edit the prompt (E)`} icon="edit" small data-focus-back="" onClick={draft.begin} />
      }
      onEdit={draft.begin}
      allowed={{ scope: 'once', ...rule.answer, model, ...changes }}
      plain={hidden || cost.over}
      impossible={draft.wordless || cost.tooLong || rule.answer === undefined}
      yes={tx`Send to ${chosen?.name ?? model}`}
      problem={rule.problem}
    >
      <p className="dim">{tx`Step 1 of 2: the prompt. You see the answer before ${<ServerName name={server} />} does.`}</p>
      <Prompt request={request} draft={draft} />
      {chosen?.images === false && messages.some(hasImage) && (
        <WarnNotice title={t`This model does not see images.`}>{t`Choose another model to have them read.`}</WarnNotice>
      )}
      <ModelAndLength request={request} model={model} longest={longest} tooLong={cost.tooLong} onChange={keep} />
      <WishesAndCost request={request} model={chosen} cost={cost} />
      {cost.over && (
        <WarnNotice title={t`This exceeds the daily limit of “${server}”.`}>{t`If you send it, this once is allowed.`}</WarnNotice>
      )}
      {rule.choice}
      <WhyAsked>{tx`${whyWords} The model sees no chat and no other server’s data.`}</WhyAsked>
    </YesNoRequest>
  )
}

type SamplingPartProps = { readonly request: ConsentRequestOf<'sampling'> }

/** Everything that the model would read, as text or as text boxes. */
function Prompt({ request: { server, tools, toolChoice }, draft }: SamplingPartProps & { readonly draft: PromptDraft }) {
  const { systemPrompt, messages } = draft.prompt
  return (
    <>
      {draft.editing && <EditedPrompt draft={draft} />}
      {systemPrompt !== undefined &&
        (draft.editing ? (
          <EditedText label={t`System prompt`} text={systemPrompt} onText={draft.writeSystem} />
        ) : (
          <div className="field">
            <span className="label">{tx`System prompt ${<span className="req">{tx`by ${<ServerName name={server} />}`}</span>}`}</span>
            <LongText text={systemPrompt} label={t`System prompt`} />
          </div>
        ))}
      <Messages messages={messages} onText={draft.editing ? draft.write : undefined} />
      {tools.length > 0 && <OfferedTools server={server} tools={tools} />}
      {tools.length > 0 && toolChoice !== 'auto' && (
        <p className="help">{toolChoice === 'required' ? t`The model must use one of them.` : t`The model may use none of them.`}</p>
      )}
    </>
  )
}

interface ModelAndLengthProps extends SamplingPartProps {
  readonly model: string
  readonly longest: string
  readonly tooLong: boolean
  readonly onChange: (change: { readonly model: string } | { readonly longest: string }) => void
}

function ModelAndLength({ request, model, longest, tooLong, onChange }: ModelAndLengthProps) {
  const { server, maxTokens } = request
  const models = useModels((state) => state.models)
  const options = models.map(({ id, ai, name }) => ({ value: id, label: ai ? name : t`${name} (not an AI)` }))
  return (
    <div className="grid2">
      <SelectField
        label={t`Model`}
        help={<VisibleText text={modelHelp(request)} />}
        value={model}
        options={options.some(({ value }) => value === model) ? options : [{ value: model, label: model }, ...options]}
        onChoose={(id) => onChange({ model: id })}
      />
      <TextField
        label={t`Longest answer`}
        note={t`tokens`}
        help={t`“${server}” asked for ${formatNumber(maxTokens)}.`}
        error={tooLong ? t`A whole number from ${1} to ${formatNumber(maxTokens)}.` : undefined}
        className="num"
        inputMode="numeric"
        value={longest}
        onText={(text) => onChange({ longest: text.trim() })}
      />
    </div>
  )
}

type WishesAndCostProps = SamplingPartProps & { readonly model: ModelInfo | undefined; readonly cost: SamplingCost }

function WishesAndCost({ request: { server, wishes, maxTokens, day }, model, cost }: WishesAndCostProps) {
  const { tokens, most, tooLong } = cost
  return (
    <dl className="kv">
      {wishLines(wishes, model).map(({ label, value, note }) => (
        <Fact key={label} label={label}>
          <VisibleText className="mono" text={value} /> {note !== '' && <span className="dim">{note}</span>}
        </Fact>
      ))}
      <Fact label={t`At most`} className="num">
        {tx`${formatNumber(tokens + (tooLong ? maxTokens : most))} tokens, ${formatNumber(tokens)} of them the prompt`}
      </Fact>
      {day && <SamplingBudgetLine server={server} day={day} />}
    </dl>
  )
}

const EditedPrompt = ({ draft }: { readonly draft: PromptDraft }) => (
  <p className="row">
    {draft.edited && <Badge tone="ink">{t`edited by you`}</Badge>}
    {draft.wordless && <span className="err">{t`Required`}</span>}
    <SmallGhostButton onClick={draft.undo}>{t`Undo`}</SmallGhostButton>
  </p>
)
