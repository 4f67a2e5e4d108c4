// An attachment looked at: an image large, a text as text, of a PDF what is known of it. Nothing in it is followed or run.
import { useEffect, useState } from 'react'
import type { Attachment } from '#app/chat/attachment.ts'
import { t } from '#app/words/translate.ts'
import { SaveBlob } from '#renderer/features/chat/results/blob-view.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { attachmentFacts } from './attachment-words.ts'

/** Characters that are drawn; more would hold the page up. */
const shown = 200_000

export function AttachmentDialog({ attachment, onClose }: { readonly attachment: Attachment; readonly onClose: () => void }) {
  const { name, kind, blob, from } = attachment
  return (
    <Dialog open onClose={onClose} width={kind === 'image' ? 1000 : 760} title={<Revealed text={name} />}>
      <p className="help">
        <Revealed text={[attachmentFacts(attachment), ...(from?.uri ? [from.uri] : [])].join(' · ')} />
      </p>
      {kind === 'image' && <img className="attachment-large" src={`/blob/${blob.sha256}`} alt={name} />}
      {kind === 'text' && <TextOf sha256={blob.sha256} />}
      {kind === 'pdf' && <p>{t`The model reads its text and its pages. It is not drawn here.`}</p>}
      <SaveBlob blob={blob} name={name} what={t`A copy`} />
    </Dialog>
  )
}

function TextOf({ sha256 }: { readonly sha256: string }) {
  const [text, setText] = useState<string | null>()
  useEffect(() => {
    const control = new AbortController()
    fetch(`/blob/${sha256}`, { signal: control.signal })
      .then((answer) => (answer.ok ? answer.text() : null))
      .then(setText, () => setText(null))
    return () => control.abort()
  }, [sha256])
  if (text === undefined) return <Spinner label={t`Reading`} />
  if (text === null) return <p className="help">{t`Its text cannot be read now.`}</p>
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be in reach of the keyboard */}
      <section className="attachment-text" tabIndex={0} aria-label={t`Text`}>
        <Revealed text={text.slice(0, shown)} />
      </section>
      {text.length > shown && <p className="help">{t`This is the beginning. The model reads all of it.`}</p>}
    </>
  )
}
