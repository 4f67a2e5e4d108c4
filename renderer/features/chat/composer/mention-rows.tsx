// Mentions in the composer: `@` at the beginning of a word finds resources, `/` at the beginning of the message finds prompts. A
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
import { t } from '#app/i18n/translate.ts'
import type { FoundMentions, Mention } from '#app/server/mentions.ts'
import { focusComposer, focusSoon } from '#renderer/navigation/focus.ts'
import { useServers, useStores } from '#renderer/stores/store-hooks.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { SubmitForm } from '#renderer/ui/field.tsx'
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

export type MentionMenu = ReturnType<typeof useMentionMenu>
type Field = RefObject<HTMLTextAreaElement | null>

/**
 * Menu of mentions while a trigger is typed. The host searches; the last answer stays in sight until the next one, but nothing is
 * chosen from it: Enter waits for the answer to the typed text.
 */
export function useMentionMenu(field: Field, choose: (mention: Mention, trigger: Trigger) => void) {
  const { hostConnection, actions } = useStores()
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

  const take = (mention: Mention): void => {
    if (!open) return
    setTrigger(undefined)
    choose(mention, open)
  }
  const chooseHeld = useEffectEvent((answer: FoundMentions) => {
    const [mention] = answer.offers
    if (held.current && mention) take(mention)
    held.current = false
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: new lists are searched again
  useEffect(() => {
    if (kind === undefined || text === undefined) return setFound(undefined)
    let current = true
    hostConnection.request('mention.find', { kind, text }).then(
      (answer) => {
        if (!current) return
        setFound({ kind, text, answer })
        setActive(0)
        actions.announce(answer.found === 0 ? t`Nothing fits.` : t`${answer.found} found.`)
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
  const offers = found?.answer?.offers ?? []
  const close = (): void => setClosedAt(trigger?.from)
  return {
    trigger: open,
    found: open && found?.answer,
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
      const mention = offers[active]
      if (event.key === 'Escape') close()
      else if (event.key === 'ArrowDown' && offers.length > 0) setActive((active + 1) % offers.length)
      else if (event.key === 'ArrowUp' && offers.length > 0) setActive((active + offers.length - 1) % offers.length)
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && !isAnswered) held.current = true
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
      submitLabel={isShown ? t`Attach` : t`Show what it says`}
      canSubmit={isShown || (ready && preview.kind !== 'loading')}
      fields={{ server, of: { type: 'ref/prompt', name }, fields, values, onChange: fill }}
      onSubmit={() => (isShown ? onUse(preview.prompt) : show())}
      onClose={onClose}
    >
      <PromptPreviewView server={server} preview={preview} onRetry={show} />
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
      <p className="help">{tx`It reads ${<code className="mono">{<VisibleText text={uri} />}</code>} of ${<ServerName name={server} />}.`}</p>
    </MentionDialog>
  )
}

export function useMentionChoice(draftId: string, field: Field, attaching: Attaching) {
  const { draftExtras } = useStores()
  const [chosen, setChosen] = useState<Exclude<Mention, { kind: 'resource' }>>()
  const done = (): void => {
    setChosen(undefined)
    focusSoon(focusComposer)
  }
  return {
    choose(mention: Mention, { from, query }: Trigger): void {
      if (field.current) insertText(field.current, '', from, from + 1 + query.length)
      if (mention.kind === 'resource') void attaching.addResource(mention.server, mention.uri, mention.title ?? mention.name)
      else setChosen(mention)
    },
    dialog:
      chosen?.kind === 'template' ? (
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
