// What is chosen from the menu: a resource is attached, a template is filled in first, a prompt is read first. A prompt before
// it is used: what it wants to know, then all that the server makes of it, to be read before any of it is sent.
import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { Argument, UsedPrompt } from '#app/chat/attachments/attachment.ts'
import { t } from '#app/i18n/translate.ts'
import type { FoundMentions, Mention } from '#app/server/mentions.ts'
import { composerId, focusSoon } from '#renderer/navigation/focus.ts'
import { useServers, useStores } from '#renderer/stores/store-hooks.tsx'
import { announce } from '#renderer/stores/view-state.ts'
import { ServerMark } from '#renderer/ui/badges.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { insertText } from '#renderer/ui/lib/insert-text.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ServerName } from '#renderer/ui/named-text.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { PromptPreviewView } from '../attachments/prompt-messages.tsx'
import type { Attaching } from '../attachments/use-attaching.ts'
import { usePromptPreview } from '../attachments/use-prompt-preview.ts'
import { ArgumentFields, useTemplate } from './argument-fields.tsx'

// The menu of what servers offer, while its sign is being typed. It is searched by the host; the last answer stays in sight
// until the next one is there, but nothing is chosen from it: who types and presses Enter at once means what they typed.
// Whether what is being typed asks for something of a server: `@` at the beginning of a word for a resource, `/` at the
// beginning of the message for a prompt.

