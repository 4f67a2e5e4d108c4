import { HostError } from '#app/errors.ts'
import { type Json, json } from '#app/json.ts'
import { defaultSettings, type Settings, settings } from '#app/settings.ts'
import { t } from '#app/words/translate.ts'
import type { Log } from '#main/base/log.ts'
import type { Database } from './database.ts'
import { parseText } from './rows.ts'
import type { SettingsStore } from './types.ts'

const UPSERT = (table: 'settings' | 'facts'): string =>
  `INSERT INTO ${table} (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`

/** A value each, so that one that no longer fits falls back to its default and costs the others nothing. */
export function createSettingsStore(database: Database, log: Log): SettingsStore {
  const store: SettingsStore = {
    get() {
      let current: Settings = defaultSettings
      for (const row of database.all('SELECT name, value FROM settings')) {
        const name = String(row['name'])
        if (!isSettingName(name)) continue // From another version: kept, not used.
        const value = parseText<Json>(json, row['value'], `setting ${name}`, log)
        const merged = settings.safeParse({ ...current, [name]: value })
        if (merged.success) current = merged.data
        else log.warn(`setting ${name} in the profile is not valid: its default is used`)
      }
      return current
    },
    set(patch) {
      const parsed = settings.partial().safeParse(patch)
      if (!parsed.success)
        throw new HostError('contract.invalid', t`The setting ${parsed.error.issues[0]?.path.join('.') ?? ''} cannot have this value.`)
      database.transaction(() => {
        for (const [name, value] of Object.entries(parsed.data))
          if (value !== undefined) database.run(UPSERT('settings'), name, JSON.stringify(value))
      })
      return store.get()
    },
    fact(name) {
      const row = database.get('SELECT value FROM facts WHERE name = ?', name)
      return row && parseText<Json>(json, row['value'], `fact ${name}`, log)
    },
    setFact(name, value) {
      database.run(UPSERT('facts'), name, JSON.stringify(value))
    },
  }
  return store
}

const isSettingName = (name: string): name is keyof Settings => Object.hasOwn(defaultSettings, name)
