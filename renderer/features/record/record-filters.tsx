import { auditKinds } from '#app/consent/audit.ts'
import { spokenLanguage, t } from '#app/words/translate.ts'
import { useServers, useShallow } from '#renderer/stores/react.tsx'
import { Select, TextInput } from '#renderer/ui/field.tsx'
import { SearchInput } from '#renderer/ui/search-input.tsx'
import { type DecisionGroup, deciders, decisionGroups, periods, type RecordFilter } from './record-filter.ts'
import { byWords, kindWord } from './record-words.ts'

interface RecordFiltersProps {
  readonly value: RecordFilter
  /** Names of servers that rows speak of; they may be removed by now. */
  readonly mentioned: readonly string[]
  readonly onChange: (change: Partial<RecordFilter>) => void
}

const decisionWord: Record<DecisionGroup, string> = { allowed: t`Allowed`, refused: t`Refused`, withdrawn: t`Withdrawn`, failed: t`Failed` }
/** A file's name stays as it is. */
const capital = (text: string): string =>
  text.includes('.') ? text : text.replace(/^./u, (letter) => letter.toLocaleUpperCase(spokenLanguage()))

export function RecordFilters({ value, mentioned, onChange }: RecordFiltersProps) {
  const known = useServers(useShallow((state) => state.list.map(({ name }) => name)))
  const servers = [...new Set([...known, ...mentioned, ...(value.server === '' ? [] : [value.server])])].sort((a, b) => a.localeCompare(b))
  return (
    <div className="row wrap record-head">
      <SearchInput label={t`Server, tool, chat, path`} value={value.text} onChange={(text) => onChange({ text })} />
      <Choice
        label={t`Server`}
        all={t`All servers`}
        value={value.server}
        choices={servers.map((name) => [name, name])}
        onChange={(server) => onChange({ server })}
      />
      <Choice
        label={t`Kind`}
        all={t`All kinds`}
        value={value.kind}
        choices={auditKinds.map((kind) => [kind, capital(kindWord(kind))])}
        onChange={(kind) => onChange({ kind: kind as RecordFilter['kind'] })}
      />
      <Choice
        label={t`Decision`}
        all={t`All decisions`}
        value={value.decision}
        choices={(Object.keys(decisionGroups) as DecisionGroup[]).map((group) => [group, decisionWord[group]])}
        onChange={(decision) => onChange({ decision: decision as RecordFilter['decision'] })}
      />
      <Choice
        label={t`By whom`}
        all={t`By anyone`}
        value={value.by}
        choices={deciders.map((by) => [by, t`By ${byWords(by)}`])}
        onChange={(by) => onChange({ by: by as RecordFilter['by'] })}
      />
      <Choice
        label={t`When`}
        all={t`Any time`}
        value={value.when}
        choices={Object.entries(periods)}
        onChange={(when) => onChange({ when: when as RecordFilter['when'] })}
      />
      {value.when === 'chosen' ? (
        <span className="row record-days">
          <TextInput
            type="date"
            aria-label={t`First day`}
            value={value.from}
            onChange={(event) => onChange({ from: event.target.value })}
          />
          <span className="dim">{t`to`}</span>
          <TextInput type="date" aria-label={t`Last day`} value={value.to} onChange={(event) => onChange({ to: event.target.value })} />
        </span>
      ) : null}
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly all: string
  readonly value: string
  readonly choices: readonly (readonly [value: string, words: string])[]
  readonly onChange: (value: string) => void
}

function Choice({ label, all, value, choices, onChange }: ChoiceProps) {
  return (
    <Select aria-label={label} className="fit" value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{all}</option>
      {choices.map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
    </Select>
  )
}
