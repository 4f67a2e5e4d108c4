import type { Settings } from '#app/settings.ts'
import { useActions, useSettings } from '#renderer/stores/react.tsx'
import { RadioList } from '#renderer/ui/choices.tsx'

export function AppearanceTab() {
  const theme = useSettings((state) => state.settings.theme)
  const { set } = useActions()
  return (
    <section className="sec">
      <h2 className="h3">Theme</h2>
      <RadioList<Settings['theme']>
        label="Theme"
        value={theme}
        onChange={(next) => set({ theme: next })}
        choices={[
          { value: 'system', label: 'As the system', help: 'Changes when the system does' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
    </section>
  )
}
