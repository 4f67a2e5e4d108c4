// What the host finds for the letters typed: chats that the page has not fetched, and what servers offer.
import { useEffect, useState } from 'react'
import type { Conversation } from '#app/chat/conversation.ts'
import type { Offer } from '#app/server/offers.ts'
import { useStores } from '#renderer/stores/react.tsx'

export const mostChats = 20
const mostOfKind = 4
/** Fewer letters are in nearly every name. */
const fewestLetters = 2

export interface Found {
  /** Undefined: nothing typed, or no answer yet; what the page knows is searched then. */
  readonly chats: readonly Conversation[] | undefined
  readonly offers: readonly Offer[]
}
const nothing: Found = { chats: undefined, offers: [] }

export function useFound(text: string): Found {
  const { link } = useStores()
  const [found, setFound] = useState<Found>(nothing)
  useEffect(() => {
    if (text === '') return setFound(nothing)
    let current = true
    const offersOf = async (kind: 'resource' | 'prompt'): Promise<readonly Offer[]> =>
      text.length < fewestLetters ? [] : (await link.request('offer.find', { kind, text: text.slice(0, 200) })).offers.slice(0, mostOfKind)
    link.request('conversation.find', { filter: { archived: false, text: text.slice(0, 200) }, limit: mostChats }).then(
      ({ conversations }) => current && setFound((before) => ({ ...before, chats: conversations })),
      () => undefined, // The connection is gone, which is said elsewhere.
    )
    Promise.all([offersOf('prompt'), offersOf('resource')]).then(
      (offers) => current && setFound((before) => ({ ...before, offers: offers.flat() })),
      () => undefined, // A later search took its place.
    )
    return () => {
      current = false
    }
  }, [link, text])
  return found
}
