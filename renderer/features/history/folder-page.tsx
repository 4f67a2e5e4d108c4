// A folder of chats: the settings that its chats share, which count from each chat's next message on, and a new chat in it.
import { useRef, useState } from 'react'
import type { ChatFolder, ChatFolderDraft } from '#app/chat/chat-folder.ts'
import type { ConsentMode } from '#app/consent/rules/consent-mode.ts'
import { t } from '#app/i18n/translate.ts'
import { Composer, useSend } from '#renderer/features/chat/composer/composer.tsx'
import { ModeChoice, ModelChoice, ServerChoice } from '#renderer/features/chat/settings/assistants.tsx'
import { useBeginningChat } from '#renderer/features/chat/settings/new-chat-choices.ts'
import { FolderList, useFolders } from '#renderer/features/folders/folder-list.tsx'
import { hrefOf, navigate } from '#renderer/router.ts'
import { useActions, useConversations, useSettings } from '#renderer/stores/store-hooks.tsx'
import { SmallGhostButton, SmallLink } from '#renderer/ui/button.tsx'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { TextAreaField, TextField } from '#renderer/ui/field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { Page } from '#renderer/ui/page.tsx'
import './history.css'

function FolderDialog({ folder, onClose }: { readonly folder: ChatFolder; readonly onClose: () => void }) {
  const { ask } = useActions()
  const first = useRef<HTMLInputElement | null>(null)
  const [name, setName] = useState(folder.name)
  const [prompt, setPrompt] = useState(folder.systemPrompt ?? '')
  const [servers, setServers] = useState(folder.servers)
  const [model, setModel] = useState(folder.model ?? '')
  const [mode, setMode] = useState<ConsentMode | ''>(folder.consentMode ?? '')
  const folders = useFolders({ kind: 'chatFolder', id: folder.id }, folder.roots)
  const save = async (): Promise<void> => {
    const draft: ChatFolderDraft = {
      name,
      ...(prompt.trim() === '' ? {} : { systemPrompt: prompt }),
      ...(servers === undefined ? {} : { servers }),
      ...(model === '' ? {} : { model }),
      ...(mode === '' ? {} : { consentMode: mode }),
    }
    if (await ask('chatFolder.save', { id: folder.id, draft })) onClose()
  }
  return (
    <FormDialog
      onClose={onClose}
      initialFocus={first}
      title={t`Edit folder`}
      className="stack folder-fields"
      incomplete={name.trim() === ''}
      onSubmit={save}
      below={
        <section className="sec">
          <h3 className="h3">{t`Shared folders`}</h3>
          <FolderList folders={folders} title={t`Shared folders`} none={t`None. Those in Settings apply.`} />
        </section>
      }
    >
      <TextField label={t`Name`} ref={first} maxLength={100} value={name} onText={setName} />
      <TextAreaField label={t`Instructions`} rows={4} maxLength={20_000} spellCheck value={prompt} onText={setPrompt} />
      <ServerChoice servers={servers} onChange={setServers} />
      <div className="grid2">
        <ModelChoice value={model} onChange={setModel} />
        <ModeChoice value={mode} onChange={setMode} />
      </div>
    </FormDialog>
  )
}

/** Settings that the chats of a folder share, a line each. */
function folderLabels({ systemPrompt, servers, roots }: ChatFolder): readonly string[] {
  const told = roots?.length ?? 0
  return [
    systemPrompt?.trim() ? t`The model reads the folder’s instructions` : '',
    servers === undefined ? '' : servers.length === 0 ? t`No tools of any server` : t`Tools of ${servers.join(', ')}`,
    told === 0 ? '' : t`${told} shared {folder|folders}`,
  ].filter((line) => line !== '')
}

export function FolderPage({ id, edit }: { readonly id: string; readonly edit: boolean }) {
  const folder = useConversations((state) => state.folders.find((one) => one.id === id))
  const standard = useSettings((state) => state.settings.defaultModel)
  const begins = useBeginningChat(id)
  const model = begins.choice.model ?? folder?.model ?? standard
  const send = useSend(undefined, undefined, model, begins)
  if (!folder) {
    return (
      <Page title={t`Folder`}>
        <div className="scroll">
          <div className="col">
            <Notice title={t`This folder was not found.`} action={<SmallLink to={{ page: 'chats' }}>{t`All chats`}</SmallLink>}>
              {t`Its chats were kept.`}
            </Notice>
          </div>
        </div>
      </Page>
    )
  }
  const open = (): void => navigate({ page: 'folder', id, edit: true }, { replace: true })
  return (
    <Page title={folder.name} actions={<SmallGhostButton onClick={open}>{t`Edit folder`}</SmallGhostButton>}>
      <div className="scroll">
        <div className="col new-chat">
          <div className="stack">
            <h2>{tx`New chat in ${folder.name}`}</h2>
            <ul className="facts">
              {folderLabels(folder).map((words) => (
                <li key={words} className="row dim">
                  <Icon name="check" small />
                  {words}
                </li>
              ))}
            </ul>
            <p>
              <a className="pick" href={hrefOf({ page: 'chats', folder: id })}>
                {t`Show chats`}
              </a>
            </p>
          </div>
        </div>
      </div>
      <Composer model={model} begins={begins} send={send} placeholder={t`Write a message`} />
      {edit && <FolderDialog folder={folder} onClose={() => navigate({ page: 'folder', id }, { replace: true })} />}
    </Page>
  )
}
