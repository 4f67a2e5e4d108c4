// What the list of all chats is set to, and the filter that it asks the host for.
import type { ChatFilter } from '#app/chat/chat-filter.ts'
import { t } from '#app/words/translate.ts'

export const tabs = ['chats', 'archived', 'deleted'] as const
export type ChatTab = (typeof tabs)[number]

export const periods = {
  any: t`Any time`,
  week: t`Past week`,
  month: t`Past month`,
  year: t`Past year`,
  older: t`Over a year ago`,
} as const
export type Period = keyof typeof periods

export interface ChatView {
  readonly text: string
  /** Empty: any; `none`; or `in <id>`. */
  readonly folder: string
  /** Empty: any. */
  readonly model: string
  readonly period: Period
}

export const wholeView: ChatView = { text: '', folder: '', model: '', period: 'any' }

/** Days are counted back from the beginning of today. */
function daysBefore(now: number, days: number): number {
  const day = new Date(now)
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - days)
  return day.getTime()
}

const daysOf = { week: 7, month: 30, year: 365 } as const

/** Undefined: the deleted ones, which are not filtered. */
export function filterOf(tab: ChatTab, { text, folder, model, period }: ChatView, now: number): ChatFilter | undefined {
  if (tab === 'deleted') return undefined
  return {
    archived: tab === 'archived',
    ...(text.trim() === '' ? {} : { text: text.trim() }),
    ...(folder === '' ? {} : { folderId: folder === 'none' ? null : folder.slice(3) }),
    ...(model === '' ? {} : { model }),
    ...(period === 'any' ? {} : period === 'older' ? { until: daysBefore(now, 365) } : { since: daysBefore(now, daysOf[period]) }),
  }
}
