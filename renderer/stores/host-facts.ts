// Models, settings, notices and calls that give no word, what asks from outside: small facts that the host always sends whole.
import { createStore } from 'zustand/vanilla'
import type { OverdueCall } from '#app/chat/overdue-call.ts'
import type { DeepLinkItem } from '#app/contract/bundle-requests.ts'
import type { ModelInfo, ProviderSummary } from '#app/models/models.ts'
import type { ProfileNotice } from '#app/profile-notice.ts'
import { defaultSettings, type Settings } from '#app/settings.ts'

export interface ModelsState {
  readonly models: readonly ModelInfo[]
  readonly providers: readonly ProviderSummary[]
}
export const createModelsStore = () => createStore<ModelsState>(() => ({ models: [], providers: [] }))

export interface SettingsState {
  readonly settings: Settings
}
export const createSettingsReadModel = () => createStore<SettingsState>(() => ({ settings: defaultSettings }))

export interface NoticesState {
  readonly notices: readonly ProfileNotice[]
}
export const createNoticesStore = () => createStore<NoticesState>(() => ({ notices: [] }))

interface OverdueState {
  readonly overdueCalls: readonly OverdueCall[]
}
export const createOverdueStore = () => createStore<OverdueState>(() => ({ overdueCalls: [] }))

interface DeepLinksState {
  readonly items: readonly DeepLinkItem[]
}
export const createDeepLinksStore = () => createStore<DeepLinksState>(() => ({ items: [] }))
