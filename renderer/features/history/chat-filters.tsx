// What narrows the list of all chats.
import { t } from '#app/words/translate.ts'
import { inOrder } from '#renderer/shell/chats/chat-rows.ts'
import { useConversations, useModels } from '#renderer/stores/react.tsx'
import { Select } from '#renderer/ui/field.tsx'
import { SearchInput } from '#renderer/ui/search-input.tsx'
import { type ChatView, type Period, periods } from './chat-view.ts'

interface ChatFiltersProps {
  readonly view: ChatView
  readonly onChange: (view: ChatView) => void
}

export function ChatFilters({ view, onChange }: ChatFiltersProps) {
  const folders = useConversations((state) => state.folders)
  const models = useModels((state) => state.models)
  const set = (part: Partial<ChatView>): void => onChange({ ...view, ...part })
  return (
    <div className="row wrap chat-filters">
      <SearchInput label={t`Part of the title`} value={view.text} onChange={(text) => set({ text })} />
      <span className="grow" />
      <Select aria-label={t`Folder`} className="fit" value={view.folder} onChange={({ target }) => set({ folder: target.value })}>
        <option value="">{t`Any folder`}</option>
        <option value="none">{t`In no folder`}</option>
        {inOrder(folders).map(({ id, name }) => (
          <option key={id} value={`in ${id}`}>
            {name}
          </option>
        ))}
      </Select>
      <Select aria-label={t`Model`} className="fit" value={view.model} onChange={({ target }) => set({ model: target.value })}>
        <option value="">{t`Any model`}</option>
        {models.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        aria-label={t`Last change`}
        className="fit"
        value={view.period}
        onChange={({ target }) => set({ period: target.value as Period })}
      >
        {Object.entries(periods).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </Select>
    </div>
  )
}
