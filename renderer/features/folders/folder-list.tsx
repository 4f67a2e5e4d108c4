// A list of folders, and the way to add one: the system's picker where the shell has one, else a text field that completes paths.
import { useCallback, useEffect, useState } from 'react'
import type { RequestResult } from '#app/contract/requests.ts'
import { describeError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { FolderOwner } from '#app/shared-folders.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Field, SubmitForm, SuggestingInput } from '#renderer/ui/field.tsx'
import { usePathCompletion, usePathPicker } from '#renderer/ui/forms/path-field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import './folders.css'

type Folders = ReturnType<typeof useFolders>

/** `onAdd`: resolves to whether the folder was added. */
type FolderFormProps = Pick<Folders, 'busy' | 'error' | 'forgetError'> & { readonly onAdd: (path: string) => Promise<boolean> }

function FolderForm({ busy, error, forgetError, onAdd }: FolderFormProps) {
  const [typed, setTyped] = useState('')
  const { folders, more } = usePathCompletion(typed)
  const add = async (): Promise<void> => {
    if (typed.trim() !== '' && (await onAdd(typed))) setTyped('')
  }
  return (
    <SubmitForm className="folder-form" onSubmit={add}>
      <Field label={t`Folder`} error={error} help={more ? t`More than shown. Keep typing.` : undefined}>
        {(ids) => (
          <SuggestingInput
            {...ids}
            mono
            suggestions={folders}
            value={typed}
            onText={(path) => {
              setTyped(path)
              forgetError()
            }}
          />
        )}
      </Field>
      <SmallButton type="submit" icon="plus" disabled={busy || typed.trim() === ''}>
        {t`Add`}
      </SmallButton>
    </SubmitForm>
  )
}

/** The folders of an owner as the host has them. `fresh`: changes when they may have changed elsewhere. */
export function useFolders(owner: FolderOwner, fresh: unknown = undefined) {
  const { attempt } = useActions()
  const [known, setKnown] = useState<RequestResult<'folder.list'>>({ folders: [], told: [] })
  const [error, setError] = useState<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const key = JSON.stringify(owner)

  const refresh = useCallback(async (): Promise<void> => {
    const outcome = await attempt('folder.list', { owner: JSON.parse(key) as FolderOwner })
    if (outcome.ok) setKnown(outcome.value)
  }, [attempt, key])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change elsewhere is a reason to fetch
  useEffect(() => void refresh(), [refresh, fresh])

  /** Resolves to whether the folders were saved. */
  const save = async (paths: readonly string[]): Promise<boolean> => {
    setBusy(true)
    const outcome = await attempt('folder.set', { owner, paths: [...paths] })
    if (outcome.ok) await refresh()
    setBusy(false)
    const said = outcome.ok ? undefined : describeError(outcome.error)
    setError(said && `${said.message} ${said.remedy}`.trim())
    return outcome.ok
  }
  return { ...known, busy, error, forgetError: () => setError(undefined), save, refresh }
}

type FolderListProps = { readonly folders: Folders; readonly title: string; readonly none: string }

export function FolderList({ folders: { folders, busy, error, forgetError, save }, title, none }: FolderListProps) {
  const pick = usePathPicker('folder', title)
  const paths = folders.map(({ path }) => path)
  const choose = async (): Promise<void> => {
    const path = await pick?.()
    if (path) await save([...paths, path])
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
                <VisibleText text={path} />
                {!there && (
                  <span className="err warntext">
                    <Icon name="warning" small />
                    <span>{t`Not found. Not shared until it is back.`}</span>
                  </span>
                )}
              </span>
              <SmallGhostButton
                aria-label={t`Remove ${path}`}
                disabled={busy}
                onClick={() => void save(paths.filter((one) => one !== path))}
              >
                {t`Remove`}
              </SmallGhostButton>
            </li>
          ))}
        </ul>
      )}
      {pick ? (
        <div>
          <SmallButton icon="plus" disabled={busy} onClick={() => void choose()}>
            {t`Add folder`}
          </SmallButton>
          {error ? (
            <p role="alert" className="err">
              {error}
            </p>
          ) : null}
        </div>
      ) : (
        <FolderForm busy={busy} error={error} forgetError={forgetError} onAdd={(path) => save([...paths, path])} />
      )}
    </>
  )
}
