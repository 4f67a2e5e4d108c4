// The menus of all messages of a chat: two, each drawn once, whichever message opens it. Where a message stands on the path:
// which answer it is part of, and what else could stand in its place. Summaries stand between messages without being anybody's.
// What of a chat's answers is selected. Only a selection within one answer is taken: one across several is nobody's words.

import { createContext, type ReactNode, use, useState } from 'react'
import type { AssistantMessage } from '#app/chat/message.ts'
import { messagesMarkdown } from '#app/chat/to-markdown.ts'
import { t } from '#app/i18n/translate.ts'
import type { Usage } from '#app/models/usage.ts'
import { useConversations, useModels, useStores } from '#renderer/stores/store-hooks.tsx'
import type { ReadyTranscript } from '#renderer/stores/transcript-steps.ts'
import { createMenuHandle, type MenuHandle, MenuItem, MenuSeparator, SharedMenu } from '#renderer/ui/menu.tsx'
import { ModelName } from '../settings/model-picker.tsx'
import { messageActions, useReadTranscript } from './message-actions.ts'

export interface AnswerSelection {
  readonly text: string
  readonly rect: DOMRect
}

const answerOf = (node: Node | null): Element | null => {
  const element = node instanceof Element ? node : (node?.parentElement ?? null)
  return element?.closest('.answer') ?? null
}

/** `within`: the answer it has to be in; default: any. */
export function selectionInAnswer(within?: Element | null): AnswerSelection | undefined {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const answer = answerOf(selection.anchorNode)
  if (!answer || answer !== answerOf(selection.focusNode) || (within && within !== answer)) return undefined
  const text = selection.toString().trim()
  return text === '' ? undefined : { text, rect: selection.getRangeAt(0).getBoundingClientRect() }
}

const placesByIds = new WeakMap<readonly string[], ReadonlyMap<string, number>>()

/** Its number on the path; of a long one not looked for each time. */
function placeOf({ ids }: ReadyTranscript, id: string): number {
  const known = placesByIds.get(ids)
  const places = known ?? new Map(ids.map((one, index) => [one, index]))
  if (!known) placesByIds.set(ids, places)
  return places.get(id) ?? -1
}

const roleAt = (transcript: ReadyTranscript, index: number): string | undefined => transcript.messages[transcript.ids[index] ?? '']?.role

/** Whether it is the last message of an answer. */
export function endsAnswer(transcript: ReadyTranscript, id: string): boolean {
  const index = placeOf(transcript, id)
  if (roleAt(transcript, index) !== 'assistant') return false
  let next = index + 1
  while (roleAt(transcript, next) === 'summary') next += 1
  return roleAt(transcript, next) !== 'assistant'
}

function answerStart(transcript: ReadyTranscript, index: number): number {
  let start = index
  for (let at = index; at >= 0 && roleAt(transcript, at) !== 'user'; at -= 1) if (roleAt(transcript, at) === 'assistant') start = at
  return start
}

/** The messages of an answer up to that one. */
export function answerMessages(transcript: ReadyTranscript, id: string): readonly AssistantMessage[] {
  const index = placeOf(transcript, id)
  return transcript.ids.slice(answerStart(transcript, index), index + 1).flatMap((one) => {
    const message = transcript.messages[one]
    return message?.role === 'assistant' ? [message] : []
  })
}

/**
 * What the question, or the answer that the message is part of, has versions of: itself, or what stands before it without
 * being anybody's. Undefined: there is one version only.
 */
export function versionShown(transcript: ReadyTranscript, id: string): string | undefined {
  const index = placeOf(transcript, id)
  let at = roleAt(transcript, index) === 'assistant' ? answerStart(transcript, index) : index
  for (; at >= 0; at -= 1) {
    const here = transcript.ids[at]
    if (here !== undefined && versionsOf(transcript, here)) return here
    if (roleAt(transcript, at - 1) !== 'summary') return undefined
  }
  return undefined
}

/** What may stand in the place of that message, itself too; undefined: nothing else. */
export function versionsOf(transcript: ReadyTranscript, id: string): readonly string[] | undefined {
  const place = placeOf(transcript, id)
  // What stands before the first one that is here is known only where that begins the chat.
  if (place === 0 && transcript.earlier > 0) return undefined
  const versions = transcript.branches[transcript.ids[place - 1] ?? '']
  return versions !== undefined && versions.length > 1 ? versions : undefined
}

