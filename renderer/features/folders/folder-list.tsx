// A list of folders and the way to add one: the system's picker where the shell has one, else a box for the path, which
// completes what is typed.
import { t } from '#app/words/translate.ts'
import { useActions, useConnection } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import './folders.css'
import { FolderForm } from './folder-form.tsx'
import type { Folders } from './use-folders.ts'

interface FolderListProps {
  readonly folders: Folders
  /** Of the system's picker. */
  readonly title: string
  /** Said where there are none. */
  readonly none: string
}

export function FolderList({ folders: { folders, busy, error, forgetError, save }, title, none }: FolderListProps) {
  const canChoose = useConnection((state) => state.about?.shell.canChooseFolder ?? false)
  const { ask } = useActions()
  const paths = folders.map(({ path }) => path)
  const choose = async (): Promise<void> => {
    const done = await ask('app.chooseFolder', { title })
    if (done?.path) await save([...paths, done.path])
  }
  return (
    <>
      {folders.length === 0 ? (
        <p className="dim">{none}</p>
      ) : (
        <ul className="lines folder-list">
          {folders.map(({ path, there }) => (
            <li key={path}>
              <Icon name="folder" />
              <span className="grow mono wrap-any">
                <Revealed text={path} />
                {!there && (
                  <span className="err warntext">
                    <Icon name="warning" small />
                    <span>{t`Not there now. No server is told of it until it is back.`}</span>
                  </span>
                )}
              </span>
              <Button
                variant="ghost"
                size="sm"
                aria-label={t`Remove ${path}`}
                disabled={busy}
                onClick={() => void save(paths.filter((one) => one !== path))}
              >
                {t`Remove`}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {canChoose ? (
        <div>
          <Button size="sm" icon="plus" disabled={busy} onClick={() => void choose()}>
            {t`Add a folder`}
          </Button>
          {error ? (
            <p role="alert" className="err">
              {error}
            </p>
          ) : null}
        </div>
      ) : (
        <FolderForm busy={busy} error={error} onTyped={forgetError} onAdd={(path) => save([...paths, path])} />
      )}
    </>
  )
}
