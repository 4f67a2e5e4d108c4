// The two menus of a chat's messages, each drawn once for all messages, and what they need: the messages of an answer, its
// versions, its usage, and the selected text of one answer.
import { createContext, type ReactNode, use, useState } from 'react'
import type { Conversation } from '#app/chat/conversation.ts'
import { editKey } from '#app/chat/drafts.ts'
import type { AssistantMessage } from '#app/chat/message.ts'
import { messagesMarkdown, quoteMarkdown } from '#app/chat/to-markdown.ts'
import { t } from '#app/i18n/translate.ts'
import type { Usage } from '#app/models/usage.ts'
import { findComposer, focusComposer, focusSoon } from '#renderer/navigation/focus.ts'
import { navigate } from '#renderer/router.ts'
import { isBusy } from '#renderer/stores/conversations-store.ts'
import { useConversation, useModels, useSettings, useStores } from '#renderer/stores/store-hooks.tsx'
import type { Stores } from '#renderer/stores/stores.ts'
import type { ReadyTranscript } from '#renderer/stores/transcript-steps.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { createMenuHandle, type MenuHandle, MenuItem, MenuSeparator, SharedMenu, SharedMenuTrigger } from '#renderer/ui/menu.tsx'
import { weakMemo } from '../markdown/weak-memo.ts'
import { ModelName, modelGroups } from '../settings/model-picker.tsx'

// Actions of the person on messages, with their toasts and announcements. The host changes the chat.

const isAnswering = ({ activity, beside }: Conversation): boolean => isBusy(activity) || isBusy(beside?.activity)

/** Whether a turn of the conversation runs or waits for the person. */
export const useBusy = (conversationId: string): boolean => useConversation(conversationId, isAnswering) ?? false

/** Returns a function for event handlers that reads the current transcript. */
export function useReadTranscript(conversationId: string): () => ReadyTranscript | undefined {
  const { transcripts } = useStores()
  return () => transcripts.ready(conversationId)
}

/** Focuses the composer after a closing menu has given the focus back to its button. */
const toComposer = (then = (): void => {}): void =>
  focusSoon(() => {
    const focused = document.querySelector('[role="menu"]') === null && focusComposer()
    if (focused) then()
    return focused
  })

type MessageContext = Pick<Stores, 'actions' | 'conversations' | 'drafts'>

/** Wait for the end of an answer in milliseconds; after it the host refuses the edit. */
const END_MS = 5000

/** Stops the answer that is being written, if there is one, and resolves once it has ended. */
async function stopAnswer({ actions, conversations }: MessageContext, id: string): Promise<void> {
  const isOver = (): boolean => {
    const conversation = conversations.getState().list.find((one) => one.id === id)
    return !(conversation && isAnswering(conversation))
  }
  if (isOver()) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const stopListening = conversations.subscribe(() => isOver() && resolve())
  const timer = setTimeout(resolve, END_MS)
  actions.stop(id)
  await promise
  stopListening()
  clearTimeout(timer)
}

export function messageActions(stores: MessageContext, conversationId: string) {
  const { actions, drafts } = stores
  const restore = (ids: string[]): void => actions.go('message.restore', { conversationId, ids })
  return {
    /** Replaces a message; false (with a toast): refused, the text is kept. */
    async edit(messageId: string, text: string): Promise<boolean> {
      await stopAnswer(stores, conversationId)
      if (!(await actions.ask('message.edit', { conversationId, messageId, text }))) return false
      drafts.set(editKey(messageId), '')
      toComposer()
      return true
    },
    async answerAgain(messageId: string, model?: string): Promise<void> {
      if (!(await actions.ask('message.regenerate', { conversationId, messageId, ...(model === undefined ? {} : { model }) }))) return
      toComposer()
    },
    async compare(messageId: string, model: string): Promise<void> {
      if (await actions.ask('message.compare', { conversationId, messageId, model })) toComposer()
    },
    /** Makes one of two answers that of the chat; an answer that is still written is stopped. */
    async keep(messageId: string): Promise<void> {
      await stopAnswer(stores, conversationId)
      if (await actions.ask('message.show', { conversationId, messageId })) toComposer()
    },
    async remove(messageId: string): Promise<void> {
      const done = await actions.ask('message.delete', { conversationId, messageId })
      if (!done) return
      actions.toast(t`Message deleted.`, { action: { label: t`Undo`, run: () => restore(done.ids) } })
      toComposer()
    },
    restore,
    async fork(messageId: string): Promise<void> {
      const done = await actions.ask('message.fork', { conversationId, messageId })
      if (done) navigate({ page: 'chat', id: done.conversationId })
    },
    async copy(text: string): Promise<void> {
      if (await actions.copy(text)) actions.announce(t`Copied`)
    },
    quote(text: string): void {
      const begun = drafts.read(conversationId).trimEnd()
      drafts.set(conversationId, `${begun === '' ? '' : `${begun}\n\n`}${quoteMarkdown(text)}\n\n`)
      toComposer(() => {
        const composer = findComposer()
        if (composer instanceof HTMLTextAreaElement) composer.setSelectionRange(composer.value.length, composer.value.length)
      })
    },
  }
}

