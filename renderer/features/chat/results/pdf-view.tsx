// Shows a PDF page by page with PDF.js, in a chunk that is fetched with the first PDF. A worker parses the document under the page's
// policy (no eval, no request elsewhere); the page is painted on a canvas, its text goes to screen readers. Scripts, forms, links
// and attachments are ignored. A page that takes too long ends the worker.
import { getDocument, PDFWorker } from 'pdfjs-dist/build/pdf.min.mjs'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?worker&url'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { BlobRef } from '#app/blob.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { Spinner } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { useBytes } from './blob-view.tsx'

/** Timeout in milliseconds of one page, and of opening the document. */
const limitMs = 20_000
/** Limit of pixels of an embedded image and of the canvas. */
const mostPixels = 16_000_000
const mostText = 20_000

type PdfDocument = Awaited<ReturnType<typeof openPdf>>

type Policy = { createScriptURL(url: string): string }
type TrustedTypes = { createPolicy(name: string, rules: Policy): Policy }

/** Trusted Types policy that allows the address of this worker alone. */
let policy: Policy | undefined
function trusted(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  if (!trustedTypes) return url
  policy ??= trustedTypes.createPolicy('assent-pdf-worker', {
    createScriptURL: (asked) => {
      if (asked !== workerUrl) throw new TypeError('not the worker')
      return asked
    },
  })
  return policy.createScriptURL(url)
}

/** Opens a document. @throws {Error} when it is damaged, locked with a password, or takes too long */
async function openPdf(bytes: Uint8Array) {
  const thread = new Worker(trusted(workerUrl), { type: 'module' })
  const worker = PDFWorker.create({ port: thread })
  const close = (): void => {
    worker.destroy()
    thread.terminate()
  }
  try {
    const failed = Promise.withResolvers<never>()
    thread.onerror = () => failed.reject(new Error('The worker failed.'))
    const task = getDocument({
      data: bytes.slice(),
      worker,
      verbosity: 0,
      enableXfa: false,
      useWasm: false,
      useWorkerFetch: false,
      disableAutoFetch: true,
      maxImageSize: mostPixels,
      canvasMaxAreaInBytes: mostPixels * 4,
    })
    const pdf = await inTime(Promise.race([task.promise, failed.promise]))
    return {
      pages: pdf.numPages,
      /** Paints a page (from 1) and resolves to its text. */
      async paint(number: number, canvas: HTMLCanvasElement, width: number): Promise<string> {
        const page = await inTime(pdf.getPage(number))
        const plain = page.getViewport({ scale: 1 })
        const fitting = (width * devicePixelRatio) / plain.width
        const viewport = page.getViewport({ scale: Math.min(fitting, Math.sqrt(mostPixels / (plain.width * plain.height))) })
        canvas.width = Math.floor(viewport.width)
        canvas.height = Math.floor(viewport.height)
        await inTime(page.render({ canvas, viewport }).promise)
        const { items } = await inTime(page.getTextContent())
        page.cleanup()
        return items
          .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
          .join('')
          .slice(0, mostText)
      },
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('It took too long.')), limitMs)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

type Opened = { readonly kind: 'opening' } | { readonly kind: 'failed' } | { readonly kind: 'open'; readonly pdf: PdfDocument }

export function PdfView({ blob }: { readonly blob: BlobRef }) {
  const bytes = useBytes(blob)
  const [state, setState] = useState<Opened>({ kind: 'opening' })
  const here = bytes.kind === 'here' ? bytes.bytes : undefined
  useEffect(() => {
    if (!here) return
    let cancelled = false
    let opened: PdfDocument | undefined
    setState({ kind: 'opening' })
    openPdf(here).then(
      (pdf) => {
        if (cancelled) return pdf.close()
        opened = pdf
        setState({ kind: 'open', pdf })
      },
      () => {
        if (!cancelled) setState({ kind: 'failed' })
      },
    )
    return () => {
      cancelled = true
      opened?.close()
    }
  }, [here])
  if (bytes.kind === 'gone') return <p className="help">{t`No longer kept. Read it again.`}</p>
  if (state.kind === 'opening') return <Spinner label={t`Loading…`} />
  if (state.kind === 'failed') return <p className="help">{t`This PDF cannot be shown: damaged, locked, or too large. Save a copy.`}</p>
  return <Pages pdf={state.pdf} onFail={() => setState({ kind: 'failed' })} />
}

function Pages({ pdf, onFail }: { readonly pdf: PdfDocument; readonly onFail: () => void }) {
  const [page, setPage] = useState(1)
  const [text, setText] = useState<string | undefined>(undefined)
  const box = useRef<HTMLDivElement>(null)
  const fail = useEffectEvent(onFail)
  useEffect(() => {
    const place = box.current
    if (!place) return
    let cancelled = false
    setText(undefined)
    const canvas = document.createElement('canvas')
    canvas.setAttribute('aria-hidden', 'true')
    pdf.paint(page, canvas, Math.min(900, place.clientWidth || 600)).then(
      (written) => {
        if (cancelled) return
        place.replaceChildren(canvas)
        setText(written)
      },
      () => {
        if (cancelled) return
        pdf.close()
        fail()
      },
    )
    return () => {
      cancelled = true
    }
  }, [pdf, page])
  const go = (to: number): void => setPage(Math.min(pdf.pages, Math.max(1, to)))
  return (
    <section className="pdf" aria-label={t`Page ${page} of ${pdf.pages}`}>
      <div className="row">
        <IconButton label={t`Back`} icon="chevron-left" small aria-disabled={page === 1} onClick={() => go(page - 1)} />
        <span className="num" aria-live="polite">
          {tx`Page ${formatNumber(page)} of ${formatNumber(pdf.pages)}`}
        </span>
        <IconButton label={t`Next`} icon="chevron-right" small aria-disabled={page === pdf.pages} onClick={() => go(page + 1)} />
        {text === undefined && <Spinner label={t`Loading…`} />}
      </div>
      <div ref={box} className="pdf-page" />
      <p className="sr">{text !== undefined && <VisibleText text={text} />}</p>
    </section>
  )
}
