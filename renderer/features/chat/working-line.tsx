// What stands where the answer will be, until it begins.
import { t } from '#app/words/translate.ts'
import { useConversations } from '#renderer/stores/react.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { useNow } from '#renderer/ui/use-now.ts'
import { retryWords } from './retry-words.ts'

export function WorkingLine({ conversationId }: { readonly conversationId: string }) {
  const retry = useConversations((state) => {
    const activity = state.list.find(({ id }) => id === conversationId)?.activity
    return activity?.kind === 'working' ? activity.retry : undefined
  })
  const now = useNow(1000, retry !== undefined)
  return (
    <p className="row faint waiting-first">
      {retry ? (
        <>
          <Spinner />
          <span className="num">{retryWords(retry, now)}</span>
        </>
      ) : (
        <Spinner label={t`The model is at work`} />
      )}
    </p>
  )
}
