// What the log and the message inspector share: a button that follows the end of the list, and copying and saving its text.
import { t } from '#app/i18n/translate.ts'
import { useActions, useConnection } from '#renderer/stores/store-hooks.tsx'
import { SmallGhostButton } from '#renderer/ui/button.tsx'
import { saveTextFile } from '#renderer/ui/lib/save-file.ts'

export const FollowButton = ({ follow, onFollow }: { readonly follow: boolean; readonly onFollow: (follow: boolean) => void }) => (
  <SmallGhostButton icon={follow ? 'check' : 'arrow-down'} aria-pressed={follow} onClick={() => onFollow(!follow)}>
    {t`Follow`}
  </SmallGhostButton>
)

export function useTextExport() {
  const { copy, ask, toast } = useActions()
  const inWindow = useConnection((state) => state.about?.shell.kind === 'electron')
  return {
    /** Copies a text, and says so with `done`. */
    copyWith: (text: string, done: string): void =>
      void copy(text).then((copied) => {
        if (copied) toast(done)
      }),
    /** Saves a text as a file. A window of Electron downloads nothing: there the host writes the file, on `request`. */
    async save(file: string, text: () => string, request: 'server.saveLog' | 'server.saveMessages', name: string): Promise<void> {
      if (!inWindow) return saveTextFile(file, [text()])
      const saved = await ask(request, { name })
      if (saved?.path) toast(t`Saved as ${saved.path}`)
    },
  }
}
