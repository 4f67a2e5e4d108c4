// All chats: what the sidebar shows, what was archived, and what was deleted and can still come back.
import { useEffect, useMemo, useState } from 'react'
import type { ChatChange, ChatChoice } from '#app/chat/chat-filter.ts'
import { t } from '#app/words/translate.ts'
import { navigate, type Route } from '#renderer/router.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Segmented } from '#renderer/ui/choices.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Page } from '#renderer/ui/page.tsx'
import './history.css'
import { ChatFilters } from './chat-filters.tsx'
import { type ChatTab, filterOf, tabs, wholeView } from './chat-view.ts'
import { FoundList } from './found-list.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { chatCount, useChatChanges } from './use-chat-changes.ts'
import { useFoundChats } from './use-found-chats.ts'
import { usePicked } from './use-picked.ts'

const tabWords: Readonly<Record<ChatTab, string>> = { chats: t`Chats`, archived: t`Archived`, deleted: t`Recently deleted` }
const emptyWords: Readonly<Record<ChatTab, readonly [string, string]>> = {
  chats: [t`No chats here.`, t`Those that fit what is chosen above will be listed.`],
  archived: [t`Nothing is archived.`, t`An archived chat leaves the sidebar and stays in the search.`],
  deleted: [t`Nothing was deleted.`, t`A deleted chat can be brought back for 30 days.`],
}

type ChatsRoute = Extract<Route, { page: 'chats' }>

export function ChatsPage({ route }: { readonly route: ChatsRoute }) {
  const tab = tabs.find((one) => one === route.tab) ?? 'chats'
  return <ChatsTab key={`${tab} ${route.folder ?? ''}`} tab={tab} folder={route.folder} />
}

function ChatsTab({ tab, folder }: { readonly tab: ChatTab; readonly folder: string | undefined }) {
  const { ask } = useActions()
  const { changeAll } = useChatChanges()
  const [view, setView] = useState({ ...wholeView, folder: folder === undefined ? '' : t`in ${folder}` })
  const [today] = useState(() => Date.now())
  const filter = useMemo(() => filterOf(tab, view, today), [tab, view, today])
  const found = useFoundChats(filter)
  const picked = usePicked(found, filter)
  const { clear } = picked
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was picked belongs to what was shown
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
  const [emptyFact, emptyHow] = emptyWords[tab]
  const count = picked.count
  return (
    <Page
      title={t`All chats`}
      actions={
        tab === 'deleted' && found.items.length > 0 ? (
          <Button size="sm" variant="ghost" danger onClick={() => setPurging('all')}>
            {t`Delete all for good …`}
          </Button>
        ) : undefined
      }
    >
      <div className="chats-page">
        <div className="chats-head">
          <Segmented<ChatTab>
            label={t`Which chats`}
            value={tab}
            onChange={(next) => navigate({ page: 'chats', tab: next }, { replace: true })}
            choices={tabs.map((value) => ({ value, label: tabWords[value] }))}
          />
          {tab !== 'deleted' && <ChatFilters view={view} onChange={setView} />}
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
          <div className="chats-empty">
            <b>{emptyFact}</b>
            <p className="dim">{emptyHow}</p>
          </div>
        ) : (
          <FoundList label={tabWords[tab]} found={found} picked={picked} tab={tab} />
        )}
      </div>
      {moving && (
        <MoveDialog
          count={count}
          from={undefined}
          onMove={(folderId) => void change({ kind: 'move', folderId })}
          onClose={() => setMoving(false)}
        />
      )}
      {purging && (
        <Dialog
          open
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
          <p>{t`Their messages, attachments and results go with them. Nothing brings them back. The record of what was allowed stays.`}</p>
        </Dialog>
      )}
    </Page>
  )
}
