// The start page in daily use: chats to go on with, pinned ones, and at most one suggestion.
import { type Conversation, newestFirst } from '#app/chat/conversation.ts'
import { placeholdersIn, type SavedPrompt } from '#app/chat/personal.ts'
import { dayTitle } from '#app/i18n/format-dates.ts'
import { formatClock } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { hostNames } from '#app/server/import/app-names.ts'
import { focusComposer } from '#renderer/navigation/focus.ts'
import { hrefOf } from '#renderer/router.ts'
import { isBusy } from '#renderer/stores/conversations-store.ts'
import {
  useActions,
  useConsent,
  useConversations,
  useModels,
  usePersonal,
  useServers,
  useSettings,
  useShallow,
  useStores,
} from '#renderer/stores/store-hooks.tsx'
import { IconButton, SmallLink } from '#renderer/ui/button.tsx'
import { Dot, Icon, Spinner } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import './start.css'

const most = { recent: 6, pinned: 4, prompts: 4 }

/** Chats to go on with: those that wait for the person, those at work, then the latest. */
export function recentChats(list: readonly Conversation[], waiting: ReadonlyMap<string, number>): Conversation[] {
  const rank = (chat: Conversation): number => (waiting.has(chat.id) ? 0 : isBusy(chat.activity) ? 1 : 2)
  return list
    .filter(({ archivedAt, pinned }) => archivedAt === undefined && !pinned)
    .toSorted((a, b) => rank(a) - rank(b) || newestFirst(a, b))
    .slice(0, most.recent)
}

/** Open requests by chat. */
function useWaitingChats(): ReadonlyMap<string, number> {
  const ids = useConsent(useShallow((state) => state.requests.flatMap(({ conversationId }) => conversationId ?? [])))
  return new Map(
    Map.groupBy(ids, (id) => id)
      .entries()
      .map(([id, all]) => [id, all.length] as const),
  )
}

/** A clock today, else the day: as short as a list of chats can be. */
function shortWhen(at: number, now: number): string {
  const day = dayTitle(at, now)
  return day === dayTitle(now, now) ? formatClock(at) : day
}

/** `model`: of the next chat. */
export function DailyPage({ model }: { readonly model: string }) {
  const isPractice = useModels((state) => state.models.find(({ id }) => id === model)?.ai === false)
  const list = useConversations((state) => state.list)
  const waiting = useWaitingChats()
  const recent = recentChats(list, waiting)
  const pinned = list.filter((one) => one.pinned && one.archivedAt === undefined).slice(0, most.pinned)
  return (
    <div className="start">
      <header>
        <h2>{t`What’s next?`}</h2>
      </header>
      {isPractice ? (
        <Notice
          title={t`The practice model is not an AI.`}
          action={<SmallLink to={{ page: 'settings', tab: 'models' }}>{t`Add a model`}</SmallLink>}
        >
          {t`It matches your words to tools. Nothing leaves this computer.`}
        </Notice>
      ) : (
        <Suggestion />
      )}
      <div className="duo">
        {recent.length > 0 ? (
          <section>
            <h3>
              {t`Recent`} <SmallLink variant="ghost" to={{ page: 'chats' }}>{t`All chats`}</SmallLink>
            </h3>
            <ChatLinks chats={recent} waiting={waiting} />
          </section>
        ) : null}
        <div className="stack">
          {pinned.length > 0 ? (
            <section>
              <h3>{t`Pinned`}</h3>
              <ChatLinks chats={pinned} waiting={waiting} />
            </section>
          ) : null}
          <SavedPrompts />
        </div>
      </div>
    </div>
  )
}

function ChatLinks({ chats, waiting }: { readonly chats: readonly Conversation[]; readonly waiting: ReadonlyMap<string, number> }) {
  const now = useNow(60_000)
  return (
    <div className="chat-links">
      {chats.map((chat) => {
        const requests = waiting.get(chat.id) ?? 0
        return (
          <a key={chat.id} href={hrefOf({ page: 'chat', id: chat.id })}>
            {requests > 0 ? <Dot tone="you" /> : isBusy(chat.activity) ? <Spinner /> : <Icon name={chat.pinned ? 'pin' : 'chat'} />}
            <span className="cut">{chat.title}</span>
            <span className={requests > 0 ? 'when you num' : 'when num'}>
              {requests > 0 ? t`${requests} {request|requests}` : isBusy(chat.activity) ? t`working` : shortWhen(chat.updatedAt, now)}
            </span>
          </a>
        )
      })}
    </div>
  )
}