interface Trigger {
  readonly kind: 'resource' | 'prompt'
  /** Where the sign stands. */
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

/** What was found for what was typed; no `answer`: it could not be asked. */
interface Found {
  readonly kind: Trigger['kind']
  readonly text: string
  readonly answer: FoundMentions | undefined
}

export interface MentionMenu {
  readonly trigger: Trigger | undefined
  readonly found: FoundMentions | undefined
  readonly active: number
  readonly setActive: (index: number) => void
  /** What is typed, or where the caret is, has changed. */
  readonly look: () => void
  readonly close: () => void
  /** Whether the key was the menu's. */
  readonly onKey: (event: KeyboardEvent) => boolean
}

export function useMentionMenu(
  field: RefObject<HTMLTextAreaElement | null>,
  choose: (offer: Mention, trigger: Trigger) => void,
): MentionMenu {
  const { link, view } = useStores()
  const [trigger, setTrigger] = useState<Trigger | undefined>(undefined)
  const [closedAt, setClosedAt] = useState<number | undefined>(undefined)
  const [found, setFound] = useState<Found | undefined>(undefined)
  /** Enter was pressed before the answer to what is typed was there. */
  const held = useRef<boolean>(false)
  const [active, setActive] = useState(0)
  /** Lists that come meanwhile are searched too. */
  const revisions = useServers((state) => state.list.reduce((sum, one) => sum + one.catalogueRevision, 0))
  const open = trigger !== undefined && trigger.from !== closedAt ? trigger : undefined
  const kind = open?.kind
  const text = open?.query

  const take = (offer: Mention): void => {
    if (!open) return
    setTrigger(undefined)
    choose(offer, open)
  }
  const chooseHeld = useEffectEvent((answer: FoundMentions) => {
    const [offer] = answer.offers
    if (held.current && offer) take(offer)
    held.current = false
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: new lists are a reason to search again
  useEffect(() => {
    if (kind === undefined || text === undefined) return setFound(undefined)
    let current = true
    link.request('offer.find', { kind, text }).then(
      (answer) => {
        if (!current) return
        setFound({ kind, text, answer })
        setActive(0)
        announce(view, answer.found === 0 ? t`Nothing fits.` : t`${answer.found} found.`)
        chooseHeld(answer)
      },
      // A later search took its place, or the connection is gone, which is said elsewhere.
      () => current && setFound({ kind, text, answer: undefined }),
    )
    return () => {
      current = false
    }
  }, [link, view, kind, text, revisions])

  const isAnswered = found !== undefined && found.kind === kind && found.text === text
  const offers = found?.answer?.offers ?? []
  const close = (): void => setClosedAt(trigger?.from)
  return {
    trigger: open,
    found: open && found?.answer,
    active,
    setActive,
    look() {
      const at = field.current
      const next = at && at.selectionStart === at.selectionEnd ? findTrigger(at.value, at.selectionStart) : undefined
      if (next?.query !== trigger?.query) held.current = false
      // What was closed stays so as long as it is the same sign that is typed on.
      setClosedAt((before) => (next?.from === before && next?.kind === trigger?.kind ? before : undefined))
      setTrigger(next)
    },
    close,
    onKey(event) {
      if (!open) return false
      const offer = offers[active]
      if (event.key === 'Escape') close()
      else if (event.key === 'ArrowDown' && offers.length > 0) setActive((active + 1) % offers.length)
      else if (event.key === 'ArrowUp' && offers.length > 0) setActive((active + offers.length - 1) % offers.length)
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && !isAnswered) held.current = true
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && offer) take(offer)
      else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
  }
}

interface ChosenPrompt {
  readonly server: string
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly arguments?: readonly Argument[] | undefined
}

interface PromptDialogProps {
  readonly prompt: ChosenPrompt
  readonly onClose: () => void
  readonly onUse: (prompt: UsedPrompt) => void
}

function PromptDialog({ prompt, onClose, onUse }: PromptDialogProps) {
  const { server, name, title, description, arguments: fields = [] } = prompt
  const first = useRef<HTMLInputElement>(null)
  const formId = useId()
  const { values, fill, ready, preview, show } = usePromptPreview(server, name, fields)
  const canShow = ready && preview.kind !== 'loading'
  // Enter in a field goes on as the button does: first to what it says, then, of what was read, into the message.
  const goOn = (event: FormEvent): void => {
    event.preventDefault()
    if (preview.kind === 'shown') onUse(preview.prompt)
    else if (canShow) show()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      initialFocus={first}
      width={720}
      mark={<ServerMark name={server} />}
      title={<VisibleText text={title ?? name} />}
      footer={
        <Button type="submit" form={formId} variant="primary" aria-disabled={preview.kind !== 'shown' && !canShow}>
          {preview.kind === 'shown' ? t`Put it into the message` : t`Show what it says`}
        </Button>
      }
    >
      <p className="help">{tx`${description && <VisibleText text={description} />} From ${<ServerName name={server} />}.`}</p>
      <form id={formId} className="contents" onSubmit={goOn}>
        <ArgumentFields server={server} of={{ type: 'ref/prompt', name }} fields={fields} values={values} onChange={fill} first={first} />
      </form>
      <PromptPreviewView server={server} preview={preview} onRetry={show} />
    </Dialog>
  )
}

interface TemplateDialogProps {
  readonly template: Mention & { kind: 'template' }
  readonly onClose: () => void
  readonly onAttach: (uri: string) => void
}

function TemplateDialog({ template: { server, name, title, description, uriTemplate }, onClose, onAttach }: TemplateDialogProps) {
  const { uri, isReady, fields } = useTemplate(server, uriTemplate)
  const first = useRef<HTMLInputElement>(null)
  const formId = useId()
  return (
    <Dialog
      open
      onClose={onClose}
      initialFocus={first}
      mark={<ServerMark name={server} />}
      title={<VisibleText text={title ?? name} />}
      footer={
        <Button type="submit" form={formId} variant="primary" aria-disabled={!isReady}>
          {t`Attach`}
        </Button>
      }
    >
      {description && (
        <p className="help">
          <VisibleText text={description} />
        </p>
      )}
      <form
        id={formId}
        className="contents"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) onAttach(uri)
        }}
      >
        <ArgumentFields {...fields} first={first} />
      </form>
      <p className="help">{tx`It reads ${<code className="mono">{<VisibleText text={uri} />}</code>} of ${<ServerName name={server} />}.`}</p>
    </Dialog>
  )
}

export function useMentionChoice(draftId: string, field: RefObject<HTMLTextAreaElement | null>, attaching: Attaching) {
  const { draftExtras } = useStores()
  const [chosen, setChosen] = useState<Exclude<Mention, { kind: 'resource' }>>()
  const done = (): void => {
    setChosen(undefined)
    focusSoon(() => {
      const composer = document.getElementById(composerId)
      composer?.focus()
      return document.activeElement === composer
    })
  }
  return {
    choose(offer: Mention, { from, query }: Trigger): void {
      if (field.current) insertText(field.current, '', from, from + 1 + query.length)
      if (offer.kind === 'resource') void attaching.addResource(offer.server, offer.uri, offer.title ?? offer.name)
      else setChosen(offer)
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
