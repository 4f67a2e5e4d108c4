import { useRef } from 'react'
import { t } from '#app/i18n/translate.ts'
import { useScrolls } from '#renderer/features/consent/request/use-scrolls.ts'
import { UsageTab } from '#renderer/features/usage/usage-tab.tsx'
import { navigate, type Route } from '#renderer/router.ts'
import { Segmented } from '#renderer/ui/choices.tsx'
import { Select } from '#renderer/ui/field.tsx'
import { Page } from '#renderer/ui/page.tsx'
import './settings.css'
import { AppearanceTab } from './appearance-tab.tsx'
import { DataTab } from './data-tab.tsx'
import { ModelsTab } from './models-tab.tsx'
import { PermissionsTab } from './permissions-tab.tsx'
import { ShortcutsTab } from './shortcuts-tab.tsx'

const tabs = ['models', 'usage', 'asking', 'appearance', 'data', 'shortcuts'] as const
type SettingsTab = (typeof tabs)[number]
const titles: Record<SettingsTab, string> = {
  models: t`Models`,
  usage: t`Usage`,
  asking: t`Asking`,
  appearance: t`Appearance`,
  data: t`Data`,
  shortcuts: t`Shortcuts`,
}

/** `general` is what errors call the tab with the limits. */
const tabOf = (name: string | undefined): SettingsTab => (name === 'general' ? 'asking' : (tabs.find((tab) => tab === name) ?? 'models'))

export function SettingsPage({ route }: { readonly route: Extract<Route, { page: 'settings' }> }) {
  const tab = tabOf(route.tab)
  const box = useRef<HTMLDivElement | null>(null)
  // The one tab in which there is nothing else to go to.
  const scrolls = useScrolls(box) && tab === 'shortcuts'
  const choose = (next: SettingsTab): void => navigate({ page: 'settings', tab: next }, { replace: true })
  const picker = (
    <Segmented<SettingsTab>
      label={t`Settings about`}
      value={tab}
      onChange={choose}
      choices={tabs.map((value) => ({ value, label: titles[value] }))}
    />
  )
  return (
    <Page title={t`Settings`} actions={<span className="wide-only">{picker}</span>}>
      <div ref={box} className="page" tabIndex={scrolls ? 0 : undefined}>
        <div className="in settings">
          <Select
            aria-label={t`Settings about`}
            className="narrow-tabs"
            value={tab}
            onChange={(event) => choose(tabs.find((one) => one === event.target.value) ?? tab)}
          >
            {tabs.map((one) => (
              <option key={one} value={one}>
                {titles[one]}
              </option>
            ))}
          </Select>
          {tab === 'models' ? <ModelsTab /> : null}
          {tab === 'usage' ? <UsageTab /> : null}
          {tab === 'asking' ? <PermissionsTab /> : null}
          {tab === 'appearance' ? <AppearanceTab /> : null}
          {tab === 'data' ? <DataTab /> : null}
          {tab === 'shortcuts' ? <ShortcutsTab /> : null}
        </div>
      </div>
    </Page>
  )
}
