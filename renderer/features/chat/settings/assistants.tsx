// Assistants: instructions, model, servers and mode that a new chat begins with. They are copied into the chat: a later change of the
// assistant changes no chat. What a form shares with that of a folder of chats stands here too.

import { useRef, useState } from 'react'
import { type Assistant, type AssistantDraft, longestInstructions, switchesForServers } from '#app/chat/personal.ts'
import type { ConsentMode } from '#app/consent/rules/consent-mode.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { findComposer } from '#renderer/navigation/focus.ts'
import { navigate } from '#renderer/router.ts'
import { useActions, useModels, usePersonal, useServers, useShallow } from '#renderer/stores/store-hooks.tsx'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { Checkbox, RadioList, SelectField, TextAreaField, TextField } from '#renderer/ui/field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Menu, MenuItem, MenuRadio, MenuSeparator } from '#renderer/ui/menu.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { modeLabels, modes } from './mode-picker.tsx'
import type { BeginningChat } from './new-chat-choices.ts'

export const ModeChoice = ({
  value,
  onChange,
}: {
  readonly value: ConsentMode | ''
  readonly onChange: (mode: ConsentMode | '') => void
}) => (
  <SelectField<ConsentMode | ''>
    label={t`How new chats ask`}
    value={value}
    options={[{ value: '', label: t`As in Settings` }, ...modes.map((one) => ({ value: one, label: modeLabels[one].name }))]}
    onChoose={onChange}
  />
)

export function ModelChoice({ value, onChange }: { readonly value: string; readonly onChange: (model: string) => void }) {
  const models = useModels((state) => state.models)
  const options = [
    { value: '', label: t`As in Settings` },
    ...(value === '' || models.some(({ id }) => id === value) ? [] : [{ value, label: t`${value} (not available)` }]),
    ...models.map(({ id, name, ai }) => ({ value: id, label: ai ? name : t`${name} (not an AI)` })),
  ]
  return <SelectField label={t`Model of new chats`} value={value} options={options} onChoose={onChange} />
}

/** `servers`: their names; undefined: all of them. */
type ServerChoiceProps = { readonly servers: readonly string[] | undefined; readonly onChange: (servers: string[] | undefined) => void }

export function ServerChoice({ servers, onChange }: ServerChoiceProps) {
  const known = useServers(useShallow((state) => state.list.map(({ name }) => name)))
  const names = [...new Set([...known, ...(servers ?? [])])]
  return (
    <fieldset className="stack plain">
      <legend>{t`Tools`}</legend>
      <RadioList
        label={t`Tools`}
        value={servers === undefined ? 'all' : 'chosen'}
        onChange={(value) => onChange(value === 'all' ? undefined : [...known])}
        choices={[
          { value: 'all', label: t`All servers` },
          { value: 'chosen', label: t`Of these servers only` },
        ]}
      />
      {servers !== undefined &&
        names.map((name) => (
          <Checkbox
            key={name}
            label={known.includes(name) ? name : t`${name} (not available)`}
            checked={servers.includes(name)}
            onChange={(on) => onChange(on ? [...servers, name] : servers.filter((one) => one !== name))}
          />
        ))}
    </fieldset>
  )
}

/** `id`: undefined for a new one. */
interface AssistantDialogProps {
  readonly id: string | undefined
  readonly initial: AssistantDraft
  readonly onClose: () => void
}

export function AssistantDialog({ id, initial, onClose }: AssistantDialogProps) {
  const { ask } = useActions()
  const first = useRef<HTMLInputElement | null>(null)
  const [draft, setDraft] = useState(initial)
  const put = (change: { readonly [K in keyof AssistantDraft]?: AssistantDraft[K] | undefined }): void =>
    setDraft((before) => defined({ ...before, ...change }) as AssistantDraft)
  const save = async (): Promise<void> => {
    const { instructions, ...rest } = draft
    const kept = { ...rest, ...(instructions?.trim() ? { instructions } : {}) }
    if (await ask('personal.saveAssistant', { ...(id === undefined ? {} : { id }), draft: kept })) onClose()
  }
  return (
    <FormDialog
      onClose={onClose}
      initialFocus={first}
      title={t`Assistant`}
      className="stack folder-fields"
      incomplete={draft.name.trim() === ''}
      onSubmit={save}
    >
      <TextField label={t`Name`} ref={first} maxLength={100} value={draft.name} onText={(name) => put({ name })} />
      <TextAreaField
        label={t`Instructions`}
        rows={6}
        maxLength={longestInstructions}
        spellCheck
        value={draft.instructions ?? ''}
        onText={(instructions) => put({ instructions })}
      />
      <ServerChoice servers={draft.servers} onChange={(servers) => put({ servers })} />
      <div className="grid2">
        <ModelChoice value={draft.model ?? ''} onChange={(model) => put({ model: model || undefined })} />
        <ModeChoice value={draft.consentMode ?? ''} onChange={(mode) => put({ consentMode: mode || undefined })} />
      </div>
    </FormDialog>
  )
}

/** Picker of a new chat's assistant; there is none without assistants. */
export function AssistantPick({ begins }: { readonly begins: BeginningChat }) {
  const assistants = usePersonal((state) => state.assistants)
  const known = useServers(useShallow((state) => state.list.map(({ name }) => name)))
  const chosen = assistants.find(({ id }) => id === begins.choice.assistantId)
  if (assistants.length === 0) return null
  const choose = (one: Assistant | undefined): void => {
    begins.forget()
    if (one)
      begins.change(
        defined({ assistantId: one.id, model: one.model, consentMode: one.consentMode, tools: switchesForServers(one.servers, known) }),
      )
  }
  const trigger = (
    <button type="button" className="pick" title={t`Assistant`}>
      <Icon name="chat" small />
      <VisibleText className="cut" text={chosen?.name ?? t`No assistant`} />
      <Icon name="chevron-down" small />
    </button>
  )
  return (
    <Menu side="top" trigger={trigger} backTo={findComposer}>
      <MenuRadio
        label={t`Assistant`}
        value={chosen?.id ?? ''}
        onChange={(id) => choose(assistants.find((one) => one.id === id))}
        choices={[
          { value: '', label: t`No assistant` },
          ...assistants.map(({ id, name }) => ({ value: id, label: <VisibleText className="cut" text={name} /> })),
        ]}
      />
      <MenuSeparator />
      <MenuItem onSelect={() => navigate({ page: 'settings', tab: 'personal' })}>{t`Assistants`}</MenuItem>
    </Menu>
  )
}
