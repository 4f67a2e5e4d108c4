import { useRef } from 'react'
import { t } from '#app/i18n/translate.ts'
import { useScrolls } from '#renderer/features/consent/request/use-seen.ts'
import { UsageTab } from '#renderer/features/usage/usage-tab.tsx'
import { navigate, type Route } from '#renderer/router.ts'
import { useConnection } from '#renderer/stores/store-hooks.tsx'
import { ChoiceSelect, Segmented } from '#renderer/ui/field.tsx'
import { Page } from '#renderer/ui/page.tsx'
import './settings.css'
import { AppearanceTab } from './appearance-tab.tsx'
import { DataTab } from './data-tab.tsx'
import { DesktopTab } from './desktop-tab.tsx'
import { ModelsTab } from './models-tab.tsx'
import { OtherAppsTab } from './other-apps-tab.tsx'
import { PermissionsTab } from './permissions-tab.tsx'
import { PersonalTab } from './personal-tab.tsx'
import { ShortcutsTab } from './shortcuts-tab.tsx'

const tabs = {
  models: [t`Models`, ModelsTab],
  usage: [t`Usage`, UsageTab],
  personal: [t`Personal`, PersonalTab],
  permissions: [t`Permissions and limits`, PermissionsTab],
  apps: [t`Other apps`, OtherAppsTab],
  appearance: [t`Appearance`, AppearanceTab],
  data: [t`Data`, DataTab],
  desktop: [t`Desktop`, DesktopTab],
  shortcuts: [t`Keyboard`, ShortcutsTab],
} as const
type SettingsTab = keyof typeof tabs
const names = Object.keys(tabs) as SettingsTab[]

/** Tab of a route; errors call the tab with the limits `general`. */
const tabOf = (name: string | undefined, shown: readonly SettingsTab[]): SettingsTab =>
  name === 'general' ? 'permissions' : (shown.find((tab) => tab === name) ?? 'models')

export function SettingsPage({ route }: { readonly route: Extract<Route, { page: 'settings' }> }) {
  const electron = useConnection((state) => state.about?.shell.kind === 'electron')
  const shown = names.filter((name) => electron || name !== 'desktop')
  const choices = shown.map((value) => ({ value, label: tabs[value][0] }))
  const tab = tabOf(route.tab, shown)
  const box = useRef<HTMLDivElement | null>(null)
  // The one tab in which there is nothing else to go to.
  const scrolls = useScrolls(box) && tab === 'shortcuts'
  const choose = (next: SettingsTab): void => navigate({ page: 'settings', tab: next }, { replace: true })
  const [, Tab] = tabs[tab]
  return (
    <Page
      title={t`Settings`}
      actions={
        <span className="settings-tabs">
          <Segmented label={t`Settings`} value={tab} onChange={choose} choices={choices} />
        </span>
      }
    >
      <div ref={box} className="page" tabIndex={scrolls ? 0 : undefined}>
        <div className="in settings">
          <ChoiceSelect aria-label={t`Settings`} className="narrow-tabs" value={tab} options={choices} onChoose={choose} />
          <Tab pull={route.pull} />
        </div>
      </div>
    </Page>
  )
}
