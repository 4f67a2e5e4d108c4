import { useEffect } from 'react'
import { t } from '#app/i18n/translate.ts'
import { useConversation, useSettings, useStores, useTranscriptError } from '#renderer/stores/store-hooks.tsx'
import { SmallLink } from '#renderer/ui/button.tsx'
import { ErrorNotice, Notice } from '#renderer/ui/notice.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { Composer, useSend } from '../features/chat/composer/composer.tsx'
import { useBeginningChat, useChooseModel } from '../features/chat/settings/new-chat-choices.ts'
import { ServerPick } from '../features/chat/settings/server-picker.tsx'
import { ComposerHints, DailyPage } from '../features/start/daily-page.tsx'
import { SetupActions, StartPage } from '../features/start/start-page.tsx'
import { LazyImportReview, LazyOpenChat } from './pages.ts'

/** Page without a chat: the steps of the setup, then what there is to go on with. */
export function NewChat() {
  const standard = useSettings((state) => state.settings.defaultModel)
  const welcomed = useSettings((state) => state.settings.welcomed)
  const begins = useBeginningChat()
  const model = begins.choice.model ?? standard
  const chooseModel = useChooseModel(begins)
  const send = useSend(undefined, undefined, model, begins)
  return (
    <Page title={t`New chat`} actions={welcomed ? <ServerPick /> : <SetupActions />}>
      <div className="scroll">
        {welcomed ? <DailyPage model={model} /> : <StartPage ImportReview={LazyImportReview} onModel={chooseModel} onExample={send.send} />}
      </div>
      <Composer model={model} begins={begins} send={send} placeholder={t`Write a message`} hints={welcomed ? <ComposerHints /> : null} />
    </Page>
  )
}

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
            <Notice title={t`This chat was not found.`} action={<SmallLink to={{ page: 'chat' }}>{t`New chat`}</SmallLink>}>
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
