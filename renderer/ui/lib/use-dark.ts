import { useSyncExternalStore } from 'react'
import { useSettings } from '#renderer/stores/store-hooks.tsx'

const query = '(prefers-color-scheme: dark)'

function onSystemChange(listener: () => void): () => void {
  const media = matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

/** Whether the page is dark now, by the settings or by the system. */
export function useDark(): boolean {
  const theme = useSettings((state) => state.settings.theme)
  const systemIsDark = useSyncExternalStore(onSystemChange, () => matchMedia(query).matches)
  return theme === 'system' ? systemIsDark : theme === 'dark'
}
