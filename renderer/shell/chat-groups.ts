import type { Conversation } from '#app/chat/conversation.ts'

export interface ChatGroup {
  readonly title: string
  readonly conversations: readonly Conversation[]
}

const dayMs = 86_400_000

function startOfDay(time: number): number {
  const day = new Date(time)
  day.setHours(0, 0, 0, 0)
  return day.getTime()
}

function titleOf(time: number, today: number): string {
  // Half a day of leeway: days with a clock change are 23 or 25 hours long.
  const days = Math.round((today - startOfDay(time)) / dayMs)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days <= 7) return 'Last week'
  if (days <= 31) return 'Last month'
  return 'Older'
}

/** By the day of the last change, in the person's time zone; keeps the order within. */
export function groupChats(conversations: readonly Conversation[], now: number): readonly ChatGroup[] {
  const today = startOfDay(now)
  const groups = Map.groupBy(conversations, (conversation) => titleOf(conversation.updatedAt, today))
  return [...groups].map(([title, members]) => ({ title, conversations: members }))
}
