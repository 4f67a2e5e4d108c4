// Page of a chat that is not in the list: an older one is fetched; a deleted one gets a notice.
import { useEffect } from 'react'
import { t } from '#app/i18n/translate.ts'
import { hrefOf } from '#renderer/router.ts'
import { useStores, useTranscriptError } from '#renderer/stores/store-hooks.tsx'
import { LinkButton } from '#renderer/ui/button.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Page } from '#renderer/ui/page.tsx'

export function MissingChat({ id }: { readonly id: string }) {
  const { transcripts } = useStores()
  // The conversation comes with its messages.
  useEffect(() => transcripts.open(id), [transcripts, id])
  const error = useTranscriptError(id)
  return (
    <Page title={t`Chat`}>
      <div className="scroll">
        <div className="col">
          {error?.code === 'chat.unknown-conversation' ? (
            <Notice
              title={t`This chat is not here.`}
              action={
                <LinkButton size="sm" href={hrefOf({ page: 'chat' })}>
                  {t`New chat`}
                </LinkButton>
              }
            >
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
