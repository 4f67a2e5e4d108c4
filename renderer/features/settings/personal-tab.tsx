// What the person keeps for their chats: instructions for all of them, saved prompts, assistants.

import { type ReactNode, useId, useRef, useState } from 'react'
import { type AssistantDraft, longestInstructions, placeholdersIn, type SavedPromptDraft } from '#app/chat/personal.ts'
import { t } from '#app/i18n/translate.ts'
import { AssistantDialog } from '#renderer/features/chat/settings/assistants.tsx'
import { useActions, usePersonal, useSettings } from '#renderer/stores/store-hooks.tsx'
import { Button, IconButton, SmallButton } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Field, SubmitForm, TextArea, TextField } from '#renderer/ui/field.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Section } from '#renderer/ui/text/section.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

export function PersonalTab() {
  return (
    <>
      <InstructionsSection />
      <PromptsSection />
      <AssistantsSection />
    </>
  )
}

function InstructionsSection() {
  const saved = useSettings((state) => state.settings.instructions)
  const { ask } = useActions()
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const text = typed ?? saved
  const save = async (): Promise<void> => {
    if (await ask('settings.set', { instructions: text })) setTyped(undefined)
  }
  return (
    <Section level={2} title={t`Instructions`}>
      <SubmitForm className="stack" onSubmit={save}>
        <Field label={t`For every chat`} help={t`The model reads them first, before those of a folder or a chat.`}>
          {(ids) => (
            <TextArea
              {...ids}
              rows={4}
              maxLength={longestInstructions}
              spellCheck
              value={text}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        <p>
          <Button type="submit" size="sm" aria-disabled={text === saved}>
            {text === saved ? t`Saved` : t`Save`}
          </Button>
        </p>
      </SubmitForm>
    </Section>
  )
}

interface RowProps {
  readonly name: string
  readonly about: string
  readonly onEdit: () => void
  readonly onRemove: () => void
  readonly children?: ReactNode
}

const SavedRow = ({ name, about, onEdit, onRemove, children }: RowProps) => (
  <div className="saved-row">
    <span className="words grow">
      <VisibleText as="b" text={name} />
      <VisibleText className="help cut" text={about} />
    </span>
    {children}
    <IconButton small icon="edit" label={t`Edit ${name}`} onClick={onEdit} />
    <IconButton small icon="trash" label={t`Delete ${name}`} onClick={onRemove} />
  </div>
)

/** Removes with a way back, under a new id. */
function useRemoval() {
  const { attempt, go, toast } = useActions()
  return (kind: 'prompt' | 'assistant' | 'fact', id: string, name: string, restore: () => void): void => {
    void attempt('personal.remove', { kind, ids: [id] }).then(({ ok }) => {
      if (ok) toast(t`Deleted: ${name}`, { action: { label: t`Undo`, run: restore } })
      else go('personal.remove', { kind, ids: [id] })
    })
  }
}

interface Editing<D> {
  readonly id: string | undefined
  readonly draft: D
}

function PromptsSection() {
  const prompts = usePersonal((state) => state.prompts)
  const { go } = useActions()
  const remove = useRemoval()
  const [editing, setEditing] = useState<Editing<SavedPromptDraft> | undefined>(undefined)
  return (
    <Section level={2} title={t`Saved prompts`}>
      <p className="lede">{tx`Type ${<code className="mono">/</code>} in a message to use one.`}</p>
      <div className="lines">
        {prompts.map(({ id, ...draft }) => (
          <SavedRow
            key={id}
            name={draft.name}
            about={draft.text.trim().split('\n', 1)[0] ?? ''}
            onEdit={() => setEditing({ id, draft })}
            onRemove={() => remove('prompt', id, draft.name, () => go('personal.savePrompt', { draft }))}
          />
        ))}
      </div>
      <p>
        <SmallButton onClick={() => setEditing({ id: undefined, draft: { name: '', text: '' } })}>{t`New prompt`}</SmallButton>
      </p>
      {editing && <PromptEditor {...editing} onClose={() => setEditing(undefined)} />}
    </Section>
  )
}

function PromptEditor({ id, draft: initial, onClose }: Editing<SavedPromptDraft> & { readonly onClose: () => void }) {
  const { ask } = useActions()
  const formId = useId()
  const first = useRef<HTMLInputElement | null>(null)
  const [draft, setDraft] = useState(initial)
  const names = placeholdersIn(draft.text)
  const complete = draft.name.trim() !== '' && draft.text.trim() !== ''
  const save = async (): Promise<void> => {
    if (complete && (await ask('personal.savePrompt', { ...(id === undefined ? {} : { id }), draft }))) onClose()
  }
  return (
    <Dialog
      onClose={onClose}
      initialFocus={first}
      title={t`Saved prompt`}
      footer={
        <>
          <span className="grow" />
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" form={formId} variant="primary" aria-disabled={!complete}>
            {t`Save`}
          </Button>
        </>
      }
    >
      <SubmitForm id={formId} className="stack" onSubmit={save}>
        <TextField label={t`Name`} ref={first} maxLength={100} value={draft.name} onText={(name) => setDraft({ ...draft, name })} />
        <Field
          label={t`Text`}
          help={
            names.length === 0
              ? tx`Write ${<code className="mono">{`{{${t`topic`}}}`}</code>} for what is filled in at each use.`
              : tx`Filled in at each use: ${names.join(', ')}.`
          }
        >
          {(ids) => (
            <TextArea
              {...ids}
              rows={8}
              maxLength={50_000}
              spellCheck
              value={draft.text}
              onChange={({ target }) => setDraft({ ...draft, text: target.value })}
            />
          )}
        </Field>
      </SubmitForm>
    </Dialog>
  )
}

function AssistantsSection() {
  const assistants = usePersonal((state) => state.assistants)
  const { go } = useActions()
  const remove = useRemoval()
  const [editing, setEditing] = useState<Editing<AssistantDraft> | undefined>(undefined)
  return (
    <Section level={2} title={t`Assistants`}>
      <p className="lede">{t`Instructions, model, servers and mode for new chats. A later change changes no chat.`}</p>
      <div className="lines">
        {assistants.map(({ id, ...draft }) => (
          <SavedRow
            key={id}
            name={draft.name}
            about={draft.instructions?.trim().split('\n', 1)[0] ?? ''}
            onEdit={() => setEditing({ id, draft })}
            onRemove={() => remove('assistant', id, draft.name, () => go('personal.saveAssistant', { draft }))}
          >
            <IconButton
              small
              icon="copy"
              label={t`Duplicate ${draft.name}`}
              onClick={() => setEditing({ id: undefined, draft: { ...draft, name: t`${draft.name} (copy)`.slice(0, 100) } })}
            />
          </SavedRow>
        ))}
      </div>
      <p>
        <SmallButton onClick={() => setEditing({ id: undefined, draft: { name: '' } })}>{t`New assistant`}</SmallButton>
      </p>
      {editing && <AssistantDialog key={editing.id ?? ''} id={editing.id} initial={editing.draft} onClose={() => setEditing(undefined)} />}
    </Section>
  )
}
