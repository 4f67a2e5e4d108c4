// Mentions in the composer: `@` at the beginning of a word finds resources, `/` at the beginning of the message finds prompts, the
// person's saved ones first. Placeholders of a saved prompt are filled in before it is put into the message. A
// chosen resource is attached; a template is filled in first; a prompt is shown as the server makes it before it is used.

import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import type { UsedPrompt } from '#app/chat/attachments/attachment.ts'
import { fillPlaceholders, placeholdersIn, type SavedPrompt } from '#app/chat/personal.ts'
import { t } from '#app/i18n/translate.ts'
import type { FoundMentions, Mention } from '#app/server/mentions.ts'
import { fuzzyMatch } from '#app/text/fuzzy-match.ts'
import { focusComposer, focusSoon } from '#renderer/navigation/focus.ts'
import { usePersonal, useServers, useStores } from '#renderer/stores/store-hooks.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { SubmitForm, TextAreaField } from '#renderer/ui/field.tsx'
import { ServerMark } from '#renderer/ui/icon.tsx'
import { insertText } from '#renderer/ui/lib/insert-text.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import { PromptPreviewView, usePromptPreview } from '../attachments/attachment-views.tsx'
import type { Attaching } from '../attachments/use-attaching.ts'
import { ArgumentFields, useTemplate } from './argument-fields.tsx'

interface Trigger {
  readonly kind: 'resource' | 'prompt'
  readonly from: number
  readonly query: string
}

export function findTrigger(text: string, caret: number): Trigger | undefined {
  const before = text.slice(Math.max(0, caret - 200), caret)
  const prompt = caret <= 100 ? /^\/(\S*)$/.exec(before) : null
  if (prompt) return { kind: 'prompt', from: 0, query: prompt[1] ?? '' }
  const resource = /(?:^|[\s(])@([^\s@]{0,100})$/.exec(before)
  const query = resource?.[1]
  return query === undefined ? undefined : { kind: 'resource', from: caret - query.length - 1, query }
}

type Found = { readonly kind: Trigger['kind']; readonly text: string; readonly answer: FoundMentions | undefined }

interface SavedMention {
  readonly kind: 'saved'
  readonly prompt: SavedPrompt
}
export type MentionOption = Mention | SavedMention

const mostSaved = 8

/** Saved prompts that fit, best first. */
function savedMentions(prompts: readonly SavedPrompt[], query: string): SavedMention[] {
  const fitting = prompts.flatMap((prompt) => {
    const score = fuzzyMatch(query, prompt.name)?.score
    return score === undefined ? [] : [{ prompt, score }]
  })
  return fitting
    .sort((a, b) => b.score - a.score)
    .slice(0, mostSaved)
    .map(({ prompt }) => ({ kind: 'saved', prompt }))
}

export type MentionMenu = ReturnType<typeof useMentionMenu>
type Field = RefObject<HTMLTextAreaElement | null>

/**
 * Menu of mentions while a trigger is typed. The host searches; the last answer stays in sight until the next one, but nothing is
 * chosen from it: Enter waits for the answer to the typed text.
 */
export function useMentionMenu(field: Field, choose: (mention: MentionOption, trigger: Trigger) => void) {
  const { hostConnection, actions } = useStores()
  const prompts = usePersonal((state) => state.prompts)
  const [trigger, setTrigger] = useState<Trigger | undefined>(undefined)
  const [closedAt, setClosedAt] = useState<number | undefined>(undefined)
  const [found, setFound] = useState<Found | undefined>(undefined)
  /** Whether Enter was pressed before the answer to the typed text. */
  const held = useRef<boolean>(false)
  const [active, setActive] = useState(0)
  /** Changes when a server's lists do. */
  const revisions = useServers((state) => state.list.reduce((sum, one) => sum + one.catalogueRevision, 0))
  const open = trigger !== undefined && trigger.from !== closedAt ? trigger : undefined
  const kind = open?.kind
  const text = open?.query

  const take = (mention: MentionOption): void => {
    if (!open) return
    setTrigger(undefined)
    choose(mention, open)
  }
  const chooseHeld = useEffectEvent((answer: FoundMentions) => {
    const [mention] = answer.offers
    if (held.current && mention) take(mention)
    held.current = false
  })

  const savedCount = useEffectEvent(() => saved.length)

  // biome-ignore lint/correctness/useExhaustiveDependencies: new lists are searched again
  useEffect(() => {
    if (kind === undefined || text === undefined) return setFound(undefined)
    let current = true
    hostConnection.request('mention.find', { kind, text }).then(
      (answer) => {
        if (!current) return
        setFound({ kind, text, answer })
        setActive(0)
        const count = answer.found + savedCount()
        actions.announce(count === 0 ? t`Nothing found.` : t`${count} found.`)
        chooseHeld(answer)
      },
      // A later search replaced it, or the connection is lost, which the page shows.
      () => current && setFound({ kind, text, answer: undefined }),
    )
    return () => {
      current = false
    }
  }, [hostConnection, actions, kind, text, revisions])

  const isAnswered = found !== undefined && found.kind === kind && found.text === text
  const saved = kind === 'prompt' ? savedMentions(prompts, text ?? '') : []
  const options: readonly MentionOption[] = [...saved, ...(found?.answer?.offers ?? [])]
  const close = (): void => setClosedAt(trigger?.from)
  return {
    trigger: open,
    found: open && found?.answer,
    options,
    active,
    setActive,
    update(): void {
      const at = field.current
      const next = at && at.selectionStart === at.selectionEnd ? findTrigger(at.value, at.selectionStart) : undefined
      if (next?.query !== trigger?.query) held.current = false
      // A closed menu stays closed for the same trigger.
      setClosedAt((before) => (next?.from === before && next?.kind === trigger?.kind ? before : undefined))
      setTrigger(next)
    },
    close,
    onKey(event: KeyboardEvent): boolean {
      if (!open) return false
      const mention = options[active]
      // A saved prompt is known without the host.
      const isKnown = isAnswered || active < saved.length
      if (event.key === 'Escape') close()
      else if (event.key === 'ArrowDown' && options.length > 0) setActive((active + 1) % options.length)
      else if (event.key === 'ArrowUp' && options.length > 0) setActive((active + options.length - 1) % options.length)
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && !isKnown) held.current = true
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && mention) take(mention)
      else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
  }
}

