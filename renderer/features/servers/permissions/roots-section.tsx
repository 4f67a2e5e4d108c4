// Folders that a server is told of when it asks (MCP, "Roots").
import { pathOfFileUri } from '#app/consent/rules/file-path.ts'
import { t } from '#app/i18n/translate.ts'
import { FolderList, useFolders } from '#renderer/features/folders/folder-list.tsx'
import { useActions, useConsent } from '#renderer/stores/store-hooks.tsx'
import { SmallButton } from '#renderer/ui/button.tsx'
import { useOs } from '#renderer/ui/lib/key-chords.tsx'
import { listNodes, tx } from '#renderer/ui/lib/translate-elements.ts'
import { ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'

export function ServerRoots({ name }: { readonly name: string }) {
  const { ask } = useActions()
  const os = useOs()
  // An answer in another window may have agreed to some.
  const waiting = useConsent((state) => state.requests.filter((one) => one.kind === 'roots' && one.server === name).length)
  const folders = useFolders({ kind: 'server', name }, waiting)
  const always = folders.told.filter(({ conversationId }) => conversationId === undefined).flatMap(({ uris }) => uris)
  const chats = folders.told.length - (always.length > 0 ? 1 : 0)
  const askAgain = async (): Promise<void> => {
    if (await ask('folder.askAgain', { server: name })) await folders.refresh()
  }
  const paths = <VisibleText className="mono wrap-any" text={always.map((uri) => pathOfFileUri(uri, os)).join(', ')} />
  return (
    <section className="sec">
      <h3 className="h3">{t`Shared folders`}</h3>
      <p className="lede">{tx`When ${<ServerName name={name} />} asks which folders you work in, it is told of these once you agree, and not of those in Settings.`}</p>
      <FolderList folders={folders} title={t`Folders for “${name}”`} none={t`None of its own. Those in Settings are used.`} />
      {folders.told.length > 0 && (
        <div className="row wrap">
          <p className="dim grow">
            {tx`Told without asking: ${listNodes([
              ...(always.length > 0 ? [paths] : []),
              ...(chats === 0 ? [] : [chats === 1 ? t`what you agreed to in 1 chat` : t`what you agreed to in ${chats} chats`]),
            ])}.`}
          </p>
          <SmallButton onClick={() => void askAgain()}>{t`Ask again`}</SmallButton>
        </div>
      )}
    </section>
  )
}
