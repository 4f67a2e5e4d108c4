// What can be done with what is shown: it goes into a chat, as the composer's `@` does it, or to a file.

import { t } from '#app/words/translate.ts'
import { useAttaching } from '#renderer/features/chat/attachments/use-attaching.ts'
import { navigate } from '#renderer/router.ts'
import { useStores } from '#renderer/stores/react.tsx'
import { showToast } from '#renderer/stores/view.ts'
import { Button } from '#renderer/ui/button.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { useCurrentChat } from '../use-current-chat.ts'

interface AttachFootProps {
  readonly server: string
  readonly uri: string
  readonly name: string
  /** Why it cannot be attached: no model reads it, or the server did not give it. */
  readonly not?: 'bytes' | 'unread' | undefined
}

const notWords = { bytes: t`No model reads such bytes`, unread: t`It could not be read` } as const

export function AttachFoot({ server, uri, name, not }: AttachFootProps) {
  const { view } = useStores()
  const chat = useCurrentChat()
  const here = useAttaching(chat?.id ?? '')
  const fresh = useAttaching('')
  const toChat = async (id: string): Promise<void> => {
    if (!(await here.addResource(server, uri, name))) return
    showToast(view, t`${name} is attached.`, { action: { label: t`Go to the chat`, run: () => navigate({ page: 'chat', id }) } })
  }
  const toNewChat = async (): Promise<void> => {
    if (await fresh.addResource(server, uri, name)) navigate({ page: 'chat' })
  }
  const busy = here.pending.length + fresh.pending.length > 0
  const off = not !== undefined || busy
  return (
    <footer className="foot">
      {chat && (
        <Button aria-disabled={off} onClick={() => !off && void toChat(chat.id)}>
          <span className="cut">{tx`Attach to “${chat.title}”`}</span>
        </Button>
      )}
      <Button variant={chat ? 'ghost' : 'plain'} aria-disabled={off} onClick={() => !off && void toNewChat()}>
        {t`Attach to a new chat`}
      </Button>
      <span className="grow" />
      <span className="help wide-only">{not === undefined ? t`Links inside are never opened by themselves` : notWords[not]}</span>
    </footer>
  )
}
