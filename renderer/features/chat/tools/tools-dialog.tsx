// The tools of a chat: what is on in it or everywhere, what each costs, and which of them go with the next request.

import { useState } from 'react'
import type { SentToolsView } from '#app/chat/tool-overview.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { hrefOf } from '#renderer/router.ts'
import { useConversations } from '#renderer/stores/react.tsx'
import { Segmented } from '#renderer/ui/choices.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Track } from '#renderer/ui/marks.tsx'
import { SearchInput } from '#renderer/ui/search-input.tsx'
import { tx } from '#renderer/ui/translate.ts'
import type { BeginningChat } from '../new-choice.ts'
import { formatCount } from '../server-summary.ts'
import { ToolRows } from './tool-row-list.tsx'
import { type Scope, toolRows } from './tool-rows.ts'
import './tools.css'
import { useTools } from './use-tools.ts'

interface ToolsDialogProps {
  /** Undefined: a new chat. */
  readonly conversationId: string | undefined
  readonly model: string
  readonly begins?: BeginningChat | undefined
  readonly onClose: () => void
}

const none: ReadonlySet<string> = new Set()
/** Fewer are shown with all servers open, and are found by looking. */
const openUpTo = 30
const searchFrom = 6

export function ToolsDialog({ conversationId, model, begins, onClose }: ToolsDialogProps) {
  const [scope, setScope] = useState<Scope>('chat')
  const [search, setSearch] = useState('')
  const [toggled, setToggled] = useState(none)
  const own = useConversations((state) => state.list.find(({ id }) => id === conversationId)?.tools)
  const off = conversationId === undefined ? begins?.choice.tools : own
  const tools = useTools({ conversationId, model, begins, off, scope })
  const { servers, sent, error } = tools
  const count = servers?.reduce((sum, server) => sum + server.tools.length, 0) ?? 0
  const few = count <= openUpTo
  const opened = new Set(servers?.flatMap(({ name }) => (few === toggled.has(name) ? [] : [name])))
  const rows = servers ? toolRows({ servers, off, scope, search, opened }) : []
  const toggle = (server: string): void =>
    setToggled((before) => new Set(before.has(server) ? [...before].filter((one) => one !== server) : [...before, server]))
  return (
    <Dialog open onClose={onClose} title={t`Tools of this chat`}>
      {sent && <SentLine sent={sent} fresh={conversationId === undefined} />}
      <div className="row wrap">
        {count >= searchFrom && <SearchInput label={t`Find a tool`} value={search} onChange={setSearch} />}
        <Segmented<Scope>
          label={t`Where the switches count`}
          value={scope}
          onChange={setScope}
          choices={[
            { value: 'chat', label: t`This chat` },
            { value: 'everywhere', label: t`Everywhere` },
          ]}
        />
      </div>
      {error && <ErrorNotice error={error} onRetry={tools.reload} />}
      {servers && rows.length === 0 && <p className="dim">{search.trim() === '' ? t`No server is there yet.` : t`No tool matches.`}</p>}
      <ToolRows rows={rows} scope={scope} sent={sent} onOpen={toggle} onServer={tools.switchServer} onTool={tools.switchTool} />
    </Dialog>
  )
}

function SentLine({ sent, fresh }: { readonly sent: SentToolsView; readonly fresh: boolean }) {
  const { budget, searched, offered, offeredTokens, sentTokens } = sent
  const tokens = searched ? sentTokens : offeredTokens
  return (
    <div className="stack tight" role="status">
      <p>
        {searched
          ? fresh
            ? tx`Of ${<b className="num">{numberWords(offered)}</b>} tools those are sent that fit your message. The model searches for the rest.`
            : tx`${<b className="num">{tx`${numberWords(sent.sent.length)} of ${numberWords(offered)}`}</b>} tools are sent. The model searches for the rest.`
          : offered === 0
            ? t`No tool is on.`
            : offered === 1
              ? t`One tool is sent with each message.`
              : tx`${<b className="num">{numberWords(offered)}</b>} tools are sent with each message.`}
      </p>
      <p className="row help num tool-room">
        <Track part={Math.min(1, tokens / budget)} label={t`Tokens of tools, of those that they may take`} />
        <span>
          {searched
            ? t`${formatCount(tokens)} of ${formatCount(budget)} tokens, all would be ${formatCount(offeredTokens)}`
            : t`${formatCount(tokens)} of ${formatCount(budget)} tokens`}
        </span>
        <a href={hrefOf({ page: 'settings', tab: 'asking' })}>{t`Change the limit`}</a>
      </p>
    </div>
  )
}
