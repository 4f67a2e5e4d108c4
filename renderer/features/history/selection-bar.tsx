// Above the list: pick all, and what is done to those that are picked.
import type { ChatChange } from '#app/chat/chat-filter.ts'
import { t } from '#app/words/translate.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/choices.tsx'
import type { ChatTab } from './chat-view.ts'
import { chatCount } from './use-chat-changes.ts'
import type { FoundChats } from './use-found-chats.ts'
import type { Picked } from './use-picked.ts'

interface SelectionBarProps {
  readonly tab: ChatTab
  readonly picked: Picked
  readonly found: FoundChats
  readonly onChange: (change: ChatChange) => void
  readonly onMove: () => void
  readonly onPurge: () => void
}

export function SelectionBar({ tab, picked, found, onChange, onMove, onPurge }: SelectionBarProps) {
  const { count } = picked
  const total = found.found ?? found.items.length
  if (total === 0) return null
  const every = found.found === undefined && found.more ? t`All that are shown` : t`All ${chatCount(total)}`
  return (
    <div className="row wrap selection-bar">
      <Checkbox
        label={<span aria-live="polite">{count > 0 ? t`${chatCount(count)} chosen` : total === 1 ? t`1 chat` : every}</span>}
        checked={picked.all}
        onChange={picked.setAll}
      />
      <span className="grow" />
      {count > 0 && (
        <>
          {tab === 'chats' && (
            <Button size="sm" onClick={() => onChange({ kind: 'archive' })}>
              {t`Archive`}
            </Button>
          )}
          {tab === 'archived' && (
            <Button size="sm" onClick={() => onChange({ kind: 'unarchive' })}>
              {t`Unarchive`}
            </Button>
          )}
          {tab !== 'deleted' && (
            <>
              <Button size="sm" onClick={onMove}>
                {t`Move to folder …`}
              </Button>
              <Button size="sm" danger onClick={() => onChange({ kind: 'delete' })}>
                {t`Delete`}
              </Button>
            </>
          )}
          {tab === 'deleted' && (
            <>
              <Button size="sm" onClick={() => onChange({ kind: 'restore' })}>
                {t`Restore`}
              </Button>
              <Button size="sm" danger onClick={onPurge}>
                {t`Delete for good …`}
              </Button>
            </>
          )}
        </>
      )}
    </div>
  )
}
