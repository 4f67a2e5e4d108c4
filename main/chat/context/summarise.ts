// One summary, written by the model into a message of its own. Until that message is `done`, the model reads the whole history: a stop,
// a crash or an error changes nothing.
import type { SummaryMessage } from '#app/chat/message.ts'
import { HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { stripHidden } from '#app/text/hidden-characters.ts'
import { orAborted } from '#main/base/abort.ts'
import { newId } from '#main/base/ids.ts'
import { type ModelEvent, textAfter } from '#main/models/provider.ts'
import type { ChatContext } from '../chat-context.ts'
import type { ActivityTracker } from '../turn-activity.ts'
import type { GatheredContext } from './build-context.ts'
import type { CompactionPlan } from './compaction-plan.ts'
import { type SummaryRequest, summaryRequest } from './summary-request.ts'

export interface SummariseContext {
  readonly deps: ChatContext
  readonly turnId: string
  readonly activity: Pick<ActivityTracker, 'compacting' | 'retrying' | 'answering'>
  readonly signal: AbortSignal
  readonly quitting: () => boolean
}

interface SummariseOptions {
  readonly gathered: GatheredContext
  readonly plan: CompactionPlan & { readonly kind: 'summarise' }
  readonly by: SummaryMessage['by']
  readonly keep?: string | undefined
  /** Tokens of the provider for one of the host's estimate. */
  readonly factor: number
}

const SHOWN_EVERY_MS = 400
const LONGEST_SUMMARY = 60_000

/** Resolves to the finished or failed summary; rejects when it cannot be written, or was stopped. */
export async function summarise(context: SummariseContext, options: SummariseOptions): Promise<SummaryMessage> {
  const { deps, activity } = context
  const writer = createSummaryWriter(deps, begun(context, options))
  activity.compacting(options.plan.count)
  try {
    const text = await written(context, options, writer)
    return writer.finish({ state: 'done', text })
  } catch (error) {
    if (context.signal.aborted) {
      writer.finish({ state: context.quitting() ? 'interrupted' : 'stopped' })
      throw error
    }
    deps.onError?.(error)
    return writer.finish({ state: 'failed', error: toErrorValue(error) })
  } finally {
    activity.compacting(undefined)
  }
}

function begun({ deps, turnId }: SummariseContext, { gathered, plan, by, keep }: SummariseOptions): SummaryMessage {
  const { conversation, messages } = gathered
  const index = messages.findIndex(({ id }) => id === plan.until)
  return {
    role: 'summary',
    id: newId(),
    conversationId: conversation.id,
    turnId,
    createdAt: deps.clock.now(),
    model: conversation.model,
    by,
    ...(keep === undefined ? {} : { keep }),
    covers: { until: plan.until, messages: messages.slice(0, index + 1).filter(({ role }) => role !== 'summary').length },
    text: '',
    state: 'writing',
  }
}

/** Asks with the history as the model has read it, then with shortened results where that is too long or gave no text. */
async function written(context: SummariseContext, options: SummariseOptions, writer: SummaryWriter): Promise<string> {
  const { gathered, plan, keep, factor, by } = options
  const limit = gathered.info?.contextTokens ?? Number.POSITIVE_INFINITY
  const full = summaryRequest(gathered, plan.until, { keep, short: false })
  if (by !== 'refused' && full.estimate * factor <= limit) {
    try {
      const text = await ask(context, gathered, full, writer)
      if (text !== '') return text
    } catch (error) {
      if (!(error instanceof HostError) || error.code !== 'model.too-long') throw error
    }
    writer.clear()
  }
  const text = await ask(context, gathered, summaryRequest(gathered, plan.until, { keep, short: true }), writer)
  if (text === '') throw new HostError('model.bad-answer', t`The model wrote no summary.`)
  return text
}

async function ask(
  context: SummariseContext,
  { conversation }: GatheredContext,
  { request }: SummaryRequest,
  writer: SummaryWriter,
): Promise<string> {
  const { deps, signal, activity } = context
  const events = deps.models
    .stream(conversation.model, { ...request, use: { purpose: 'summary', conversationId: conversation.id } }, signal)
    [Symbol.asyncIterator]()
  let text = ''
  try {
    for (;;) {
      const next = await orAborted(events.next(), signal)
      if (next.done) throw new HostError('model.bad-answer', t`The summary broke off before its end.`)
      const event: ModelEvent = next.value
      if (event.type === 'retrying') activity.retrying(event.afterMs, event.reason)
      else activity.answering()
      if (event.type === 'usage') writer.used(event.usage)
      if (event.type === 'recast' || (event.type === 'text' && text.length < LONGEST_SUMMARY)) {
        text = textAfter(text, event)
        writer.show(text)
      }
      if (event.type !== 'done') continue
      if (event.reason === 'refusal') throw new HostError('model.refused', t`The model refused to write a summary.`)
      return stripHidden(text).trim()
    }
  } finally {
    events.return?.()?.catch(() => {}) // The stream was told to end; its outcome does not matter any more.
  }
}

type SummaryWriter = ReturnType<typeof createSummaryWriter>

function createSummaryWriter({ store, emit, clock }: ChatContext, first: SummaryMessage) {
  let message = first
  let before: Usage | undefined
  let shownAt = clock.now()
  const put = (): void => {
    store.conversations.putMessage(message)
    emit('message.changed', { message })
  }
  put()
  return {
    /** Emits the text now and then; `finish` commits it. */
    show(text: string): void {
      message = { ...message, text }
      if (clock.now() - shownAt < SHOWN_EVERY_MS) return
      shownAt = clock.now()
      emit('message.changed', { message })
    },
    /** Sets the tokens of this attempt, added to those of an attempt before. */
    used(usage: Usage): void {
      message = { ...message, usage: before ? addUsage(before, usage) : usage }
    },
    /** Begins another attempt. */
    clear(): void {
      before = message.usage
      message = { ...message, text: '' }
    },
    finish(change: Partial<SummaryMessage>): SummaryMessage {
      message = { ...message, ...change }
      put()
      return message
    },
  }
}

type Usage = NonNullable<SummaryMessage['usage']>

const addUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  cacheReadTokens: (a.cacheReadTokens ?? 0) + (b.cacheReadTokens ?? 0),
  cacheWriteTokens: (a.cacheWriteTokens ?? 0) + (b.cacheWriteTokens ?? 0),
})
