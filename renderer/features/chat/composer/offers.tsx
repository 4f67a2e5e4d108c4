// What is chosen from the menu: a resource is attached, a template is filled in first, a prompt is read first.
import { type RefObject, useState } from 'react'
import type { Offer } from '#app/server/offers.ts'
import { composerId, focusSoon } from '#renderer/shell/focus.ts'
import { useStores } from '#renderer/stores/react.tsx'
import { insertText } from '#renderer/ui/insert-text.ts'
import type { Attaching } from '../attachments/use-attaching.ts'
import { PromptDialog } from './prompt-dialog.tsx'
import { TemplateDialog } from './template-dialog.tsx'
import type { Trigger } from './trigger.ts'

export function useOfferChoice(draftId: string, field: RefObject<HTMLTextAreaElement | null>, attaching: Attaching) {
  const { draftExtras } = useStores()
  const [chosen, setChosen] = useState<Exclude<Offer, { kind: 'resource' }>>()
  const done = (): void => {
    setChosen(undefined)
    focusSoon(() => {
      const composer = document.getElementById(composerId)
      composer?.focus()
      return document.activeElement === composer
    })
  }
  return {
    choose(offer: Offer, { from, query }: Trigger): void {
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
