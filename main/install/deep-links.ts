// What asks from outside the page: links that another program had opened, and files that the person opened with Assent.
// They wait here, a few at most, until a page looks at them; nothing is installed, added or started by one. The page shows
// one at a time, when nothing else is open.

import type { DeepLinkItem } from '#app/contract/bundle-requests.ts'
import { toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Emit } from '#main/base/events.ts'
import { newId } from '#main/base/ids.ts'
import type { Bundles } from './bundles/bundles.ts'

export type IncomingLink = { readonly kind: 'link'; readonly text: string } | { readonly kind: 'file'; readonly path: string }

export interface DeepLinks {
  /** Never rejects: what cannot be taken is told as an item. */
  take(thing: IncomingLink): Promise<void>
  list(): DeepLinkItem[]
  dismiss(id: string): void
}

/** More than these at once are no person's doing. */
const mostWaiting = 5
/** Characters. No description of a server needs as many. */
const longestDeepLink = 32_768

export function createDeepLinks({
  bundles,
  emit,
}: {
  readonly bundles: Pick<Bundles, 'openPath' | 'close'>
  readonly emit: Emit
}): DeepLinks {
  let items: readonly DeepLinkItem[] = []
  /** Files that are being read: they count as waiting. */
  let reading = 0

  const set = (next: readonly DeepLinkItem[]): void => {
    items = next
    emit('outside.changed', { items: [...items] })
  }
  const isFull = (): boolean => items.length + reading >= mostWaiting
  const add = (item: DeepLinkItem): void => set([...items, item])

  return {
    async take(thing) {
      if (isFull()) return
      if (thing.kind === 'link') {
        const { text } = thing
        // The same one again is one question.
        if (text.length <= longestDeepLink) {
          if (!items.some((item) => item.kind === 'link' && item.text === text)) add({ kind: 'link', id: newId(), text })
        } else if (!items.some((item) => item.kind === 'refused' && item.what === 'link'))
          add({ kind: 'refused', id: newId(), what: 'link', message: t`A link was refused: it is far longer than any that adds a server.` })
        return
      }
      reading += 1
      try {
        const { id, file } = await bundles.openPath(thing.path)
        add({ kind: 'bundle', id: newId(), bundle: id, file })
      } catch (error) {
        add({ kind: 'refused', id: newId(), what: 'file', message: toErrorValue(error).message.slice(0, 1000) })
      } finally {
        reading -= 1
      }
    },
    list: () => [...items],
    dismiss(id) {
      if (items.some((item) => item.id === id)) set(items.filter((item) => item.id !== id))
    },
  }
}
