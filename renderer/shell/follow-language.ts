// The language of the settings, as the host tells it. Words are read with their modules: for another one the page begins anew.
import type { createSettingsReadModel } from '#renderer/stores/host-facts.ts'
import { keepLanguage, keptLanguage } from '#renderer/translations.ts'

export function followLanguage(settings: ReturnType<typeof createSettingsReadModel>, reload: () => void): void {
  const initial = settings.getState()
  settings.subscribe((state) => {
    const { language } = state.settings
    if (state !== initial && language !== keptLanguage() && keepLanguage(language)) reload()
  })
}
