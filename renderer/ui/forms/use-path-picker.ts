import { useActions, useConnection } from '#renderer/stores/store-hooks.tsx'

/** Opens the system's own picker and gives the chosen path, or undefined. The hook gives undefined where this shell has no picker. */
export function usePathPicker(kind: 'file' | 'folder', title: string): (() => Promise<string | undefined>) | undefined {
  const canChoose = useConnection((state) => state.about?.shell.canChooseFolder ?? false)
  const { ask } = useActions()
  if (!canChoose) return undefined
  return async () => (await ask(kind === 'file' ? 'app.chooseFile' : 'app.chooseFolder', { title: title.slice(0, 100) }))?.path ?? undefined
}
