// A page in a browser may be on another machine than the host: the browser downloads the file, and shows how far it is.
import { t } from '#app/words/translate.ts'
import { useActions, useConnection } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { downloadFrom } from '#renderer/ui/download.ts'

/** `words`: which backup, where there are several. */
export function DownloadBackup({ path, words }: { readonly path: string; readonly words?: string }) {
  const { ask } = useActions()
  const isBrowser = useConnection((state) => state.about?.shell.kind === 'web')
  if (!isBrowser) return null
  const press = async (): Promise<void> => {
    const offered = await ask('backup.offer', { path })
    if (offered) downloadFrom(offered.href)
  }
  return (
    <Button size="sm" aria-label={words === undefined ? undefined : t`Download: ${words}`} onClick={() => void press()}>
      {t`Download`}
    </Button>
  )
}
