// Opens a bundle that is dropped anywhere on the window. Files of other kinds are left to other handlers.
import { useEffect } from 'react'
import { isBundleFile } from '#app/server/bundle/bundle-download.ts'
import { navigate, parseRoute } from '#renderer/router.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { openBundleFile, openingStore } from './open-bundle.ts'

export function useBundleDrop(): void {
  const actions = useActions()
  useEffect(() => {
    const onOver = (event: DragEvent): void => {
      // A browser opens what nobody takes.
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    const onDrop = (event: DragEvent): void => {
      const file = [...(event.dataTransfer?.files ?? [])].find(({ name }) => isBundleFile(name))
      if (!file) return
      event.preventDefault()
      const { kind } = openingStore.getState().opening
      // One that is being read through is not pushed aside by the next.
      if (kind !== 'none' && kind !== 'failed') return
      const route = parseRoute(window.location.hash)
      // It is another way to add a server than the one that stands open.
      if (route.page === 'servers' && route.tab === 'add') navigate({ page: 'servers' })
      void openBundleFile(actions, file)
    }
    window.addEventListener('dragover', onOver)
    window.addEventListener('drop', onDrop)
    return () => {
      window.removeEventListener('dragover', onOver)
      window.removeEventListener('drop', onDrop)
    }
  }, [actions])
}
