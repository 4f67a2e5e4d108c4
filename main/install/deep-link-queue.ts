// Deep links and opened files, queued until a page shows them one at a time. Opening one installs, adds and starts nothing.
import type { DeepLinkItem } from '#app/contract/bundle-requests.ts'
import { toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Emit } from '#main/base/events.ts'
import { newId } from '#main/base/ids.ts'
import type { Bundles } from './bundles/bundles.ts'

export type IncomingLink = { readonly kind: 'link'; readonly text: string } | { readonly kind: 'file'; readonly path: string }

/** Items that wait at once; no person opens more. */
const mostWaiting = 5
/** Characters; no link that adds a server needs as many. */
const longestDeepLink = 32_768

export type DeepLinks = ReturnType<typeof createDeepLinks>

export function createDeepLinks({ bundles, emit }: { readonly bundles: Pick<Bundles, 'openPath' | 'close'>; readonly emit: Emit }) {
  let items: readonly DeepLinkItem[] = []
  let reading = 0

  const set = (next: readonly DeepLinkItem[]): void => {
    items = next
    emit('deepLinks.changed', { items: [...items] })
  }
  const add = (item: DeepLinkItem): void => set([...items, item])

  return {
    /** Never rejects: what cannot be used is queued as a refused item. */
    async take(thing: IncomingLink): Promise<void> {
      if (items.length + reading >= mostWaiting) return
      if (thing.kind === 'link') {
        const { text } = thing
        // A link that waits already is not queued again.
        if (text.length <= longestDeepLink) {
          if (!items.some((item) => item.kind === 'link' && item.text === text)) add({ kind: 'link', id: newId(), text })
        } else if (!items.some((item) => item.kind === 'refused' && item.what === 'link'))
          add({ kind: 'refused', id: newId(), what: 'link', message: t`A link was refused: too long.` })
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
    dismiss(id: string): void {
      if (items.some((item) => item.id === id)) set(items.filter((item) => item.id !== id))
    },
  }
}
