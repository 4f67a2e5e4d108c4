import type { Message } from '#app/chat/message.ts'
import { fromErrorValue } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { requireModel } from '#main/models/require-model.ts'
import { type ChatLine, createChatLines } from '../chat-lines.ts'
import { type ExitCode, errorLine, exitCodes } from '../exit.ts'
import { type Output, visible, visibleJson, visibleLine } from '../output.ts'
import { noteFailures, startAll } from '../servers-ready.ts'
import type { CommandContext } from '../with-host.ts'

/** One turn of the agent loop. Servers whose tools are remembered start when they are called; the others start first. */
export async function chat({ host, options, output, signal, refused }: CommandContext): Promise<ExitCode> {
  const { chat: turns, models, servers, store } = host.parts
  await models.load()
  if (options.model !== undefined) {
    if (!models.find(options.model)) await models.refresh()
    requireModel(models, options.model)
  } else if (models.providers().some(({ key, modelCount }) => key.kind === 'set' && modelCount === 0)) {
    // A key was given for this run, or its list was never fetched: the chat begins with its model.
    await models.refresh()
    for (const { key, error } of models.providers()) if (key.kind === 'set' && error) output.note(errorLine(fromErrorValue(error)))
  }
  const failures = await startAll(host, signal, { filter: ({ name }) => servers.catalogue(name).fetchedAt === undefined })
  noteFailures(output, failures)
  if (failures.size > 0) output.note(`assent: ${t`It answers without ${[...failures.keys()].map(visibleLine).join(', ')}.`}`)

  const print = output.json ? (line: ChatLine) => output.value(line) : createPrinter(output)
  const { conversationId } = await host.request('chat.send', {
    text: options.prompt ?? '',
    ...(options.model === undefined ? {} : { model: options.model }),
  })
  const lines = createChatLines(conversationId, print)
  const stop = (): void => turns.stop(conversationId)
  signal.addEventListener('abort', stop, { once: true })
  const stopEvents = host.onEvent(lines.onEvent)
  try {
    // What was told before anybody listened.
    for (const message of store.conversations.messages(conversationId)) lines.onMessage(message)
    await turns.idle(conversationId)
  } finally {
    stopEvents()
    signal.removeEventListener('abort', stop)
  }
  for (const message of store.conversations.messages(conversationId)) lines.onMessage(message)
  const activity = store.conversations.get(conversationId)?.activity
  const state = activity?.kind ?? 'idle'
  const { cut, answered } = answerOf(store.conversations.messages(conversationId))
  print({ type: 'done', conversationId, state, ...(cut ? { cut } : {}) })
  if (cut)
    output.note(
      `assent: ${answered ? t`The answer is not whole: it was cut off at its token limit.` : t`Nothing was answered: the token limit was used up before a word.`}`,
    )
  if (activity?.kind === 'paused') {
    const { stepLimit, tokenLimit, costLimit } = store.settings.get()
    const words = {
      'step-limit': t`It paused after ${stepLimit} steps: the model wanted to go on. The turn is not done.`,
      'token-limit': t`It paused after ${tokenLimit} tokens: the model wanted to go on. The turn is not done.`,
      'cost-limit': t`It paused after ${costLimit} dollars: the model wanted to go on. The turn is not done.`,
      unread: t`It paused after a stop: the model wanted to go on. The turn is not done.`,
    }
    output.note(`assent: ${words[activity.reason]}`)
  }
  if (signal.aborted || state === 'failed' || state === 'paused' || (cut && !answered)) return exitCodes.failed
  return refused() ? exitCodes.refused : exitCodes.done
}

/** `cut`: the last answer reached its token limit. `answered`: it has words, or an earlier one of the turn has. */
function answerOf(messages: readonly Message[]): { readonly cut: 'max-tokens' | undefined; readonly answered: boolean } {
  const answers = messages.filter((message) => message.role === 'assistant')
  const answered = answers.some(({ parts }) => parts.some((part) => part.kind === 'text' && part.text.trim() !== ''))
  return { cut: answers.at(-1)?.cut === 'max-tokens' ? 'max-tokens' : undefined, answered }
}

/** For people: the answer on stdout, what happens meanwhile on stderr. */
function createPrinter(output: Output): (line: ChatLine) => void {
  let text = ''
  // A line is written when it is whole, so that hidden characters that were cut in two are still seen.
  const flush = (rest: boolean): void => {
    const end = rest ? text.length : text.lastIndexOf('\n') + 1
    if (end > 0) output.text(visible(text.slice(0, end).replace(/\n$/, '')))
    text = text.slice(end)
  }
  return (line) => {
    if (line.type === 'text') {
      text += line.text
      flush(false)
      return
    }
    flush(true)
    if (line.type === 'tool-call') output.note(`→ ${visibleLine(line.modelName)} ${visibleJson(line.arguments)}`)
    else if (line.type === 'tool-result' && line.outcome !== 'done')
      output.note(`← ${line.outcome}${line.error ? `: ${visibleLine(line.error.message)}` : ''}`)
    else if (line.type === 'error') output.note(errorLine(fromErrorValue(line.error)))
  }
}
