// Models, settings, notices and calls that give no word, what asks from outside: small facts that the host always sends whole.
import { createStore } from 'zustand/vanilla'
import type { ModelInfo, ProviderView } from '#app/chat/models.ts'
import type { OverdueCall } from '#app/chat/overdue.ts'
import type { OutsideItem } from '#app/contract/bundle.ts'
import type { Notice } from '#app/notice.ts'
import { defaultSettings, type Settings } from '#app/settings.ts'

export interface ModelsState {
  readonly models: readonly ModelInfo[]
  readonly providers: readonly ProviderView[]
}
export const createModelsStore = () => createStore<ModelsState>(() => ({ models: [], providers: [] }))

export interface SettingsState {
  readonly settings: Settings
}
export const createSettingsStore = () => createStore<SettingsState>(() => ({ settings: defaultSettings }))

export interface NoticesState {
  readonly notices: readonly Notice[]
}
export const createNoticesStore = () => createStore<NoticesState>(() => ({ notices: [] }))

export interface OverdueState {
  readonly overdueCalls: readonly OverdueCall[]
}
export const createOverdueStore = () => createStore<OverdueState>(() => ({ overdueCalls: [] }))

export interface OutsideState {
  readonly items: readonly OutsideItem[]
}
export const createOutsideStore = () => createStore<OutsideState>(() => ({ items: [] }))
