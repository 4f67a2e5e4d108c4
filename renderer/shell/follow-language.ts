// Reloads the page when the language of the settings changes: modules read their texts once, when they load.
import type { Stores } from '#renderer/stores/stores.ts'
import { keepLanguage, keptLanguage } from '#renderer/translations.ts'

export function followLanguage(settings: Stores['settings'], reload: () => void): void {
  const initial = settings.getState()
  settings.subscribe((state) => {
    const { language } = state.settings
    if (state !== initial && language !== keptLanguage() && keepLanguage(language)) reload()
  })
}
