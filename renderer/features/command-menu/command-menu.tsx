// The command menu (mock-up 13): one field for whatever one can go to or do. Enter does it; ⌘K lists what else can be done
// with the same thing; Backspace in the empty field goes back.
import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { t } from '#app/words/translate.ts'
import { Icon } from '#renderer/ui/icon.tsx'
import { formatChord, Keys, matchesChord, useOs } from '#renderer/ui/keys.tsx'
import { Dot } from '#renderer/ui/marks.tsx'
import { Matched } from '#renderer/ui/matched.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import './command-menu.css'
import { isTyping } from '#renderer/ui/typing.ts'
import type { Command, CommandList } from './command.ts'
import { type FoundGroup, findCommands } from './find-commands.ts'
import { useCommandList } from './use-command-list.ts'

const moreChord = { key: 'k', mod: true } as const

interface CommandMenuProps {
  readonly field: RefObject<HTMLInputElement | null>
  /** What had the focus before. */
  readonly from: RefObject<Element | null>
  readonly onClose: () => void
}

export function CommandMenu({ field, from, onClose }: CommandMenuProps) {
  const os = useOs()
  const [query, setQuery] = useState('')
  const [path, setPath] = useState<readonly CommandList[]>([])
  /** A command has its own place for the focus; without one it goes back to where it was. */
  const ran = useRef<boolean>(false)
  const highlighted = useRef<Command | undefined>(undefined)
  const [more, setMore] = useState(false)
  const root = useCommandList(query)
  const list = path.at(-1) ?? root
  const groups = findCommands(query, list.groups)

  const enter = (next: CommandList): void => {
    setPath([...path, next])
    setQuery('')
  }
  const run = ({ act }: Command): void => {
    if (typeof act !== 'function') enter(act)
    else {
      ran.current = true
      onClose()
      act()
    }
  }
  const backTo = (): HTMLElement | true => {
    const { current } = from
    return current instanceof HTMLElement && current.isConnected && current !== document.body ? current : true
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isTyping(event)) return
    if (matchesChord(event.nativeEvent, moreChord, os)) {
      // At the top it closes the menu that it opened, where there is no more to be said of anything.
      if (highlighted.current?.more) enter(highlighted.current.more)
      else onClose()
    } else if (event.key === 'Backspace' && query === '' && path.length > 0) setPath(path.slice(0, -1))
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Viewport className="veil clear">
          <Dialog.Popup className="over commands" aria-label={list.title} initialFocus={field} finalFocus={() => !ran.current && backTo()}>
            <Autocomplete.Root
              items={groups}
              filteredItems={groups}
              inline
              open
              value={query}
              onValueChange={(text, { reason }) => reason !== 'item-press' && setQuery(text)}
              itemToStringValue={(command: Command) => command.words}
              autoHighlight="always"
              keepHighlight
              onItemHighlighted={(command) => {
                highlighted.current = command
                setMore(command?.more !== undefined)
              }}
            >
              <div className="cmd-in">
                <Icon name="search" />
                {path.length > 0 && <span className="badge">{list.title}</span>}
                <Autocomplete.Input
                  ref={field}
                  aria-label={path.length > 0 ? list.title : t`Find a command, a chat or a server`}
                  placeholder={path.length > 0 ? t`Which one?` : t`Find a command, a chat or a server`}
                  spellCheck={false}
                  onKeyDown={onKeyDown}
                />
                <Dialog.Close className="key" aria-label={t`esc: close`}>
                  {t`esc`}
                </Dialog.Close>
              </div>
              <Autocomplete.Empty className="cmd-none">{t`Nothing is called that.`}</Autocomplete.Empty>
              <Autocomplete.List className="cmd">
                {(group: FoundGroup) => (
                  <Autocomplete.Group key={group.title} items={group.items}>
                    <Autocomplete.GroupLabel className="cmd-group">{group.title}</Autocomplete.GroupLabel>
                    <Autocomplete.Collection>
                      {(command: Command) => <Row key={command.id} command={command} query={query.trim()} onRun={run} />}
                    </Autocomplete.Collection>
                  </Autocomplete.Group>
                )}
              </Autocomplete.List>
              <div className="foot cmd-foot">
                <span className="help row">
                  {tx`${<span className="key">{formatChord({ key: 'Enter' }, os)}</span>} open`}
                  {more && tx`${<span className="key">{formatChord(moreChord, os)}</span>} more for this`}
                  {path.length > 0 && tx`${<span className="key">{formatChord({ key: 'Backspace' }, os)}</span>} back`}
                </span>
                <span className="grow" />
                <span className="help wide-only">{t`No command here allows a request`}</span>
              </div>
            </Autocomplete.Root>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Row({ command, query, onRun }: { readonly command: Command; readonly query: string; readonly onRun: (command: Command) => void }) {
  const { words, detail, end, chord, icon } = command
  return (
    <Autocomplete.Item className="cmd-row" value={command} onClick={() => onRun(command)}>
      {icon === 'waiting' ? <Dot tone="you" /> : <Icon name={icon} />}
      <span className="cut">
        <Matched text={words} query={words.toLowerCase().includes(query.toLowerCase()) ? query : ''} />
        {detail !== undefined && (
          <span className="faint">
            {' '}
            <Revealed text={detail} />
          </span>
        )}
      </span>
      {chord ? <Keys chord={chord} /> : <span className="faint cut">{end}</span>}
    </Autocomplete.Item>
  )
}
