// A folder of chats: what its chats share, and where a new one in it begins.
import './history.css'
import { t } from '#app/words/translate.ts'
import { Composer } from '#renderer/features/chat/composer.tsx'
import { useBeginningChat } from '#renderer/features/chat/new-choice.ts'
import { useSend } from '#renderer/features/chat/use-send.ts'
import { hrefOf, navigate } from '#renderer/router.ts'
import { useConversations, useSettings } from '#renderer/stores/react.tsx'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { FolderDialog } from './folder-dialog.tsx'
import { folderWords } from './folder-words.ts'

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
            <Notice
              title={t`This folder is not here.`}
              action={
                <LinkButton size="sm" href={hrefOf({ page: 'chats' })}>
                  {t`All chats`}
                </LinkButton>
              }
            >
              {t`It was deleted. Its chats were kept.`}
            </Notice>
          </div>
        </div>
      </Page>
    )
  }
  const open = (): void => navigate({ page: 'folder', id, edit: true }, { replace: true })
  return (
    <Page
      title={folder.name}
      actions={
        <Button size="sm" variant="ghost" onClick={open}>
          {t`Edit folder`}
        </Button>
      }
    >
      <div className="scroll">
        <div className="col new-chat">
          <div className="stack">
            <h2>{tx`New chat in ${folder.name}`}</h2>
            <ul className="facts">
              {folderWords(folder).map((words) => (
                <li key={words} className="row dim">
                  <Icon name="check" small />
                  {words}
                </li>
              ))}
            </ul>
            <p>
              <a className="pick" href={hrefOf({ page: 'chats', folder: id })}>
                {t`All chats in it`}
              </a>
            </p>
          </div>
        </div>
      </div>
      <Composer
        conversationId={undefined}
        activity={undefined}
        model={model}
        begins={begins}
        send={send}
        placeholder={t`Write a message`}
      />
      {edit && <FolderDialog folder={folder} onClose={() => navigate({ page: 'folder', id }, { replace: true })} />}
    </Page>
  )
}
