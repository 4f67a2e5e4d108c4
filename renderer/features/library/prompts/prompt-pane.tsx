// One prompt: what it wants to know, what the server makes of it, and into the chat with it. Nothing is sent from here.

import { useRef } from 'react'
import type { PromptEntry } from '#app/server/catalogue.ts'
import { t } from '#app/words/translate.ts'
import { ArgumentFields } from '#renderer/features/chat/composer/argument-fields.tsx'
import { PromptPreviewView } from '#renderer/features/chat/composer/prompt-messages.tsx'
import { usePromptPreview } from '#renderer/features/chat/composer/use-prompt-preview.ts'
import { useScrolls } from '#renderer/features/consent/use-scrolls.ts'
import { navigate } from '#renderer/router.ts'
import { useStores } from '#renderer/stores/react.tsx'
import { announce } from '#renderer/stores/view.ts'
import { Button } from '#renderer/ui/button.tsx'
import { ServerMark } from '#renderer/ui/marks.tsx'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { useCurrentChat } from '../use-current-chat.ts'

interface PromptPaneProps {
  readonly server: string
  readonly prompt: PromptEntry
  /** It answers at once. */
  readonly runs: boolean
}

export function PromptPane({ server, prompt: { name, title, description, arguments: fields = [] }, runs }: PromptPaneProps) {
  const { values, fill, ready, preview, show } = usePromptPreview(server, name, fields, runs)
  const { draftExtras, view } = useStores()
  const chat = useCurrentChat()
  const use = (id: string | undefined): void => {
    if (preview.kind !== 'shown') return
    const { prompt } = preview
    draftExtras.change(id ?? '', (extras) => ({ ...extras, prompt }))
    announce(view, t`${name} is in the message.`)
    navigate({ page: 'chat', ...(id === undefined ? {} : { id }) })
  }
  const shown = preview.kind === 'shown'
  const form = useRef<HTMLFormElement | null>(null)
  const scrolls = useScrolls(form) && shown && fields.length === 0
  const canShow = ready && preview.kind !== 'loading'
  return (
    <section className="b" aria-label={title ?? name}>
      <form
        ref={form}
        className="in"
        // A long text is scrolled by keys where there is nothing else in it to go to.
        tabIndex={scrolls ? 0 : undefined}
        onSubmit={(event) => {
          event.preventDefault()
          if (canShow) show()
        }}
      >
        <div className="headline">
          <ServerMark name={server} large />
          <div className="grow">
            <h2 className="wrap-any">
              <Revealed text={title ?? name} />
            </h2>
            <p className="faint wrap-any">{description ? <Revealed text={description} /> : server}</p>
          </div>
        </div>
        {fields.length > 0 && (
          <>
            <div className="grid2">
              <ArgumentFields server={server} of={{ type: 'ref/prompt', name }} fields={fields} values={values} onChange={fill} />
            </div>
            <p className="help">{tx`Suggestions come from ${<ServerName name={server} />}.`}</p>
          </>
        )}
        <PromptPreviewView server={server} preview={preview} onRetry={show} />
        {!shown && (fields.length > 0 || preview.kind !== 'failed') && (
          <p className="row">
            <Button type="submit" variant="primary" aria-disabled={!canShow}>
              {runs ? t`Show what it says` : t`Start “${server}” and show what it says`}
            </Button>
          </p>
        )}
      </form>
      <footer className="foot">
        {chat && (
          <Button aria-disabled={!shown} onClick={() => use(chat.id)}>
            <span className="cut">{tx`Insert into “${chat.title}”`}</span>
          </Button>
        )}
        <Button variant={chat ? 'ghost' : 'plain'} aria-disabled={!shown} onClick={() => use(undefined)}>
          {t`Insert into a new chat`}
        </Button>
        <span className="help">
          {tx`or write ${(
            <span className="key">
              /<Revealed text={name} />
            </span>
          )} in the composer`}
        </span>
      </footer>
    </section>
  )
}