interface MentionDialogProps {
  readonly mention: Pick<Mention, 'server' | 'name' | 'title'>
  readonly width?: number
  readonly intro: ReactNode
  readonly submitLabel: string
  readonly canSubmit: boolean
  readonly fields: Omit<ComponentProps<typeof ArgumentFields>, 'first'>
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Dialog with the fields of a template or a prompt; Enter in a field submits. */
function MentionDialog({ mention, width, intro, submitLabel, canSubmit, fields, onSubmit, onClose, children }: MentionDialogProps) {
  const first = useRef<HTMLInputElement>(null)
  const formId = useId()
  return (
    <Dialog
      onClose={onClose}
      initialFocus={first}
      {...(width !== undefined && { width })}
      mark={<ServerMark name={mention.server} />}
      title={<VisibleText text={mention.title ?? mention.name} />}
      footer={
        <Button type="submit" form={formId} variant="primary" aria-disabled={!canSubmit}>
          {submitLabel}
        </Button>
      }
    >
      {intro}
      <SubmitForm id={formId} className="contents" onSubmit={() => canSubmit && onSubmit()}>
        <ArgumentFields {...fields} first={first} />
      </SubmitForm>
      {children}
    </Dialog>
  )
}

interface SavedPromptDialogProps {
  readonly prompt: SavedPrompt
  readonly onClose: () => void
  readonly onUse: (text: string) => void
}

/** Asks for the placeholders of a saved prompt. */
function SavedPromptDialog({ prompt, onClose, onUse }: SavedPromptDialogProps) {
  const formId = useId()
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  return (
    <Dialog
      onClose={onClose}
      title={<VisibleText text={prompt.name} />}
      footer={
        <Button type="submit" form={formId} variant="primary">
          {t`Insert`}
        </Button>
      }
    >
      <SubmitForm id={formId} className="stack" onSubmit={() => onUse(fillPlaceholders(prompt.text, values))}>
        {placeholdersIn(prompt.text).map((name) => (
          <TextAreaField
            key={name}
            label={<VisibleText text={name} />}
            rows={2}
            maxLength={20_000}
            value={values[name] ?? ''}
            onText={(text) => setValues({ ...values, [name]: text })}
          />
        ))}
      </SubmitForm>
    </Dialog>
  )
}

interface PromptDialogProps {
  readonly prompt: Mention & { kind: 'prompt' }
  readonly onClose: () => void
  readonly onUse: (prompt: UsedPrompt) => void
}

function PromptDialog({ prompt, onClose, onUse }: PromptDialogProps) {
  const { server, name, description, arguments: fields = [] } = prompt
  const { values, fill, ready, preview, show } = usePromptPreview(server, name, fields)
  const isShown = preview.kind === 'shown'
  return (
    <MentionDialog
      mention={prompt}
      width={720}
      intro={<p className="help">{tx`${description && <VisibleText text={description} />} From ${<ServerName name={server} />}.`}</p>}
      submitLabel={isShown ? t`Attach` : t`Preview`}
      canSubmit={isShown || (ready && preview.kind !== 'loading')}
      fields={{ server, of: { type: 'ref/prompt', name }, fields, values, onChange: fill }}
      onSubmit={() => (isShown ? onUse(preview.prompt) : show())}
      onClose={onClose}
    >
      <PromptPreviewView preview={preview} onRetry={show} />
    </MentionDialog>
  )
}

interface TemplateDialogProps {
  readonly template: Mention & { kind: 'template' }
  readonly onClose: () => void
  readonly onAttach: (uri: string) => void
}

function TemplateDialog({ template, onClose, onAttach }: TemplateDialogProps) {
  const { server, description, uriTemplate } = template
  const { uri, isReady, fields } = useTemplate(server, uriTemplate)
  return (
    <MentionDialog
      mention={template}
      intro={description && <VisibleText as="p" className="help" text={description} />}
      submitLabel={t`Attach`}
      canSubmit={isReady}
      fields={fields}
      onSubmit={() => onAttach(uri)}
      onClose={onClose}
    >
      <p className="help">{tx`${<VisibleText as="code" className="mono" text={uri} />} From ${<ServerName name={server} />}.`}</p>
    </MentionDialog>
  )
}

export function useMentionChoice(draftId: string, field: Field, attaching: Attaching) {
  const { draftExtras } = useStores()
  const [chosen, setChosen] = useState<Exclude<MentionOption, { kind: 'resource' }>>()
  const done = (): void => {
    setChosen(undefined)
    focusSoon(focusComposer)
  }
  return {
    choose(mention: MentionOption, { from, query }: Trigger): void {
      const whole = mention.kind === 'saved' && placeholdersIn(mention.prompt.text).length === 0
      if (field.current) insertText(field.current, whole ? mention.prompt.text : '', from, from + 1 + query.length)
      if (whole) return
      if (mention.kind === 'resource') void attaching.addResource(mention.server, mention.uri, mention.title ?? mention.name)
      else setChosen(mention)
    },
    dialog:
      chosen?.kind === 'saved' ? (
        <SavedPromptDialog
          prompt={chosen.prompt}
          onClose={done}
          onUse={(text) => {
            done()
            focusSoon(() => {
              if (!focusComposer() || !field.current) return false
              insertText(field.current, text)
              return true
            })
          }}
        />
      ) : chosen?.kind === 'template' ? (
        <TemplateDialog
          template={chosen}
          onClose={done}
          onAttach={(uri) => {
            done()
            void attaching.addResource(chosen.server, uri, chosen.title ?? chosen.name)
          }}
        />
      ) : chosen?.kind === 'prompt' ? (
        <PromptDialog
          prompt={chosen}
          onClose={done}
          onUse={(prompt) => {
            draftExtras.change(draftId, (extras) => ({ ...extras, prompt }))
            done()
          }}
        />
      ) : null,
  }
}
