import './styles/search-input.css'
import { Icon } from './icon.tsx'
import { isTyping } from './lib/is-typing.ts'

interface SearchInputProps {
  /** Placeholder, and name for screen readers. */
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A search field that filters the page as the person types; Escape empties it. */
export const SearchInput = ({ label, value, onChange }: SearchInputProps) => (
  <label className="input search">
    <Icon name="search" small />
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || value === '' || isTyping(event)) return
        event.stopPropagation()
        onChange('')
      }}
    />
  </label>
)
