// All chats, those in the archive, and deleted ones that can still be restored. Long lists are virtualised and fetched piece by piece.

import { type MouseEvent, useEffect, useMemo, useState } from 'react'
import type { ChatChange, ChatChoice } from '#app/chat/chat-filter.ts'
import { inOrder } from '#app/chat/chat-folder.ts'
import { formatWhen } from '#app/i18n/format-dates.ts'
import { t } from '#app/i18n/translate.ts'
import { hrefOf, navigate, type Route } from '#renderer/router.ts'
import { useActions, useConversations, useModels } from '#renderer/stores/store-hooks.tsx'
import { Button, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { ChoiceSelect, labelledOptions, SearchInput, Segmented } from '#renderer/ui/field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { useVisibleRows } from '#renderer/ui/lib/use-visible-rows.ts'
import { Empty } from '#renderer/ui/notice.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { MoveDialog } from '../chat/organize/move-dialog.tsx'
import { chatCount, useChatChanges } from '../chat/organize/use-chat-changes.ts'
import {
  type ChatListQuery,
  type ChatTab,
  chatPeriods,
  emptyChatListQuery,
  type FoundChats,
  filterOf,
  type Listed,
  type SelectedChats,
  SelectionBar,
  tabs,
  useFoundChats,
  useSelectedChats,
} from './selection-bar.tsx'
import './history.css'

type FoundListProps = { readonly label: string; readonly found: FoundChats; readonly picked: SelectedChats; readonly tab: ChatTab }

function FoundChatList({ label, found, picked, tab }: FoundListProps) {
  const { items, more, loadMore } = found
  const { list, style, indexes, measure } = useVisibleRows({
    count: items.length,
    rowHeight: 44,
    keyOf: (index) => items[index]?.conversation.id ?? index,
    plainUpTo: 60,
  })
  const last = indexes.at(-1) ?? 0
  useEffect(() => {
    if (more && last >= items.length - 20) loadMore()
  }, [more, last, items.length, loadMore])
  return (
    <div className="chat-lines">
      <div ref={list} style={style}>
        <ul aria-label={label}>
          {indexes.map((index) => {
            const item = items[index]
            return (
              item && (
                <li
                  key={item.conversation.id}
                  ref={measure}
                  data-index={index}
                  className="chat-line"
                  aria-setsize={found.found ?? -1}
                  aria-posinset={index + 1}
                >
                  <ChatLine item={item} picked={picked} tab={tab} />
                </li>
              )
            )
          })}
        </ul>
      </div>
    </div>
  )
}

function ChatLine({ item: { conversation, deletedAt }, picked, tab }: { item: Listed; picked: SelectedChats; tab: ChatTab }) {
  const { id, title, folderId } = conversation
  const folder = useConversations((state) => state.folders.find((one) => one.id === folderId)?.name)
  const model = useModels((state) => state.models.find((one) => one.id === conversation.model)?.name) ?? conversation.model
  const pick = (event: MouseEvent<HTMLInputElement>): void => (event.shiftKey ? picked.extend(id) : picked.toggle(id))
  const on = picked.has(id)
  return (
    <>
      {/* A press with Shift must not select the text between. */}
      <label className="opt" onMouseDown={(event) => event.shiftKey && event.preventDefault()}>
        <input type="checkbox" className="sr" checked={on} aria-label={title} onClick={pick} onChange={() => {}} />
        <span className={cx('tick', on && 'on')} aria-hidden="true">
          <Icon name="check" />
        </span>
      </label>
      {tab === 'deleted' ? (
        <span className="t" title={title}>
          {title}
        </span>
      ) : (
        <a className="t" title={title} href={hrefOf({ page: 'chat', id })}>
          {title}
        </a>
      )}
      {conversation.pinned && tab === 'chats' && <span className="badge">{t`pinned`}</span>}
      {folder !== undefined && (
        <span className="row dim wide-only cut">
          <Icon name="folder" small />
          {folder}
        </span>
      )}
      <span className="dim wide-only cut model">{model}</span>
      <time className="faint num" dateTime={new Date(deletedAt ?? conversation.updatedAt).toISOString()}>
        {formatWhen(deletedAt ?? conversation.updatedAt, Date.now())}
      </time>
    </>
  )
}

function ChatFilters({ view, onChange }: { readonly view: ChatListQuery; readonly onChange: (view: ChatListQuery) => void }) {
  const folders = useConversations((state) => state.folders)
  const models = useModels((state) => state.models)
  const inFolders = [
    { value: '', label: t`Any folder` },
    { value: 'none', label: t`In no folder` },
    ...inOrder(folders).map(({ id, name }) => ({ value: `in ${id}`, label: name })),
  ]
  const ofModels = [{ value: '', label: t`Any model` }, ...models.map(({ id, name }) => ({ value: id, label: name }))]
  const selects = [
    { name: 'folder', label: t`Folder`, options: inFolders },
    { name: 'model', label: t`Model`, options: ofModels },
    { name: 'period', label: t`Last change`, options: labelledOptions<string>(chatPeriods) },
  ] as const
  return (
    <div className="row wrap filters chat-filters">
      <SearchInput label={t`Filter by title`} value={view.text} onChange={(text) => onChange({ ...view, text })} />
      <span className="grow" />
      {selects.map(({ name, label, options }) => (
        <ChoiceSelect
          key={name}
          aria-label={label}
          className="fit"
          value={view[name]}
          options={options}
          onChoose={(value) => onChange({ ...view, [name]: value })}
        />
      ))}
    </div>
  )
}

const tabLabels: Readonly<Record<ChatTab, string>> = { chats: t`Chats`, archived: t`Archived`, deleted: t`Recently deleted` }
const emptyLabels: Readonly<Record<ChatTab, readonly [string, string]>> = {
  chats: [t`No chats`, ''],
  archived: [t`No chats`, ''],
  deleted: [t`No chats`, t`A deleted chat can be brought back for 30 days.`],
}

export function ChatsPage({ route }: { readonly route: Extract<Route, { page: 'chats' }> }) {
  const tab = tabs.find((one) => one === route.tab) ?? 'chats'
  return <ChatsTab key={`${tab} ${route.folder ?? ''}`} tab={tab} folder={route.folder} />
}

function ChatsTab({ tab, folder }: { readonly tab: ChatTab; readonly folder: string | undefined }) {
  const { ask } = useActions()
  const { changeAll } = useChatChanges()
  const [view, setView] = useState({ ...emptyChatListQuery, folder: folder === undefined ? '' : t`in ${folder}` })
  const [today] = useState(() => Date.now())
  const filter = useMemo(() => filterOf(tab, view, today), [tab, view, today])
  const found = useFoundChats(filter)
  const picked = useSelectedChats(found, filter)
  const { clear } = picked
  // biome-ignore lint/correctness/useExhaustiveDependencies: a selection belongs to the list that was shown
  useEffect(clear, [view, clear])
  const [moving, setMoving] = useState(false)
  const [purging, setPurging] = useState<ChatChoice | 'all' | undefined>(undefined)

  const change = async (what: ChatChange): Promise<void> => {
    if ((await changeAll(picked.choice, what)) !== undefined) clear()
  }
  const purge = async (): Promise<void> => {
    const ids = purging !== 'all' && purging?.kind === 'these' ? { ids: purging.ids } : {}
    setPurging(undefined)
    if (await ask('conversation.purge', ids)) clear()
  }
  const [emptyFact, emptyHow] = emptyLabels[tab]
  const count = picked.count
  const none =
    found.items.length === 0 &&
    !found.loading &&
    Object.entries(emptyChatListQuery).every(([name, value]) => view[name as keyof ChatListQuery] === value)
  return (
    <Page
      title={t`All chats`}
      actions={
        tab === 'deleted' &&
        found.items.length > 0 && (
          <SmallGhostButton danger onClick={() => setPurging('all')}>
            {t`Delete for good`}
          </SmallGhostButton>
        )
      }
    >
      <div className="chats-page">
        <div className="chats-head">
          <Segmented<ChatTab>
            label={t`What to show`}
            value={tab}
            onChange={(next) => navigate({ page: 'chats', tab: next }, { replace: true })}
            choices={tabs.map((value) => ({ value, label: tabLabels[value] }))}
          />
          {tab !== 'deleted' && !none && <ChatFilters view={view} onChange={setView} />}
          <SelectionBar
            tab={tab}
            picked={picked}
            found={found}
            onChange={(what) => void change(what)}
            onMove={() => setMoving(true)}
            onPurge={() => setPurging(picked.choice)}
          />
        </div>
        {found.items.length === 0 && !found.loading ? (
          <Empty icon="chat" title={emptyFact}>
            {emptyHow && <p>{emptyHow}</p>}
          </Empty>
        ) : (
          <FoundChatList label={tabLabels[tab]} found={found} picked={picked} tab={tab} />
        )}
      </div>
      {moving && (
        <MoveDialog from={undefined} onMove={(folderId) => void change({ kind: 'move', folderId })} onClose={() => setMoving(false)} />
      )}
      {purging && (
        <Dialog
          onClose={() => setPurging(undefined)}
          title={purging === 'all' ? t`Delete all of them for good?` : t`Delete ${chatCount(count)} for good?`}
          width={440}
          footer={
            <>
              <span className="grow" />
              <Button onClick={() => setPurging(undefined)}>{t`Keep`}</Button>
              <Button danger onClick={() => void purge()}>
                {t`Delete for good`}
              </Button>
            </>
          }
        >
          <p>{t`This cannot be undone.`}</p>
        </Dialog>
      )}
    </Page>
  )
}
