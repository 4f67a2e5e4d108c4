import { afterEach, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { defaultSettings } from '#app/settings.ts'
import { followLanguage, keptLanguage } from './translations.ts'

afterEach(() => localStorage.clear())

it('the page begins anew once for another language, and not for other settings', () => {
  const store = createStore(() => ({ settings: defaultSettings }))
  let reloads = 0
  followLanguage(store, () => {
    reloads += 1
  })
  const { settings } = store.getState()
  store.setState({ settings: { ...settings, theme: 'dark' } })
  store.setState({ settings: { ...settings, language: 'de' } })
  store.setState({ settings: { ...settings, language: 'de', theme: 'dark' } })
  expect([reloads, keptLanguage()]).toEqual([1, 'de'])
})
