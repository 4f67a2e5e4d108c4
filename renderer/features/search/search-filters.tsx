// What narrows a search: where to look, which chats, which server, since when. All but the first are written into the field, where they
// stand as words and below it as chips; the field is the one truth.
import type { ChatFolder } from '#app/chat/chat-folder.ts'
import type { SearchCounts, SearchWhere } from '#app/chat/search/found.ts'
import { t } from '#app/words/translate.ts'
import { inOrder } from '#renderer/shell/chats/chat-rows.ts'
import { useConversations, useServers, useShallow } from '#renderer/stores/react.tsx'
import { Segmented } from '#renderer/ui/choices.tsx'
import { Select } from '#renderer/ui/field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { chipsOf, dayText, filterValue, withFilter, withoutChip } from './search-text.ts'

interface SearchFiltersProps {
  readonly text: string
  readonly where: SearchWhere
  readonly counts: SearchCounts | undefined
  readonly now: number
  readonly onText: (text: string) => void
  readonly onWhere: (where: SearchWhere) => void
}

const whereWords: Readonly<Record<SearchWhere, string>> = {
  all: t`All`,
  messages: t`Messages`,
  results: t`Tool results`,
  titles: t`Titles`,
}
const wheres: readonly SearchWhere[] = ['all', 'messages', 'results', 'titles']
const day = 86_400_000

export function SearchFilters({ text, where, counts, now, onText, onWhere }: SearchFiltersProps) {
  const known = useServers(useShallow((state) => state.list.map(({ name }) => name)))
  const folders = useConversations((state) => state.folders)
  const server = filterValue(text, 'server') ?? ''
  const after = filterValue(text, 'after') ?? ''
  const servers = [...new Set([...known, ...(server === '' ? [] : [server])])]
  const periods: readonly (readonly [value: string, words: string])[] = [
    [dayText(now), t`Today`],
    [dayText(now - 7 * day), t`Past week`],
    [dayText(now - 30 * day), t`Past month`],
    [dayText(now - 365 * day), t`Past year`],
  ]
  const chips = chipsOf(text)
  return (
    <>
      <div className="row wrap search-filters">
        <Segmented<SearchWhere>
          label={t`Where to look`}
          value={where}
          onChange={onWhere}
          choices={wheres.map((value) => ({ value, label: <WhereLabel where={value} counts={counts} /> }))}
        />
        <span className="grow" />
        <ChatsSelect text={text} folders={folders} onText={onText} />
        <Select
          aria-label={t`Server`}
          className="fit"
          value={server}
          onChange={({ target }) => onText(withFilter(text, 'server', target.value || undefined))}
        >
          <option value="">{t`Any server`}</option>
          {servers.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
        <Select
          aria-label={t`When`}
          className="fit"
          value={after}
          onChange={({ target }) => onText(withFilter(text, 'after', target.value || undefined))}
        >
          <option value="">{t`Any time`}</option>
          {periods.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
          {after !== '' && !periods.some(([value]) => value === after) && <option value={after}>{tx`Since ${after}`}</option>}
        </Select>
      </div>
      {chips.length > 0 && (
        <ul className="row wrap search-chips" aria-label={t`Filters`}>
          {chips.map((chip) => (
            <li key={chip.text}>
              <button type="button" className="search-chip" onClick={() => onText(withoutChip(text, chip))}>
                <span className="sr">{t`Take away`} </span>
                <span className="faint">{chip.filter}</span> {chip.value}
                <Icon name="close" small />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const ARCHIVE = 'in:archive'

/** All of them, the archived ones, or those of a folder. */
function ChatsSelect({ text, folders, onText }: ChatsSelectProps) {
  const folder = filterValue(text, 'folder')
  const archived = chipsOf(text).find(({ filter, value }) => filter === 'in' && value.toLowerCase() === 'archive')
  const known = inOrder(folders).map(({ name }) => name)
  const choose = (value: string): void => {
    const rest = withFilter(archived ? withoutChip(text, archived) : text, 'folder', undefined)
    if (value === ARCHIVE) onText(`${ARCHIVE} ${rest}`)
    else onText(withFilter(rest, 'folder', value === '' ? undefined : value.slice('folder:'.length)))
  }
  return (
    <Select
      aria-label={t`Chats`}
      className="fit"
      value={folder === undefined ? (archived ? ARCHIVE : '') : `folder:${folder}`}
      onChange={({ target }) => choose(target.value)}
    >
      <option value="">{t`All chats`}</option>
      <option value={ARCHIVE}>{t`Archived`}</option>
      {[...new Set([...known, ...(folder === undefined ? [] : [folder])])].map((name) => (
        <option key={name} value={`folder:${name}`}>
          {name}
        </option>
      ))}
    </Select>
  )
}

interface ChatsSelectProps {
  readonly text: string
  readonly folders: readonly ChatFolder[]
  readonly onText: (text: string) => void
}

function WhereLabel({ where, counts }: { readonly where: SearchWhere; readonly counts: SearchCounts | undefined }) {
  return (
    <>
      {whereWords[where]}
      {counts !== undefined && (
        <span className="num search-count">
          {counts[where]}
          {counts.capped && '+'}
        </span>
      )}
    </>
  )
}
