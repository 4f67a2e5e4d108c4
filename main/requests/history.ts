// The lists of conversations, and what is done to many at once.
import type { Handlers, HostParts } from './handlers.ts'

export type HistoryHandlers = Pick<Handlers, `conversation.${'shelf' | 'find' | 'change' | 'undo' | 'deleted' | 'purge'}`>

export function historyRequests({ store, history }: HostParts): HistoryHandlers {
  /** One more than is wanted tells whether there are more. */
  const cut = <T>(found: readonly T[], limit: number): { readonly page: T[]; readonly more: boolean } => ({
    page: found.slice(0, limit),
    more: found.length > limit,
  })
  return {
    'conversation.shelf'({ shelf, after, limit }) {
      const { page, more } = cut(store.history.shelf(shelf, { after, limit: limit + 1 }), limit)
      return { conversations: page, more }
    },
    'conversation.find'({ filter, after, limit }) {
      const { page, more } = cut(store.history.find(filter, { after, limit: limit + 1 }), limit)
      return { conversations: page, more, ...(after ? {} : { found: store.history.count(filter) }) }
    },
    'conversation.change': ({ choice, change }) => history.change(choice, change),
    'conversation.undo'({ undo }) {
      history.undo(undo)
      return {}
    },
    'conversation.deleted'({ after, limit }) {
      const { page, more } = cut(store.history.deleted({ after, limit: limit + 1 }), limit)
      return { deleted: page, more }
    },
    'conversation.purge': ({ ids }) => ({ purged: history.purge(ids) }),
  }
}
