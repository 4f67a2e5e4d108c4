// Which summary of the open chat is in force, and whether the messages that it covers are shown.
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import type { SummaryMessage } from '#app/chat/message.ts'
import { cutOf, type PathStep } from '#app/chat/summary.ts'
import { useShallow, useTranscripts } from '#renderer/stores/react.tsx'
import { shownIds } from './summary-rows.ts'

interface SummaryPlace {
  readonly inForce: string | undefined
  readonly opened: ReadonlySet<string>
  toggle(id: string): void
}

const Place = createContext<SummaryPlace>({ inForce: undefined, opened: new Set(), toggle: () => {} })
export const useSummaryPlace = (): SummaryPlace => useContext(Place)

const noMessages: readonly SummaryMessage[] = []

interface WithSummariesProps {
  readonly conversationId: string
  readonly ids: readonly string[]
  /** Shown also where a summary covers it. */
  readonly found: string | undefined
  /** Given the messages to show. */
  readonly children: (shown: readonly string[]) => ReactNode
}

export function WithSummaries({ conversationId, ids, found, children }: WithSummariesProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  // Only they: a word that streams into an answer is no reason to lay the list out anew.
  const summaries = useTranscripts(
    useShallow((state) => {
      const transcript = state.byConversation[conversationId]
      if (transcript?.kind !== 'ready') return noMessages
      return transcript.ids.flatMap((id) => {
        const message = transcript.messages[id]
        return message?.role === 'summary' ? [message] : []
      })
    }),
  )
  const { shown, place } = useMemo(() => {
    const byId = new Map(summaries.map((message) => [message.id, message]))
    const path = ids.map((id): PathStep => byId.get(id) ?? { id, role: 'user' })
    const cut = cutOf(path)
    const covered = cut !== undefined && found !== undefined && ids.indexOf(found) < cut.index
    const isOpen = (id: string): boolean => chosen.get(id) ?? (covered && id === cut.summary.id)
    const opened = new Set(summaries.map(({ id }) => id).filter(isOpen))
    const toggle = (id: string): void => setChosen(new Map([...chosen, [id, !isOpen(id)]]))
    return { shown: summaries.length === 0 ? ids : shownIds(path, opened), place: { inForce: cut?.summary.id, opened, toggle } }
  }, [ids, summaries, chosen, found])
  return <Place value={place}>{children(shown)}</Place>
}