/** Writes an answer of another model beside the latest one; undefined while the chat is busy or has no answer at its end. */
export function compareLatest(stores: Stores, chat: Conversation): ((model: string) => void) | undefined {
  const transcript = isAnswering(chat) ? undefined : stores.transcripts.ready(chat.id)
  const last = transcript?.messages[transcript.ids.at(-1) ?? '']
  return last?.role === 'assistant' ? (model) => void messageActions(stores, chat.id).compare(last.id, model) : undefined
}

export interface AnswerSelection {
  readonly text: string
  readonly rect: DOMRect
}

const answerOf = (node: Node | null): Element | null => {
  const element = node instanceof Element ? node : (node?.parentElement ?? null)
  return element?.closest('.answer') ?? null
}

/** Returns the selected text; undefined where it is not within one answer. */
export function selectionInAnswer(): AnswerSelection | undefined {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const answer = answerOf(selection.anchorNode)
  if (!answer || answer !== answerOf(selection.focusNode)) return undefined
  const text = selection.toString().trim()
  return text === '' ? undefined : { text, rect: selection.getRangeAt(0).getBoundingClientRect() }
}

const indexesOf = weakMemo((ids: readonly string[]) => new Map(ids.map((id, index) => [id, index])))
const placeOf = ({ ids }: ReadyTranscript, id: string): number => indexesOf(ids).get(id) ?? -1

const roleAt = (transcript: ReadyTranscript, index: number): string | undefined => transcript.messages[transcript.ids[index] ?? '']?.role

/** Whether the message is the last of an answer; summaries stand between messages and belong to no answer. */
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

export function answerMessages(transcript: ReadyTranscript, id: string): readonly AssistantMessage[] {
  const index = placeOf(transcript, id)
  return transcript.ids.slice(answerStart(transcript, index), index + 1).flatMap((one) => {
    const message = transcript.messages[one]
    return message?.role === 'assistant' ? [message] : []
  })
}

/** Id whose versions a question or an answer has: its first message, or a summary before that; undefined: one version only. */
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

/** Ids of all versions of a message, its own included; undefined: one version only. */
export function versionsOf(transcript: ReadyTranscript, id: string): readonly string[] | undefined {
  const place = placeOf(transcript, id)
  // The message before the first fetched one is not known.
  if (place === 0 && transcript.earlier > 0) return undefined
  const versions = transcript.branches[transcript.ids[place - 1] ?? '']
  return versions !== undefined && versions.length > 1 ? versions : undefined
}

export type AnswerUsage = NonNullable<ReturnType<typeof answerUsage>>

/** Tokens and dollars of a whole answer, as the provider counted them. `cost` undefined: not known for every step. */
export const answerUsage = (transcript: ReadyTranscript, id: string) => usageOfAnswer(answerMessages(transcript, id))

