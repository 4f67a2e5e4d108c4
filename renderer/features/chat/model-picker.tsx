import type { ModelInfo } from '#app/chat/models.ts'
import { hrefOf, navigate } from '#renderer/router.ts'
import { useActions, useModels } from '#renderer/stores/react.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Badge } from '#renderer/ui/marks.tsx'
import { Menu, MenuItem, MenuRadio, MenuSeparator } from '#renderer/ui/menu.tsx'

interface ModelPickerProps {
  /** Undefined: a new chat, whose model is the default one. */
  readonly conversationId: string | undefined
  readonly model: string
}

export function ModelPicker({ conversationId, model }: ModelPickerProps) {
  const actions = useActions()
  const models = useModels((state) => state.models)
  const current = models.find((one) => one.id === model)
  const choose = (id: string): void =>
    conversationId === undefined ? actions.set({ defaultModel: id }) : actions.setModel(conversationId, id)
  const trigger = (
    <button type="button" className="pick" title="Model">
      <Icon name="model" small />
      <span className="cut">{current?.name ?? model}</span>
      {current && !current.ai && <Badge>no AI</Badge>}
      {!current && <Badge tone="warn">not available</Badge>}
      <Icon name="chevron-down" small />
    </button>
  )
  return (
    <Menu side="top" trigger={trigger}>
      <MenuRadio
        label="Model"
        value={model}
        onChange={choose}
        choices={models.map((one) => ({ value: one.id, label: <ModelName model={one} /> }))}
      />
      <MenuSeparator />
      <MenuItem onSelect={() => navigate({ page: 'settings', tab: 'models' })}>Add a model</MenuItem>
    </Menu>
  )
}

function ModelName({ model }: { readonly model: ModelInfo }) {
  return (
    <>
      <span className="cut">{model.name}</span>
      {!model.ai && <Badge>no AI</Badge>}
    </>
  )
}

export const modelSettings = hrefOf({ page: 'settings', tab: 'models' })
