import { type KeyboardEvent, memo } from 'react'
import { t } from '#app/words/translate.ts'
import { hrefOf } from '#renderer/router.ts'
import { cx } from '#renderer/ui/class-names.ts'
import { Badge, ServerMark } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { useDrawnRows } from '#renderer/ui/use-drawn-rows.ts'
import type { FoundTool } from './tool-filter.ts'

interface ToolsListProps {
  readonly tools: readonly FoundTool[]
  readonly chosen: FoundTool | undefined
  /** No server has any. */
  readonly empty: boolean
}

/** Pixels, as the style sheet has them. */
const rowHeight = 52

export const ToolsList = memo(function ToolsList({ tools, chosen, empty }: ToolsListProps) {
  const { list, style, indexes, scrollTo } = useDrawnRows({ count: tools.length, rowHeight, keyOf: (index) => keyOf(tools[index]) })
  const go = (event: KeyboardEvent<HTMLElement>): void => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const from = event.target instanceof HTMLElement ? Number(event.target.dataset['index']) : Number.NaN
    const to = from + by
    if (by === 0 || Number.isNaN(from) || to < 0 || to >= tools.length) return
    event.preventDefault()
    scrollTo(to)
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus())
  }
  if (tools.length === 0)
    return <p className="dim">{empty ? t`No tools are known yet. They are listed once a server has run.` : t`No tool matches.`}</p>
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys go through the links in it
    <div ref={list} className="tool-links" style={style} onKeyDown={go}>
      {indexes.map((index) => {
        const one = tools[index]
        return one && <ToolLink key={keyOf(one)} one={one} index={index} current={one === chosen} />
      })}
    </div>
  )
})

const keyOf = (one: FoundTool | undefined): string => (one ? `${one.server.name}\n${one.tool.name}` : '')

const ToolLink = memo(function ToolLink({
  one,
  index,
  current,
}: {
  readonly one: FoundTool
  readonly index: number
  readonly current: boolean
}) {
  const { server, tool } = one
  const on = server.enabled && tool.enabled
  return (
    <a
      className="tool-link"
      data-tool={tool.modelName}
      data-index={index}
      aria-current={current ? 'true' : undefined}
      href={hrefOf({ page: 'library', tab: 'tools', server: server.name, item: tool.name })}
    >
      <ServerMark name={server.name} />
      <span className="tool-link-words">
        <span className="row">
          <span className={cx('mono cut', !on && 'dim')}>
            <Revealed text={tool.name} />
          </span>
          {tool.known === 'changed' && <Badge tone="warn">{t`changed`}</Badge>}
        </span>
        <span className="help cut">
          {server.name}
          {tool.claims && ` · ${tool.claims === 'destructive' ? t`says it can destroy` : t`says it only reads`}`}
          {(tool.title ?? tool.description) && (
            <>
              {' · '}
              <Revealed text={tool.title ?? tool.description ?? ''} />
            </>
          )}
        </span>
      </span>
      <span className="help num nowrap">{on ? t`${tool.tokens} tokens` : t`off`}</span>
    </a>
  )
})