export function usageOfAnswer(messages: readonly AssistantMessage[]) {
  const known = messages.flatMap(({ usage }) => (usage ? [usage] : []))
  if (known.length === 0) return undefined
  const readBy = ({ inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: Usage): number =>
    inputTokens + cacheReadTokens + cacheWriteTokens
  const read = known.reduce((sum, usage) => sum + readBy(usage), 0)
  if (read === 0) return undefined // The practice model does not count.
  return {
    read,
    written: known.reduce((sum, usage) => sum + usage.outputTokens, 0),
    cost: known.reduce<number | undefined>((sum, { cost }) => (sum === undefined || cost === undefined ? undefined : sum + cost), 0),
  }
}

interface MenuTarget {
  readonly messageId: string
  readonly role: 'user' | 'assistant'
}

type Handles = Readonly<Record<'more' | 'again', MenuHandle<MenuTarget>>>

const HandlesContext = createContext<Handles | undefined>(undefined)

interface MenuButtonProps {
  readonly menu: keyof Handles
  readonly target: MenuTarget
  readonly label: string
}

/** @throws {TypeError} outside `MessageMenus`. */
export function MenuButton({ menu, target, label }: MenuButtonProps) {
  const handles = use(HandlesContext)
  if (!handles) throw new TypeError('MenuButton outside MessageMenus')
  const trigger = <IconButton small label={label} icon={menu === 'more' ? 'more' : 'refresh'} />
  return <SharedMenuTrigger handle={handles[menu]} payload={target} trigger={trigger} />
}

export function MessageMenus({ conversationId, children }: { readonly conversationId: string; readonly children: ReactNode }) {
  const [handles] = useState((): Handles => ({ more: createMenuHandle(), again: createMenuHandle() }))
  return (
    <HandlesContext value={handles}>
      {children}
      <SharedMenu handle={handles.again}>{(target) => <AgainItems conversationId={conversationId} {...target} />}</SharedMenu>
      <SharedMenu handle={handles.more}>{(target) => <MoreItems conversationId={conversationId} {...target} />}</SharedMenu>
    </HandlesContext>
  )
}

type ItemsProps = MenuTarget & { readonly conversationId: string }

function AgainItems({ conversationId, messageId }: ItemsProps) {
  const act = messageActions(useStores(), conversationId)
  const current = useConversation(conversationId, ({ model }) => model)
  const models = useModels((state) => state.models)
  const providers = useModels((state) => state.providers)
  const favourites = useSettings((state) => state.settings.favouriteModels)
  const others = modelGroups(models, providers, favourites).flatMap((group) => group.models.filter(({ id }) => id !== current))
  const [comparing, setComparing] = useState<boolean>(false)
  const isLatest = useReadTranscript(conversationId)()?.ids.at(-1) === messageId
  const choose = (model: string): void => void (comparing ? act.compare(messageId, model) : act.answerAgain(messageId, model))
  return (
    <>
      {!comparing && <MenuItem onSelect={() => void act.answerAgain(messageId)}>{t`Regenerate`}</MenuItem>}
      {!comparing && isLatest && others.length > 0 && (
        <MenuItem stays onSelect={() => setComparing(true)}>{`${t`Compare two answers`}…`}</MenuItem>
      )}
      {!comparing && others.length > 0 && <MenuSeparator />}
      {others.map((model) => (
        <MenuItem key={model.id} onSelect={() => choose(model.id)}>
          <span className="row">
            {comparing ? t`beside` : t`with`} <ModelName model={model} provider={providers.find(({ id }) => id === model.provider)} />
          </span>
        </MenuItem>
      ))}
    </>
  )
}

function MoreItems({ conversationId, messageId, role }: ItemsProps) {
  const act = messageActions(useStores(), conversationId)
  const read = useReadTranscript(conversationId)
  const answer = (): ReturnType<typeof answerMessages> => {
    const transcript = read()
    return transcript ? answerMessages(transcript, messageId) : []
  }
  const hasCalls = role === 'assistant' && answer().some(({ parts }) => parts.some((part) => part.kind === 'tool-call'))
  const text = (): string => {
    const message = read()?.messages[messageId]
    if (message?.role === 'user') return message.text
    return messagesMarkdown(answer(), { calls: false })
  }
  return (
    <>
      <MenuItem onSelect={() => act.quote(selectionInAnswer()?.text ?? text())}>{t`Quote`}</MenuItem>
      <MenuItem onSelect={() => void act.copy(text())}>{t`Copy as Markdown`}</MenuItem>
      {hasCalls && (
        <MenuItem onSelect={() => void act.copy(messagesMarkdown(answer(), { calls: true }))}>{t`Copy with tool calls`}</MenuItem>
      )}
      <MenuItem onSelect={() => void act.fork(messageId)}>{t`Fork from here`}</MenuItem>
      <MenuSeparator />
      <MenuItem danger onSelect={() => void act.remove(messageId)}>
        {role === 'assistant' ? t`Delete answer` : t`Delete with its answer`}
      </MenuItem>
    </>
  )
}
