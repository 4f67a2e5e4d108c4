// Servers and tools with their switches, in the dialog that scrolls them. Of a long list only what is in sight is drawn.

import type { SentToolsView } from '#app/chat/tool-overview.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { Switch } from '#renderer/ui/choices.tsx'
import { cx } from '#renderer/ui/class-names.ts'
import { Icon } from '#renderer/ui/icon.tsx'
import { Badge, ServerMark } from '#renderer/ui/marks.tsx'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { useDrawnRows } from '#renderer/ui/use-drawn-rows.ts'
import { formatCount } from '../server-summary.ts'
import type { Scope, SwitchState, ToolRow } from './tool-rows.ts'

/** Pixels, as the style sheet has them. */
const rowHeight = 44

interface ToolRowsProps {
  readonly rows: readonly ToolRow[]
  readonly scope: Scope
  readonly sent: SentToolsView | undefined
  readonly onOpen: (server: string) => void
  readonly onServer: (server: string, on: boolean) => void
  readonly onTool: (server: string, tool: string, on: boolean) => void
}

export function ToolRows(props: ToolRowsProps) {
  const { rows, sent } = props
  const { list, style, indexes } = useDrawnRows({
    count: rows.length,
    rowHeight,
    keyOf: (index) => rows[index]?.key ?? index,
    plainUpTo: 120,
  })
  // Beyond the limit it says which are sent; below it all are.
  const names = new Set(sent?.searched ? sent.sent : [])
  return (
    <div ref={list} className="tool-rows" style={style}>
      {indexes.map((index) => {
        const row = rows[index]
        if (!row) return null
        return row.kind === 'server' ? (
          <ServerRow key={row.key} row={row} {...props} />
        ) : (
          <SingleRow key={row.key} row={row} isSent={names.has(row.tool.modelName)} scope={props.scope} onTool={props.onTool} />
        )
      })}
    </div>
  )
}

const where = (scope: Scope): string => (scope === 'chat' ? t`in this chat` : t`everywhere`)
const whyOff = ({ fixed }: SwitchState): string => (fixed === 'off-everywhere' ? t`off everywhere` : t`off with its server`)

function ServerRow({ row, scope, onOpen, onServer }: ToolRowsProps & { readonly row: Extract<ToolRow, { kind: 'server' }> }) {
  const { server, state, open, on, tokens } = row
  const total = server.tools.length
  return (
    <div className="tool-row of-server" data-server={server.name}>
      <Switch
        checked={state.on}
        disabled={state.fixed !== undefined}
        label={`${server.name} ${where(scope)}`}
        hideLabel
        onChange={(next) => onServer(server.name, next)}
      />
      <button type="button" className="tool-row-open" aria-expanded={open} onClick={() => onOpen(server.name)}>
        <ServerMark name={server.name} />
        <span className="cut strong">{server.name}</span>
        <span className="help num nowrap">
          {state.fixed
            ? whyOff(state)
            : t`${on === total ? numberWords(total) : t`${numberWords(on)} of ${numberWords(total)}`} ${total === 1 ? t`tool` : t`tools`} · ${formatCount(tokens)} tokens`}
        </span>
        <Icon name={open ? 'chevron-up' : 'chevron-down'} small />
      </button>
    </div>
  )
}

interface SingleRowProps extends Pick<ToolRowsProps, 'scope' | 'onTool'> {
  readonly row: Extract<ToolRow, { kind: 'tool' }>
  readonly isSent: boolean
}

function SingleRow({ row, scope, isSent, onTool }: SingleRowProps) {
  const { server, tool, state } = row
  const line = [tool.title, tool.description].filter(Boolean).join(': ')
  return (
    <div className="tool-row" data-tool={tool.modelName}>
      <Switch
        checked={state.on}
        disabled={state.fixed !== undefined}
        label={tx`${<Revealed text={tool.name} />} of ${<ServerName name={server} />} ${where(scope)}`}
        hideLabel
        onChange={(next) => onTool(server, tool.name, next)}
      />
      <span className="tool-row-words">
        <span className={cx('mono cut', !state.on && 'dim')}>
          <Revealed text={tool.name} />
        </span>
        {line === '' ? null : (
          <span className="help cut">
            <Revealed text={line} />
          </span>
        )}
      </span>
      <span className="row help num nowrap">
        {isSent && state.on ? <Badge>{t`sent`}</Badge> : null}
        {state.fixed ? whyOff(state) : state.on ? t`${formatCount(tool.tokens)} tokens` : t`off`}
      </span>
    </div>
  )
}
