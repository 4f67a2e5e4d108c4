// A Mermaid diagram: once its source is whole and near the window, a frame draws it that can reach neither the page nor the network
// (`renderer/diagram/frame.ts`). Without a drawing the source is shown.
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { diagramPath } from '#app/contract/csp.ts'
import { t } from '#app/i18n/translate.ts'
import { stripHidden } from '#app/text/hidden-characters.ts'
import { CopyButton, IconButton } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { useLatestInTurn } from '#renderer/ui/lib/in-turn.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useDark } from '#renderer/ui/lib/use-dark.ts'
import { useNearViewport } from '#renderer/ui/lib/use-near-viewport.ts'
import { useTextScale } from '#renderer/ui/lib/use-visible-rows.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { CodeBlock } from '../code/code-block.tsx'
import { type FrameMessage, type FrameOrder, largestSource, readMessage } from './frame-messages.ts'

type Drawing = { readonly kind: 'drawing' } | Exclude<FrameMessage, { kind: 'ready' }>

/** Timeout of a drawing in milliseconds; a slower frame is removed. */
const timeoutMs = 20_000
const drawing: Drawing = { kind: 'drawing' }

type FrameRef = RefObject<HTMLIFrameElement | null>

/** Has the frame draw the source. Returns the drawing, and a function that sends a message to the frame. */
function useDiagram(frame: FrameRef, source: string, dark: boolean): readonly [Drawing, (order: FrameOrder) => void] {
  const [state, setState] = useState<Drawing>(drawing)
  // An opaque origin has no name, so the message names no target origin.
  const tell = useCallback((order: FrameOrder) => frame.current?.contentWindow?.postMessage(order, '*'), [frame])

  useEffect(() => {
    setState(drawing)
    const timer = setTimeout(() => setState({ kind: 'failed', message: t`It took too long.` }), timeoutMs)
    // Hidden characters are spelled out in the source and not drawn.
    const draw = (): void => tell({ kind: 'draw', source: stripHidden(source), dark })
    const onMessage = (event: MessageEvent): void => {
      if (event.source === null || event.source !== frame.current?.contentWindow) return
      const message = readMessage(event.data)
      if (message?.kind === 'ready') draw()
      else if (message) {
        clearTimeout(timer)
        setState(message)
      }
    }
    addEventListener('message', onMessage)
    // A loaded frame draws at once; one that still loads draws when it is ready.
    draw()
    return () => {
      clearTimeout(timer)
      removeEventListener('message', onMessage)
    }
  }, [frame, source, dark, tell])

  return [state, tell]
}

export const isDiagram = (language: string): boolean => language.toLowerCase() === 'mermaid'

/** Time without changes in milliseconds after which a source counts as whole. */
const settledMs = 300

interface DiagramProps {
  readonly source: string
  /** More tools of its bar. */
  readonly children?: ReactNode
}

export function Diagram({ source, children }: DiagramProps) {
  const box = useRef<HTMLDivElement>(null)
  const near = useNearViewport(box)
  const [settled, setSettled] = useState<string | undefined>(undefined)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(source), settledMs)
    return () => clearTimeout(timer)
  }, [source])
  const draws = near && source.trim() !== '' && source.length <= largestSource
  // A frame takes a browser some milliseconds: many diagrams make theirs one after the other.
  const drawn = useLatestInTurn(draws ? settled : undefined)
  return (
    <div ref={box} className="diagram-box">
      {drawn !== undefined ? (
        <Drawn source={drawn}>{children}</Drawn>
      ) : (
        <CodeBlock code={source} language="mermaid">
          {source.length > largestSource && <span>{t`too large to draw`}</span>}
          {children}
        </CodeBlock>
      )}
    </div>
  )
}

/** Heights of frames by source in pixels, so that a diagram that comes back takes its place at once. */
const heights = new Map<string, number>()
const mostHeights = 100
const tallest = 480

function Drawn({ source, children }: DiagramProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const dark = useDark()
  const [drawing, tell] = useDiagram(frame, source, dark)
  const [asSource, setAsSource] = useState(false)
  const [zoom, setZoom] = useState(1)
  const drawn = drawing.kind === 'drawn' ? drawing : undefined
  const usual = useTextScale()
  const fit = drawn && frame.current ? Math.min(usual, frame.current.clientWidth / drawn.width) : usual
  const scale = fit * zoom
  useEffect(() => tell({ kind: 'zoom', scale }), [tell, scale])
  const height = drawn ? Math.min(tallest, Math.ceil(drawn.height * fit)) + 2 : (heights.get(source) ?? 0)
  if (drawn) {
    if (heights.size >= mostHeights) heights.clear()
    heights.set(source, height)
  }

  const toggle = (
    <IconButton label={asSource ? t`Preview` : t`Code`} icon={asSource ? 'image' : 'text'} small onClick={() => setAsSource(!asSource)} />
  )
  const showsSource = asSource || (!drawn && height === 0) || drawing.kind === 'failed'
  const name = drawn ? drawn.type.replace(/[-_]?v\d+$/i, '') : t`diagram`
  return (
    <>
      {drawing.kind !== 'failed' && (
        <figure className={cx('code diagram', showsSource && 'aside')}>
          <figcaption className="cap">
            {name}
            <span className="code-tools">
              {children}
              {drawn && (
                <>
                  <IconButton label={t`Smaller`} icon="dash" small disabled={zoom <= 0.5} onClick={() => setZoom(zoom / 1.5)} />
                  <IconButton label={t`Larger`} icon="plus" small disabled={zoom >= 5} onClick={() => setZoom(zoom * 1.5)} />
                </>
              )}
              {toggle}
              <CopyButton text={source} label={t`Copy`} />
            </span>
          </figcaption>
          {/* The source has the text of the diagram; the drawing has accTitle and accDescr. */}
          <iframe
            ref={frame}
            src={diagramPath}
            sandbox="allow-scripts"
            referrerPolicy="no-referrer"
            title={t`Diagram: ${(source.trim().split('\n')[0] ?? '').slice(0, 80)}`}
            style={{ height }}
          />
        </figure>
      )}
      {showsSource && (
        <CodeBlock code={source} language="mermaid">
          {drawn ? toggle : children}
        </CodeBlock>
      )}
      {drawing.kind === 'failed' && <p className="help">{tx`It could not be drawn. ${<VisibleText text={drawing.message} />}`}</p>}
    </>
  )
}
