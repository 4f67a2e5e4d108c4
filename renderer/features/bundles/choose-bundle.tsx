import { bundleExtensions } from '#app/server/bundle/bundle-download.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { type ButtonLook, FileButton } from '#renderer/ui/button.tsx'
import { openBundleFile } from './open-bundle.ts'

interface ChooseBundleProps extends ButtonLook {
  readonly children: string
  readonly server?: string
  readonly className?: string
}

export function ChooseBundle({ server, ...look }: ChooseBundleProps) {
  const actions = useActions()
  return <FileButton {...look} accept={bundleExtensions} onFiles={([file]) => file && void openBundleFile(actions, file, server)} />
}
