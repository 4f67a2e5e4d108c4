// A link that a tool gave back (MCP, "Resource links"). Nothing is fetched until the person has read where it leads: a click
// shows the target and what would happen; only then is it read, through the server that named it, or opened in a browser.

import { useState } from 'react'
import type { ResultBlock } from '#app/chat/content.ts'
import type { ErrorValue } from '#app/errors.ts'
import type { ShownContent } from '#app/server/shelf.ts'
import { t } from '#app/words/translate.ts'
import { ContentView } from '#renderer/features/library/preview/content-view.tsx'
import { useActions } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { addressParts, WebAddress } from '#renderer/ui/web-address.tsx'
import { LeaveButtons } from '../leave-buttons.tsx'

type Link = Extract<ResultBlock, { type: 'resource-link' }>

export function ResourceLink({ link, server }: { readonly link: Link; readonly server: string | undefined }) {
  const [open, setOpen] = useState(false)
  return (
    <p>
      <button type="button" className="link" title={link.uri} onClick={() => setOpen(true)}>
        <Icon name="file" small /> <Revealed text={link.title ?? link.name} />
      </button>{' '}
      <span className="mono faint">
        <Revealed text={link.uri} />
      </span>
      {open && <LinkDialog link={link} server={server} onClose={() => setOpen(false)} />}
    </p>
  )
}

type Reading =
  | { readonly kind: 'not-yet' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly error: ErrorValue }
  | { readonly kind: 'read'; readonly contents: readonly ShownContent[] }

interface DialogProps {
  readonly link: Link
  readonly server: string | undefined
  readonly onClose: () => void
}

function LinkDialog({ link, server, onClose }: DialogProps) {
  const { attempt } = useActions()
  const [reading, setReading] = useState<Reading>({ kind: 'not-yet' })
  const address = addressParts(link.uri)
  const read = async (): Promise<void> => {
    if (server === undefined) return
    setReading({ kind: 'reading' })
    const outcome = await attempt('offer.read', { fetch: crypto.randomUUID(), server, uri: link.uri })
    setReading(outcome.ok ? { kind: 'read', contents: outcome.value.contents } : { kind: 'failed', error: outcome.error })
  }
  const footer = (
    <>
      {server !== undefined && (
        <Button size="lg" disabled={reading.kind === 'reading'} onClick={() => void read()}>
          {tx`Read it through ${<ServerName name={server} />}`}
        </Button>
      )}
      <LeaveButtons url={link.uri} isWeb={address !== undefined} onClose={onClose} />
    </>
  )
  return (
    <Dialog open onClose={onClose} title={<Revealed text={link.title ?? link.name} />} footer={footer} width={760}>
      {address ? (
        <WebAddress url={link.uri} />
      ) : (
        <p className="mono url">
          <Revealed text={link.uri} />
        </p>
      )}
      {link.description !== undefined && (
        <p>
          “<Revealed text={link.description} />”
        </p>
      )}
      {reading.kind === 'not-yet' && (
        <p className="dim">
          {tx`The link came with a tool’s result. Nothing of it was fetched. ${server !== undefined && t`Reading it asks “${server}” for it, and shows it here; the model is not told.`}`}
        </p>
      )}
      {reading.kind === 'reading' && (
        <p className="row faint">
          <Spinner /> {tx`${server !== undefined && <ServerName name={server} />} is reading it.`}
        </p>
      )}
      {reading.kind === 'failed' && <ErrorNotice error={reading.error} onRetry={() => void read()} />}
      {reading.kind === 'read' && <Contents contents={reading.contents} name={link.name} />}
    </Dialog>
  )
}

function Contents({ contents, name }: { readonly contents: readonly ShownContent[]; readonly name: string }) {
  if (contents.length === 0) return <p className="help">{t`It is empty.`}</p>
  return contents.map((content, index) => <ContentView key={`${String(index)} ${content.uri}`} content={content} name={name} />)
}
