// The folders that servers are told of when they ask and the person agrees, where neither a chat nor a server has its own.
import { t } from '#app/words/translate.ts'
import { FolderList } from '#renderer/features/folders/folder-list.tsx'
import { useFolders } from '#renderer/features/folders/use-folders.ts'
import { useSettings } from '#renderer/stores/react.tsx'

const title = t`Folders servers may be told of`

export function FoldersSection() {
  const roots = useSettings((state) => state.settings.roots)
  const folders = useFolders({ kind: 'everyone' }, roots)
  return (
    <section className="sec">
      <h2 className="h3">{title}</h2>
      <p className="lede">
        {t`A server can ask which folders you work in. You are asked before it is told; then it learns these paths, and nothing of what is in them. A server or a chat can have folders of its own instead, on its page.`}
      </p>
      <FolderList folders={folders} title={title} none={t`None. Servers that ask are told that there are none.`} />
    </section>
  )
}
