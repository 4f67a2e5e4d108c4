import type { ListedServer } from '#app/chat/tool-overview.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { Select } from '#renderer/ui/field.tsx'
import { SearchInput } from '#renderer/ui/search-input.tsx'
import { limitNotes, type ShownKind, shownKinds, type ToolFilter } from './tool-filter.ts'

const kindWords: Readonly<Record<ShownKind, string>> = {
  all: t`All tools`,
  on: t`Switched on`,
  off: t`Switched off`,
  changed: t`Changed since you accepted them`,
  new: t`Not accepted yet`,
  'read-only': t`Said to only read`,
  destructive: t`Said to destroy`,
}

interface ToolFiltersProps {
  readonly filter: ToolFilter
  readonly servers: readonly ListedServer[]
  readonly shown: number
  readonly all: number
  readonly onChange: (filter: ToolFilter) => void
}

export function ToolFilters({ filter, servers, shown, all, onChange }: ToolFiltersProps) {
  return (
    <div className="tool-filters">
      <SearchInput label={t`Find a tool`} value={filter.search} onChange={(search) => onChange({ ...filter, search })} />
      <div className="row">
        <Select aria-label={t`Server`} value={filter.server} onChange={(event) => onChange({ ...filter, server: event.target.value })}>
          <option value="">{t`All servers`}</option>
          {servers.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
        <Select
          aria-label={t`Which tools`}
          value={filter.kind}
          onChange={(event) => onChange({ ...filter, kind: event.target.value as ShownKind })}
        >
          {shownKinds.map((kind) => (
            <option key={kind} value={kind}>
              {kindWords[kind]}
            </option>
          ))}
        </Select>
      </div>
      <p className="help num" role="status">
        {shown === all ? `${numberWords(all)} ${all === 1 ? t`tool` : t`tools`}` : t`${numberWords(shown)} of ${numberWords(all)} tools`}
      </p>
      {limitNotes(servers).map((note) => (
        <p key={note} className="help">
          {note}
        </p>
      ))}
    </div>
  )
}
