import { useEffect } from 'react'
import { t } from '#app/i18n/translate.ts'
import { useConversation, useStores, useTranscriptError } from '#renderer/stores/store-hooks.tsx'
import { SmallLink } from '#renderer/ui/button.tsx'
import { ErrorNotice, Notice } from '#renderer/ui/notice.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { NewChat } from '../features/chat/new-chat.tsx'
import { LazyOpenChat } from './pages.ts'

export function ChatPage({ id }: { readonly id: string | undefined }) {
  const conversation = useConversation(id, (one) => one)
  if (id === undefined) return <NewChat />
  return conversation ? <LazyOpenChat conversation={conversation} /> : <MissingChat id={id} />
}

/** Fetches an older chat; a deleted one gets a notice. */
function MissingChat({ id }: { readonly id: string }) {
  const { transcripts } = useStores()
  // The conversation arrives with its messages.
  useEffect(() => transcripts.open(id), [transcripts, id])
  const error = useTranscriptError(id)
  return (
    <Page title={t`Chat`}>
      <div className="scroll">
        <div className="col">
          {error?.code === 'chat.unknown-conversation' ? (
            <Notice title={t`This chat is not here.`} action={<SmallLink to={{ page: 'chat' }}>{t`New chat`}</SmallLink>}>
              {t`It was deleted, or belongs to another data folder.`}
            </Notice>
          ) : (
            error && <ErrorNotice error={error} onRetry={() => transcripts.retry(id)} />
          )}
        </div>
      </div>
    </Page>
  )
}
