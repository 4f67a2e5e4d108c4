// Hits by conversation, in the order in which the conversations first come up.
import type { SearchFound, SearchHit } from '#app/chat/search/found.ts'

export interface HitGroup {
  readonly conversationId: string
  readonly title: SearchHit['title']
  /** The title's own hit, if it is one. */
  readonly titled: SearchHit | undefined
  readonly hits: readonly SearchHit[]
  /** Further ones that are not shown. */
  readonly more: number
}

export function groupHits({ hits, more }: Pick<SearchFound, 'hits' | 'more'>): HitGroup[] {
  const groups = new Map<string, { title: SearchHit['title']; titled: SearchHit | undefined; hits: SearchHit[] }>()
  for (const hit of hits) {
    const group = groups.get(hit.conversationId) ?? { title: hit.title, titled: undefined, hits: [] }
    if (hit.kind === 'title') group.titled = hit
    else group.hits.push(hit)
    groups.set(hit.conversationId, group)
  }
  return [...groups].map(([conversationId, group]) => ({ conversationId, ...group, more: more[conversationId] ?? 0 }))
}
