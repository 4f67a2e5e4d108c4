// A PDF page by page. What is written on the page is there for screen readers too; links in it lead nowhere.

import { useEffect, useRef, useState } from 'react'
import type { BlobRef } from '#app/chat/content.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { openPdf, type PdfDocument } from './pdf.ts'
import { useBytes } from './use-bytes.ts'

type Opened = { readonly kind: 'opening' } | { readonly kind: 'failed' } | { readonly kind: 'open'; readonly pdf: PdfDocument }

export function PdfView({ blob }: { readonly blob: BlobRef }) {
  const bytes = useBytes(blob)
  const [state, setState] = useState<Opened>({ kind: 'opening' })
  const here = bytes.kind === 'here' ? bytes.bytes : undefined
  useEffect(() => {
    if (!here) return
    let gone = false
    let opened: PdfDocument | undefined
    setState({ kind: 'opening' })
    openPdf(here).then(
      (pdf) => {
        if (gone) return pdf.close()
        opened = pdf
        setState({ kind: 'open', pdf })
      },
      () => {
        if (!gone) setState({ kind: 'failed' })
      },
    )
    return () => {
      gone = true
      opened?.close()
    }
  }, [here])
  if (bytes.kind === 'gone') return <p className="help">{t`Its bytes are no longer kept. Read it again.`}</p>
  if (state.kind === 'opening') return <Spinner label={t`Opening the PDF`} />
  if (state.kind === 'failed') return <Unreadable />
  return <Pages pdf={state.pdf} onFail={() => setState({ kind: 'failed' })} />
}

const Unreadable = () => (
  <p className="help">
    {t`This PDF cannot be drawn here: it is damaged, locked with a password, or takes too long. A copy of it can be saved.`}
  </p>
)

function Pages({ pdf, onFail }: { readonly pdf: PdfDocument; readonly onFail: () => void }) {
  const [page, setPage] = useState(1)
  const [text, setText] = useState<string | undefined>(undefined)
  const box = useRef<HTMLDivElement>(null)
  const fail = useRef(onFail)
  fail.current = onFail
  useEffect(() => {
    const place = box.current
    if (!place) return
    let gone = false
    setText(undefined)
    const canvas = document.createElement('canvas')
    canvas.setAttribute('aria-hidden', 'true')
    pdf.paint(page, canvas, Math.min(900, place.clientWidth || 600)).then(
      (written) => {
        if (gone) return
        place.replaceChildren(canvas)
        setText(written)
      },
      () => {
        if (gone) return
        pdf.close()
        fail.current()
      },
    )
    return () => {
      gone = true
    }
  }, [pdf, page])
  const go = (to: number): void => setPage(Math.min(pdf.pages, Math.max(1, to)))
  return (
    <section className="pdf" aria-label={t`PDF, page ${page} of ${pdf.pages}`}>
      <div className="row">
        <IconButton label={t`Page before`} icon="chevron-left" small aria-disabled={page === 1} onClick={() => go(page - 1)} />
        <span className="num" aria-live="polite">
          {tx`Page ${numberWords(page)} of ${numberWords(pdf.pages)}`}
        </span>
        <IconButton label={t`Next page`} icon="chevron-right" small aria-disabled={page === pdf.pages} onClick={() => go(page + 1)} />
        {text === undefined && <Spinner label={t`Drawing the page`} />}
      </div>
      <div ref={box} className="pdf-page" />
      <p className="sr">{text !== undefined && <Revealed text={text} />}</p>
    </section>
  )
}