/** Saved prompts, and the way to the first: one goes into the composer, where what it leaves open is asked for. */
function SavedPrompts() {
  const { drafts } = useStores()
  const prompts = usePersonal((state) => state.prompts)
  const begin = ({ name, text }: SavedPrompt): void => {
    drafts.set('', placeholdersIn(text).length > 0 ? `/${name}` : text)
    focusComposer()
  }
  return (
    <section>
      <h3>
        {t`Saved prompts`} <SmallLink variant="ghost" to={{ page: 'settings', tab: 'personal' }}>{t`New prompt`}</SmallLink>
      </h3>
      {prompts.length === 0 && <p className="help">{tx`Type ${<code className="mono">/</code>} in a message to use one.`}</p>}
      <div className="chat-links">
        {prompts.slice(0, most.prompts).map((prompt) => (
          <button key={prompt.id} type="button" onClick={() => begin(prompt)}>
            <Icon name="text" />
            <span className="cut">
              <span className="mono">/{prompt.name}</span> <span className="help">{prompt.text.trim().split('\n', 1)[0]}</span>
            </span>
          </button>
        ))}
      </div>
    </section>
  )
}

const weekMs = 7 * 24 * 60 * 60_000
/** Answers of the same kind in a week that suggest a rule. */
const oftenEnough = 5

/** Tool that the person allowed most often in the last week, each time for once, and that no rule answers for. */
function useOftenAllowed(skipped: readonly string[]) {
  const rules = useConsent((state) => state.rules)
  const servers = useServers(useShallow((state) => state.list.map(({ name }) => name)))
  const since = Math.floor(useNow(weekMs) / 60_000) * 60_000 - weekMs
  const { value } = useHostAnswer('audit.list', {
    limit: 500,
    filter: { kinds: ['decision'], decisions: ['allowed'], by: ['person'], since },
  })
  const calls = (value?.rows ?? []).flatMap(({ server, tool, detail }) =>
    server !== null && tool !== null && detail['request'] === 'tool-call' && detail['scope'] === 'once' ? [{ server, tool }] : [],
  )
  const often = [...Map.groupBy(calls, ({ server, tool }) => `rule ${server} ${tool}`)].flatMap(([id, [first, ...more]]) => {
    const isKnown =
      first && servers.includes(first.server) && !rules.some((rule) => rule.server === first.server && rule.tool === first.tool)
    const count = more.length + 1
    return isKnown && count >= oftenEnough && !skipped.includes(id) ? [{ id, ...first, count }] : []
  })
  return often.toSorted((a, b) => b.count - a.count)[0]
}

/** Application with the most servers that are not here. */
function useOtherApp(skipped: readonly string[]) {
  const { value } = useHostAnswer('appImport.look', {})
  const found = (value?.hosts ?? []).flatMap(({ host, files }) => {
    const id = `import ${host}`
    const count = files.flatMap(({ servers }) => servers).filter(({ state }) => state.kind === 'new').length
    return count > 0 && !skipped.includes(id) ? [{ id, host, count }] : []
  })
  return found.toSorted((a, b) => b.count - a.count)[0]
}

/** One suggestion at most. A dismissed one never returns. */
function Suggestion() {
  const { set } = useActions()
  const dismissed = useSettings((state) => state.settings.dismissed)
  const often = useOftenAllowed(dismissed)
  const other = useOtherApp(dismissed)
  const dismiss = (id: string) => (
    <IconButton label={t`Dismiss`} icon="close" small onClick={() => set({ dismissed: [...dismissed, id].slice(-200) })} />
  )
  if (often)
    return (
      <Notice
        title={t`Allow this from now on?`}
        action={
          <span className="row">
            <SmallLink to={{ page: 'activity', tab: 'rules', server: often.server, tool: often.tool }}>{t`Review rule…`}</SmallLink>
            {dismiss(often.id)}
          </span>
        }
      >
        {tx`You allowed ${<ServerName name={often.server} />} ${<VisibleText className="mono tool-name" text={often.tool} />} ${often.count} times this week.`}
      </Notice>
    )
  if (other)
    return (
      <Notice
        title={t`${other.count} {server|servers} of ${hostNames()[other.host]} {is|are} not imported.`}
        action={
          <span className="row">
            <SmallLink to={{ page: 'servers', name: '', tab: 'takeover' }}>{t`Import…`}</SmallLink>
            {dismiss(other.id)}
          </span>
        }
      />
    )
  return null
}

/** Keys of the composer, below it. */
export const ComposerHints = () => (
  <p className="hintline wide-only">
    <span>
      <kbd>/</kbd> {t`prompts`}
    </span>
    <span>
      <kbd>@</kbd> {t`files and resources`}
    </span>
  </p>
)
