// What the person keeps for their chats: instructions for all of them, saved prompts, assistants, the memory.

import { type ReactNode, useRef, useState } from 'react'
import { type AssistantDraft, longestFact, longestInstructions, type MemoryFact, type SavedPromptDraft } from '#app/chat/personal.ts'
import { longDay } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { AssistantDialog } from '#renderer/features/chat/settings/assistants.tsx'
import { useActions, usePersonal, useSettings } from '#renderer/stores/store-hooks.tsx'
import { Button, IconButton, SmallButton } from '#renderer/ui/button.tsx'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { SubmitForm, Switch, TextAreaField, TextField } from '#renderer/ui/field.tsx'
import { Badge } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Section } from '#renderer/ui/text/section.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

export function PersonalTab() {
  return (
    <>
      <InstructionsSection />
      <PromptsSection />
      <AssistantsSection />
      <MemorySection />
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
        <TextAreaField label={t`For every chat`} rows={4} maxLength={longestInstructions} spellCheck value={text} onText={setTyped} />
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

/** Removes with a way back. */
function useRemoval() {
  const { ask, go, toast } = useActions()
  return (kind: 'prompt' | 'assistant' | 'fact', id: string, name: string): void => {
    void ask('personal.remove', { kind, id }).then((done) => {
      if (done) toast(t`Deleted: ${name}`, { action: { label: t`Undo`, run: () => go('personal.restore', { kind, id }) } })
    })
  }
}

interface Editing<D> {
  readonly id: string | undefined
  readonly draft: D
}

function PromptsSection() {
  const prompts = usePersonal((state) => state.prompts)
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
            onRemove={() => remove('prompt', id, draft.name)}
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
  const first = useRef<HTMLInputElement | null>(null)
  const [draft, setDraft] = useState(initial)
  const save = async (): Promise<void> => {
    if (await ask('personal.savePrompt', { ...(id === undefined ? {} : { id }), draft })) onClose()
  }
  return (
    <FormDialog
      onClose={onClose}
      initialFocus={first}
      title={t`Saved prompts`}
      incomplete={draft.name.trim() === '' || draft.text.trim() === ''}
      onSubmit={save}
    >
      <TextField label={t`Name`} ref={first} maxLength={100} value={draft.name} onText={(name) => setDraft({ ...draft, name })} />
      <TextAreaField
        label={t`Text`}
        help={tx`Write ${<code className="mono">{`{{${t`topic`}}}`}</code>} for what is filled in at each use.`}
        rows={8}
        maxLength={50_000}
        spellCheck
        value={draft.text}
        onText={(text) => setDraft({ ...draft, text })}
      />
    </FormDialog>
  )
}

function AssistantsSection() {
  const assistants = usePersonal((state) => state.assistants)
  const remove = useRemoval()
  const [editing, setEditing] = useState<Editing<AssistantDraft> | undefined>(undefined)
  return (
    <Section level={2} title={t`Assistants`}>
      <div className="lines">
        {assistants.map(({ id, ...draft }) => (
          <SavedRow
            key={id}
            name={draft.name}
            about={draft.instructions?.trim().split('\n', 1)[0] ?? ''}
            onEdit={() => setEditing({ id, draft })}
            onRemove={() => remove('assistant', id, draft.name)}
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

function MemorySection() {
  const on = useSettings((state) => state.settings.memory)
  const facts = usePersonal((state) => state.facts)
  const { set } = useActions()
  const remove = useRemoval()
  const [editing, setEditing] = useState<{ readonly id: string | undefined; readonly text: string } | undefined>(undefined)
  return (
    <Section level={2} title={t`Memory`}>
      <Switch
        label={t`Remember facts between chats`}
        help={t`Models read all facts in every chat. You are asked before one is noted.`}
        checked={on}
        onChange={(memory) => set({ memory })}
      />
      <div className="lines">
        {facts.map((fact) => (
          <SavedRow
            key={fact.id}
            name={fact.text}
            about={factSource(fact)}
            onEdit={() => setEditing(fact)}
            onRemove={() => remove('fact', fact.id, fact.text)}
          >
            {fact.sources?.some(({ untrusted }) => untrusted) && <Badge tone="warn">{t`text by others`}</Badge>}
          </SavedRow>
        ))}
      </div>
      <p>
        <SmallButton onClick={() => setEditing({ id: undefined, text: '' })}>{t`New fact`}</SmallButton>
      </p>
      {editing && <FactEditor {...editing} onClose={() => setEditing(undefined)} />}
    </Section>
  )
}

/** Says who noted a fact, and what its chat had read. */
function factSource({ at, conversationId, sources = [] }: MemoryFact): string {
  const day = longDay(at)
  const servers = [...new Set(sources.map(({ from }) => (from.kind === 'server' ? from.server : t`a file or the web`)))]
  if (conversationId === undefined) return t`By you, ${day}`
  return servers.length === 0 ? t`Noted in a chat, ${day}` : t`Noted in a chat that had read ${servers.join(', ')}, ${day}`
}

interface FactEditorProps {
  readonly id: string | undefined
  readonly text: string
  readonly onClose: () => void
}

function FactEditor({ id, text: initial, onClose }: FactEditorProps) {
  const { ask } = useActions()
  const first = useRef<HTMLTextAreaElement | null>(null)
  const [text, setText] = useState(initial)
  const save = async (): Promise<void> => {
    if (await ask('personal.saveFact', { ...(id === undefined ? {} : { id }), text })) onClose()
  }
  return (
    <FormDialog onClose={onClose} initialFocus={first} title={t`Fact`} incomplete={text.trim() === ''} onSubmit={save}>
      <TextAreaField label={t`Fact`} ref={first} rows={3} maxLength={longestFact} value={text} onText={setText} />
    </FormDialog>
  )
}
