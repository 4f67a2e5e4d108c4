// Tool picker of the composer: the number of the chat's tools, and a dialog with switches for servers and tools, in this chat or
// everywhere, the tokens of each, and which of them are sent. A long list is virtualised.

import { useState } from 'react'
import type { SentToolsSummary } from '#app/chat/tools/tool-overview.ts'
import { isServerOff, type ToolSwitches, toolBudget } from '#app/chat/tools/tool-switches.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { formatCount } from '#app/text/format-text.ts'
import { hrefOf } from '#renderer/router.ts'
import { useConversation, useModels, useServers, useSettings } from '#renderer/stores/store-hooks.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { SearchInput, Segmented, Switch } from '#renderer/ui/field.tsx'
import { Badge, Icon, ServerMark, Track } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useVisibleRows } from '#renderer/ui/lib/use-visible-rows.ts'
import { ErrorNotice } from '#renderer/ui/notice.tsx'
import { ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import type { PickerProps } from '../settings/new-chat-choices.ts'
import { countServers } from '../settings/server-picker.tsx'
import { type Scope, type ToolPickerRow, toolPickerRows, useChatTools } from './use-tools.ts'
import './tools.css'

/** Height of a row in pixels, as in the style sheet. */
const rowHeight = 44

interface ToolRowsProps {
  readonly rows: readonly ToolPickerRow[]
  readonly sent: SentToolsSummary | undefined
  readonly onOpen: (server: string) => void
  readonly onServer: (server: string, on: boolean) => void
  readonly onTool: (server: string, tool: string, on: boolean) => void
}

function ToolRows(props: ToolRowsProps) {
  const { rows, sent } = props
  const { list, style, indexes } = useVisibleRows({
    count: rows.length,
    rowHeight,
    keyOf: (index) => rows[index]?.key ?? index,
    plainUpTo: 120,
  })
  // Below the limit all tools are sent, and none is marked.
  const names = new Set(sent?.searched ? sent.sent : [])
  return (
    <div ref={list} className="tool-rows" style={style}>
      {indexes.map((index) => {
        const row = rows[index]
        if (!row) return null
        return row.kind === 'server' ? (
          <ServerRow key={row.key} row={row} {...props} />
        ) : (
          <SingleRow key={row.key} row={row} isSent={names.has(row.tool.modelName)} onTool={props.onTool} />
        )
      })}
    </div>
  )
}

function ServerRow({ row, onOpen, onServer }: ToolRowsProps & { readonly row: Extract<ToolPickerRow, { kind: 'server' }> }) {
  const { server, state, open, on, tokens } = row
  const total = server.tools.length
  return (
    <div className="tool-row of-server" data-server={server.name}>
      <Switch
        checked={state.on}
        disabled={state.fixed !== undefined}
        label={server.name}
        hideLabel
        onChange={(next) => onServer(server.name, next)}
      />
      <button type="button" className="tool-row-open" aria-expanded={open} onClick={() => onOpen(server.name)}>
        <ServerMark name={server.name} />
        <span className="cut strong">{server.name}</span>
        <span className="help num nowrap">
          {state.fixed ? t`off everywhere` : t`${formatNumber(on)} of ${formatNumber(total)} tools · ${formatCount(tokens)} tokens`}
        </span>
        <Icon name={open ? 'chevron-up' : 'chevron-down'} small />
      </button>
    </div>
  )
}

type SingleRowProps = Pick<ToolRowsProps, 'onTool'> & {
  readonly row: Extract<ToolPickerRow, { kind: 'tool' }>
  readonly isSent: boolean
}

function SingleRow({ row, isSent, onTool }: SingleRowProps) {
  const { server, tool, state } = row
  const line = [tool.title, tool.description].filter(Boolean).join(': ')
  return (
    <div className="tool-row" data-tool={tool.modelName}>
      <Switch
        checked={state.on}
        disabled={state.fixed !== undefined}
        label={tx`${<VisibleText text={tool.name} />} of ${<ServerName name={server} />}`}
        hideLabel
        onChange={(next) => onTool(server, tool.name, next)}
      />
      <span className="tool-row-words">
        <VisibleText className={cx('mono cut', !state.on && 'dim')} text={tool.name} />
        {line === '' ? null : <VisibleText className="help cut" text={line} />}
      </span>
      <span className="row help num nowrap">
        {isSent && state.on ? <Badge>{t`sent`}</Badge> : null}
        {state.fixed ? t`off everywhere` : state.on ? t`${formatCount(tool.tokens)} tokens` : t`off`}
      </span>
    </div>
  )
}

const none: ReadonlySet<string> = new Set()
/** Number of tools up to which all servers are open, and from which there is a search. */
const openUpTo = 30
const searchFrom = 6

function useSwitchedOff({ conversationId, begins }: PickerProps): ToolSwitches | undefined {
  const own = useConversation(conversationId, ({ tools }) => tools)
  return conversationId === undefined ? begins?.choice.tools : own
}

function ToolsDialog({ onClose, ...chat }: PickerProps & { readonly onClose: () => void }) {
  const [scope, setScope] = useState<Scope>('chat')
  const [search, setSearch] = useState('')
  const [toggled, setToggled] = useState(none)
  const off = useSwitchedOff(chat)
  const tools = useChatTools({ ...chat, off, scope })
  const { servers, sent, error } = tools
  const count = servers?.reduce((sum, server) => sum + server.tools.length, 0) ?? 0
  const few = count <= openUpTo
  const opened = new Set(servers?.flatMap(({ name }) => (few === toggled.has(name) ? [] : [name])))
  const rows = servers ? toolPickerRows({ servers, off, scope, search, opened }) : []
  const toggle = (server: string): void =>
    setToggled((before) => new Set(before.has(server) ? [...before].filter((one) => one !== server) : [...before, server]))
  return (
    <Dialog onClose={onClose} title={t`Tools of this chat`}>
      {sent && <SentLine sent={sent} fresh={chat.conversationId === undefined} />}
      <div className="row wrap">
        {count >= searchFrom && <SearchInput label={t`Find a tool`} value={search} onChange={setSearch} />}
        <Segmented<Scope>
          label={t`Where`}
          value={scope}
          onChange={setScope}
          choices={[
            { value: 'chat', label: t`This chat` },
            { value: 'everywhere', label: t`Everywhere` },
          ]}
        />
      </div>
      {error && <ErrorNotice error={error} onRetry={tools.reload} />}
      {servers && rows.length === 0 && <p className="dim">{search.trim() === '' ? t`No servers` : t`Nothing found.`}</p>}
      <ToolRows rows={rows} sent={sent} onOpen={toggle} onServer={tools.switchServer} onTool={tools.switchTool} />
    </Dialog>
  )
}

function SentLine({ sent, fresh }: { readonly sent: SentToolsSummary; readonly fresh: boolean }) {
  const { budget, searched, offered, offeredTokens, sentTokens } = sent
  const tokens = searched ? sentTokens : offeredTokens
  return (
    <div className="stack tight" role="status">
      <p>
        {searched
          ? tx`${<b className="num">{fresh ? formatNumber(offered) : t`${formatNumber(sent.sent.length)} of ${formatNumber(offered)}`}</b>} tools are sent. The model finds the rest.`
          : offered === 0
            ? t`Nothing found.`
            : t`${formatNumber(offered)} {tool is|tools are} sent with each message.`}
      </p>
      <p className="row help num tool-room">
        <Track part={Math.min(1, tokens / budget)} label={t`Tokens of tools`} />
        <span>{t`${formatCount(tokens)} of ${formatCount(budget)} tokens`}</span>
        <a href={hrefOf({ page: 'settings', tab: 'permissions' })}>{t`Change the limit`}</a>
      </p>
    </div>
  )
}

export function ToolPick(chat: PickerProps) {
  const [open, setOpen] = useState(false)
  const off = useSwitchedOff(chat)
  const list = useServers((state) => state.list)
  const share = useSettings((state) => state.settings.toolShare)
  const context = useModels((state) => state.models.find(({ id }) => id === chat.model)?.contextTokens)
  if (countServers(list).tools === 0) return null
  const { tools, tokens } = countServers(list.filter(({ name }) => !isServerOff(off, name)))
  const single = Object.entries(off?.tools ?? {}).reduce((sum, [server, names]) => sum + (isServerOff(off, server) ? 0 : names.length), 0)
  const count = Math.max(0, tools - single)
  const searched = tokens > toolBudget(share, context)
  return (
    <>
      <button type="button" className="pick num" title={t`Tools of this chat`} onClick={() => setOpen(true)}>
        <Icon name="tool" small />
        <span className="wide-only">
          {t`${formatNumber(count)} {tool|tools}`}
          {searched ? ` · ${t`found by search`}` : tokens >= 1000 && ` · ${t`${formatCount(tokens)} tokens`}`}
        </span>
        <span className="narrow-only">{formatCount(count)}</span>
        <span className="sr narrow-only">{t`tools`}</span>
      </button>
      {open && <ToolsDialog {...chat} onClose={() => setOpen(false)} />}
    </>
  )
}
