// PDF.js, in a chunk of its own that comes with the first PDF. A document is parsed in a worker, from our own origin and under the
// page's policy (no eval, no request elsewhere); what it describes is painted on a canvas. Its scripts, forms, links and
// attachments are never looked at. A page that is not done in time ends the worker.
import { getDocument, PDFWorker } from 'pdfjs-dist/build/pdf.min.mjs'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?worker&url'

/** Of one page, and of opening the document. */
const limitMs = 20_000
/** Pixels of a picture in it, and of the canvas. */
const mostPixels = 16_000_000
/** Characters of a page that are handed to screen readers. */
const mostText = 20_000

export interface PdfDocument {
  readonly pages: number
  /** Paints a page, counted from 1, and resolves to what is written on it. */
  paint(page: number, canvas: HTMLCanvasElement, width: number): Promise<string>
  close(): void
}

interface Policy {
  createScriptURL(url: string): string
}
interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy
}

/** The page's one policy makes nothing but the address of this worker. */
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

/** Rejects when it cannot be read, is locked with a password, or takes too long. */
export async function openPdf(bytes: Uint8Array): Promise<PdfDocument> {
  const thread = new Worker(trusted(workerUrl), { type: 'module' })
  const worker = PDFWorker.create({ port: thread })
  const close = (): void => {
    worker.destroy()
    thread.terminate()
  }
  try {
    const failed = new Promise<never>((_, reject) => {
      thread.onerror = () => reject(new Error('The worker failed.'))
    })
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
    const pdf = await inTime(Promise.race([task.promise, failed]))
    return {
      pages: pdf.numPages,
      async paint(number, canvas, width) {
        const page = await inTime(pdf.getPage(number))
        const plain = page.getViewport({ scale: 1 })
        const wanted = (width * devicePixelRatio) / plain.width
        const viewport = page.getViewport({ scale: Math.min(wanted, Math.sqrt(mostPixels / (plain.width * plain.height))) })
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

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It took too long.')), limitMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