/** Of the whole answer: tokens as the provider counted them, what was read for it in all of its steps, and what was written. */
export interface AnswerUsage {
  readonly read: number
  readonly written: number
  /** Dollars; undefined: of some of it not known. */
  readonly cost: number | undefined
}

export function answerUsage(transcript: ReadyTranscript, id: string): AnswerUsage | undefined {
  const known = answerMessages(transcript, id).flatMap(({ usage }) => (usage ? [usage] : []))
  if (known.length === 0) return undefined
  const readBy = ({ inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: Usage): number =>
    inputTokens + cacheReadTokens + cacheWriteTokens
  const read = known.reduce((sum, usage) => sum + readBy(usage), 0)
  if (read === 0) return undefined // No answer comes of nothing: the practice model does not count.
  return {
    read,
    written: known.reduce((sum, usage) => sum + usage.outputTokens, 0),
    cost: known.reduce<number | undefined>((sum, { cost }) => (sum === undefined || cost === undefined ? undefined : sum + cost), 0),
  }
}

interface MenuOf {
  readonly messageId: string
  readonly role: 'user' | 'assistant'
}

interface Handles {
  readonly more: MenuHandle<MenuOf>
  readonly again: MenuHandle<MenuOf>
}

const HandlesContext = createContext<Handles | undefined>(undefined)

export function useMessageMenus(): Handles {
  const handles = use(HandlesContext)
  if (!handles) throw new TypeError('useMessageMenus outside MessageMenus')
  return handles
}

export function MessageMenus({ conversationId, children }: { readonly conversationId: string; readonly children: ReactNode }) {
  const [handles] = useState((): Handles => ({ more: createMenuHandle(), again: createMenuHandle() }))
  return (
    <HandlesContext value={handles}>
      {children}
      <SharedMenu handle={handles.again}>{(of) => <AgainItems conversationId={conversationId} of={of} />}</SharedMenu>
      <SharedMenu handle={handles.more}>{(of) => <MoreItems conversationId={conversationId} of={of} />}</SharedMenu>
    </HandlesContext>
  )
}

interface ItemsProps {
  readonly conversationId: string
  readonly of: MenuOf
}

function AgainItems({ conversationId, of }: ItemsProps) {
  const act = messageActions(useStores(), conversationId)
  const current = useConversations((state) => state.list.find(({ id }) => id === conversationId)?.model)
  const models = useModels((state) => state.models)
  const providers = useModels((state) => state.providers)
  const others = models.filter(({ id }) => id !== current)
  return (
    <>
      <MenuItem onSelect={() => void act.answerAgain(of.messageId)}>{t`Answer again`}</MenuItem>
      {others.length > 0 && <MenuSeparator />}
      {others.map((model) => (
        <MenuItem key={model.id} onSelect={() => void act.answerAgain(of.messageId, model.id)}>
          <span className="row">
            {t`with`} <ModelName model={model} provider={providers.find(({ id }) => id === model.provider)} />
          </span>
        </MenuItem>
      ))}
    </>
  )
}

function MoreItems({ conversationId, of }: ItemsProps) {
  const act = messageActions(useStores(), conversationId)
  const read = useReadTranscript(conversationId)
  const answer = (): ReturnType<typeof answerMessages> => {
    const transcript = read()
    return transcript ? answerMessages(transcript, of.messageId) : []
  }
  const hasCalls = of.role === 'assistant' && answer().some(({ parts }) => parts.some((part) => part.kind === 'tool-call'))
  const words = (): string => {
    const message = read()?.messages[of.messageId]
    if (message?.role === 'user') return message.text
    return messagesMarkdown(answer(), { calls: false })
  }
  return (
    <>
      <MenuItem onSelect={() => act.quote(selectionInAnswer()?.text ?? words())}>{t`Quote`}</MenuItem>
      <MenuItem onSelect={() => void act.copy(words())}>{t`Copy as Markdown`}</MenuItem>
      {hasCalls && (
        <MenuItem onSelect={() => void act.copy(messagesMarkdown(answer(), { calls: true }))}>{t`Copy with tool calls`}</MenuItem>
      )}
      <MenuItem onSelect={() => void act.fork(of.messageId)}>{t`Go on in a new chat`}</MenuItem>
      <MenuSeparator />
      <MenuItem danger onSelect={() => void act.remove(of.messageId, of.role)}>
        {of.role === 'assistant' ? t`Delete answer` : t`Delete with its answer`}
      </MenuItem>
    </>
  )
}
