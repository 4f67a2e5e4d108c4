import { useId } from 'react'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { ServerView } from '#app/server/view.ts'
import { t } from '#app/words/translate.ts'
import { hrefOf } from '#renderer/router.ts'
import { Switch } from '#renderer/ui/choices.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Badge } from '#renderer/ui/marks.tsx'
import { OwnIcon } from '#renderer/ui/own-icon.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { ToolFacts } from './tool-facts.tsx'
import { standingWords, type ToolStanding } from './tool-standing.ts'

export interface ToolRowProps {
  readonly server: ServerView
  readonly tool: ToolEntry
  readonly standing: ToolStanding
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
  readonly onEnabled: (enabled: boolean) => void
  /** In a list of which only a part is drawn. */
  readonly place?: { readonly index: number; readonly measure: (element: HTMLElement | null) => void }
}

export function ToolRow({ server, tool, standing, open, onOpen, onEnabled, place }: ToolRowProps) {
  const more = useId()
  const title = tool.title ?? tool.annotations?.title
  const line = [title, tool.description].filter(Boolean).join(': ')
  return (
    <div className="tool" data-tool={tool.name} data-index={place?.index} ref={place?.measure}>
      <div className="tool-line">
        <Switch checked={tool.enabled} label={tx`${<Revealed text={tool.name} />} on`} hideLabel onChange={onEnabled} />
        <button type="button" className="tool-open" aria-expanded={open} aria-controls={more} onClick={() => onOpen(!open)}>
          <span className="grow">
            <span className="row">
              <OwnIcon icons={tool.icons} />
              <span className={`mono cut${tool.enabled ? '' : ' dim'}`}>
                <Revealed text={tool.name} />
              </span>
              {standing === 'changed' ? <Badge tone="warn">{t`changed`}</Badge> : null}
              {standing === 'never' ? <Badge tone="danger">{t`never`}</Badge> : null}
            </span>
            {open || line === '' ? null : (
              <span className="help cut">
                <Revealed text={line} />
              </span>
            )}
          </span>
          <span className="faint help num nowrap">
            {standing === 'off' ? standingWords.off : t`${standingWords[standing]} · ${tool.tokens} tokens`}
          </span>
          <Icon name={open ? 'chevron-up' : 'chevron-down'} small />
        </button>
      </div>
      {open ? <ToolMore id={more} server={server} tool={tool} standing={standing} /> : null}
    </div>
  )
}

function ToolMore({ id, server, tool, standing }: Pick<ToolRowProps, 'server' | 'tool' | 'standing'> & { readonly id: string }) {
  return (
    <div id={id} className="tool-more">
      {standing === 'changed' ? (
        <p className="help warntext">{t`It differs from what you approved. Your rule is paused: the next call asks you.`}</p>
      ) : null}
      <ToolFacts server={server.name} trusted={server.definition.trusted} tool={tool} />
      <p>
        <a className="textlink" href={hrefOf({ page: 'library', tab: 'tools', server: server.name, item: tool.name })}>
          {t`Open it in the library, to run it by hand`}
        </a>
      </p>
    </div>
  )
}
