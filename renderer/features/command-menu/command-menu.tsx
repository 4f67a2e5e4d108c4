// The command menu: one field for everything one can go to or do. Enter runs a command; ⌘K lists what else can be done with the same
// thing; Backspace in the empty field goes back. Groups keep their order; within a group the better match stands first.
import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { fuzzyMatch } from '#app/text/fuzzy-match.ts'
import { useChords } from '#renderer/navigation/shortcuts.ts'
import { Dot, Icon } from '#renderer/ui/icon.tsx'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { ChordKeys, formatChord, matchesChord, useOs } from '#renderer/ui/lib/key-chords.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { HighlightMatch, VisibleText } from '#renderer/ui/visible-text.tsx'
import { type Command, type CommandGroup, type CommandList, useCommandList } from './use-command-list.ts'
import './command-menu.css'

/** Group as `Autocomplete` takes it. */
type FoundGroup = { readonly title: string; readonly items: readonly Command[] }

/** Commands of one group that are shown at most, so that other groups stay in sight. */
export const mostOfGroup = 8

export function findCommands(query: string, groups: readonly CommandGroup[]): FoundGroup[] {
  const wanted = query.trim()
  return groups
    .map(({ title, commands, atFirst = commands.length, found }) => ({
      title,
      items: wanted === '' ? commands.slice(0, atFirst) : found ? commands.slice(0, mostOfGroup) : fitting(wanted, commands),
    }))
    .filter(({ items }) => items.length > 0)
}

function fitting(wanted: string, commands: readonly Command[]): Command[] {
  return commands
    .map((command) => ({ command, score: scoreOf(wanted, command) }))
    .filter(({ score }) => score !== undefined)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .slice(0, mostOfGroup)
    .map(({ command }) => command)
}

/**
 * Score of a command; undefined: it does not match. Letters stand together, begin the words in turn ("vvn" is "Vendor VAT numbers"), or are several words, each somewhere.
 * Letters scattered over a title would be found in nearly every one.
 */
function scoreOf(wanted: string, { words, detail = '', also = '' }: Command): number | undefined {
  const whole = runIn(wanted, words)
  if (whole !== undefined) return whole * 2
  if (wanted.length > 1 && initials(words).startsWith(wanted.toLowerCase())) return asInitials
  let score = 0
  for (const word of wanted.split(/\s+/)) {
    const found = runIn(word, words) ?? beginIn(word, detail) ?? beginIn(word, also)
    if (found === undefined) return undefined
    score += found
  }
  return score / 2
}

/** Score of initials: as good as a word in the middle. */
const asInitials = 60

const runIn = (word: string, text: string): number | undefined =>
  text.toLowerCase().includes(word.toLowerCase()) ? fuzzyMatch(word, text)?.score : undefined

/** Score of a word at the beginning of a word of `text`. */
const beginIn = (word: string, text: string): number | undefined =>
  wordsOf(text).some((one) => one.startsWith(word.toLowerCase())) ? 1 : undefined

const initials = (text: string): string =>
  wordsOf(text)
    .map((word) => word.slice(0, 1))
    .join('')

const wordsOf = (text: string): string[] => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)

interface CommandMenuProps {
  readonly field: RefObject<HTMLInputElement | null>
  readonly from: RefObject<Element | null>
  readonly onClose: () => void
}

export function CommandMenu({ field, from, onClose }: CommandMenuProps) {
  const os = useOs()
  const { commands } = useChords()
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
    if (matchesChord(event.nativeEvent, commands, os)) {
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
                  aria-label={path.length > 0 ? list.title : t`Commands, chats and servers`}
                  placeholder={path.length > 0 ? t`Which one?` : t`Commands, chats and servers`}
                  spellCheck={false}
                  onKeyDown={onKeyDown}
                />
                <Dialog.Close className="key" aria-label={t`esc: close`}>
                  {t`esc`}
                </Dialog.Close>
              </div>
              <Autocomplete.Empty className="cmd-none">{t`Nothing found.`}</Autocomplete.Empty>
              <FoundCommands query={query.trim()} onRun={run} />
              <KeyHints more={more} back={path.length > 0} />
            </Autocomplete.Root>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type OnRun = (command: Command) => void

/** Commands as `Autocomplete` gives them, in their groups. */
function FoundCommands({ query, onRun }: { readonly query: string; readonly onRun: OnRun }) {
  return (
    <Autocomplete.List className="cmd">
      {(group: FoundGroup) => (
        <Autocomplete.Group key={group.title} items={group.items}>
          <Autocomplete.GroupLabel className="cmd-group">{group.title}</Autocomplete.GroupLabel>
          <Autocomplete.Collection>
            {(command: Command) => (
              <Autocomplete.Item key={command.id} className="cmd-row" value={command} onClick={() => onRun(command)}>
                {command.icon === 'waiting' ? <Dot tone="you" /> : <Icon name={command.icon} />}
                <span className="cut">
                  <HighlightMatch text={command.words} query={command.words.toLowerCase().includes(query.toLowerCase()) ? query : ''} />
                  {command.detail !== undefined && (
                    <span className="faint">
                      {' '}
                      <VisibleText text={command.detail} />
                    </span>
                  )}
                </span>
                {command.chord ? <ChordKeys chord={command.chord} /> : <span className="faint cut">{command.end}</span>}
              </Autocomplete.Item>
            )}
          </Autocomplete.Collection>
        </Autocomplete.Group>
      )}
    </Autocomplete.List>
  )
}

/** Keys that do something now. `more`: there is more for the command; `back`: another list is open. */
function KeyHints({ more, back }: { readonly more: boolean; readonly back: boolean }) {
  const os = useOs()
  const { commands } = useChords()
  return (
    <div className="foot cmd-foot">
      <span className="help row">
        {tx`${<span className="key">{formatChord({ key: 'Enter' }, os)}</span>} open`}
        {more && tx`${<span className="key">{formatChord(commands, os)}</span>} more for this`}
        {back && tx`${<span className="key">{formatChord({ key: 'Backspace' }, os)}</span>} back`}
      </span>
      <span className="grow" />
      <span className="help wide-only">{t`No command allows a request`}</span>
    </div>
  )
}
