import { useEffect, useRef } from 'react'
import type { Conversation } from '#app/chat/conversation.ts'
import { t } from '#app/words/translate.ts'
import { ReviewSheet } from '#renderer/features/consent/review-sheet.tsx'
import { useReview } from '#renderer/features/consent/use-review.ts'
import { useActions, useStores } from '#renderer/stores/react.tsx'
import { announce } from '#renderer/stores/view.ts'
import { cx } from '#renderer/ui/class-names.ts'
import { Page } from '#renderer/ui/page.tsx'
import { ArchivedBar } from './archived-bar.tsx'
import { ChatActions } from './chat-actions.tsx'
import { Composer } from './composer.tsx'
import { TranscriptView } from './transcript-view.tsx'
import { useSend } from './use-send.ts'
import { WaitingServers } from './waiting-servers.tsx'
import { WaitingTogether } from './waiting-together.tsx'

export function OpenChat({ conversation }: { readonly conversation: Conversation }) {
  const { id, activity, model } = conversation
  const { transcripts } = useStores()
  useEffect(() => transcripts.open(id), [transcripts, id])
  useEndAnnounced(conversation)
  useSeen(conversation)
  const send = useSend(id, activity)
  const review = useReview(id)
  const busy = activity.kind === 'working' || activity.kind === 'waiting'
  return (
    <Page title={conversation.title} actions={<ChatActions conversation={conversation} />} onBack={review?.close}>
      <div className={cx('split', review ? 'even' : 'one')}>
        <div className="chatpane">
          <TranscriptView conversation={conversation} />
          <WaitingServers conversationId={id} activity={activity} />
          <WaitingTogether conversationId={id} />
          <ArchivedBar conversation={conversation} />
          <Composer
            conversationId={id}
            activity={activity}
            model={model}
            send={send}
            placeholder={busy ? t`Add something while it works` : t`Write a message`}
          />
        </div>
        {review && <ReviewSheet key={review.request.id} review={review} />}
      </div>
    </Page>
  )
}

/** An answer that stands on a page which the person looks at has been seen. */
function useSeen({ id, unread }: Conversation): void {
  const { go } = useActions()
  useEffect(() => {
    if (!unread) return
    const see = (): void => {
      if (document.visibilityState === 'visible') go('conversation.seen', { id })
    }
    see()
    document.addEventListener('visibilitychange', see)
    return () => document.removeEventListener('visibilitychange', see)
  }, [id, unread, go])
}

/** Streaming text is no live region; that it ended is said once. */
function useEndAnnounced({ activity }: Conversation): void {
  const { view } = useStores()
  const before = useRef(activity.kind)
  useEffect(() => {
    if (before.current === 'working' && activity.kind === 'idle') announce(view, t`The answer is done.`)
    before.current = activity.kind
  }, [activity.kind, view])
}
