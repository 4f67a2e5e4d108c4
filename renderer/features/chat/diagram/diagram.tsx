// A fence of `mermaid`: its source, and once it is whole and near the window, what it draws, in a frame that can reach
// neither the page nor the network (`renderer/diagram/frame.ts`). Without a drawing there is always the source.
import { useEffect, useRef, useState } from 'react'
import { diagramPath } from '#app/contract/csp.ts'
import { t } from '#app/words/translate.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/class-names.ts'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { CodeBlock } from '../code/code-block.tsx'
import { largestSource } from './frame-words.ts'
import { useDark } from './use-dark.ts'
import { useDrawing } from './use-drawing.ts'
import { useNear } from './use-near.ts'

export const isDiagram = (language: string): boolean => language.toLowerCase() === 'mermaid'

/** A source may still be growing where nothing says that it is whole. */
const settledMs = 300

export function Diagram({ source }: { readonly source: string }) {
  const box = useRef<HTMLDivElement>(null)
  const near = useNear(box)
  const [settled, setSettled] = useState<string | undefined>(undefined)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(source), settledMs)
    return () => clearTimeout(timer)
  }, [source])
  const draws = near && settled !== undefined && source.trim() !== '' && source.length <= largestSource
  return (
    <div ref={box} className="diagram-box">
      {draws ? (
        <Drawn source={settled} />
      ) : (
        <CodeBlock code={source} language="mermaid">
          {source.length > largestSource && <span>{t`too large to draw`}</span>}
        </CodeBlock>
      )}
    </div>
  )
}

/** Heights of frames by source, so that a diagram that comes back into the list takes its place at once. */
const heights = new Map<string, number>()
const mostHeights = 100
const tallest = 480

function keepHeight(source: string, height: number): void {
  if (heights.size >= mostHeights) heights.clear()
  heights.set(source, height)
}

function Drawn({ source }: { readonly source: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const dark = useDark()
  const [drawing, tell] = useDrawing(frame, source, dark)
  const [asSource, setAsSource] = useState(false)
  const [zoom, setZoom] = useState(1)
  const drawn = drawing.kind === 'drawn' ? drawing : undefined
  const fit = drawn && frame.current ? Math.min(1, frame.current.clientWidth / drawn.width) : 1
  const scale = fit * zoom
  useEffect(() => tell({ kind: 'zoom', scale }), [tell, scale])
  const height = drawn ? Math.min(tallest, Math.ceil(drawn.height * fit)) + 2 : (heights.get(source) ?? 0)
  if (drawn) keepHeight(source, height)

  const toggle = (
    <IconButton
      label={asSource ? t`Show the diagram` : t`Show the source`}
      icon={asSource ? 'image' : 'text'}
      small
      onClick={() => setAsSource(!asSource)}
    />
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
              {drawn && (
                <>
                  <IconButton label={t`Smaller`} icon="dash" small disabled={zoom <= 0.5} onClick={() => setZoom(zoom / 1.5)} />
                  <IconButton label={t`Larger`} icon="plus" small disabled={zoom >= 5} onClick={() => setZoom(zoom * 1.5)} />
                </>
              )}
              {toggle}
              <CopyButton text={source} label={t`Copy source`} />
            </span>
          </figcaption>
          {/* What it says is in the source, one button away; the drawing itself carries accTitle and accDescr. */}
          <iframe
            ref={frame}
            src={diagramPath}
            sandbox="allow-scripts"
            referrerPolicy="no-referrer"
            title={t`Diagram: ${firstLine(source)}`}
            style={{ height }}
          />
        </figure>
      )}
      {showsSource && (
        <CodeBlock code={source} language="mermaid">
          {drawn && toggle}
        </CodeBlock>
      )}
      {drawing.kind === 'failed' && (
        <p className="help">{tx`It could not be drawn, so this is its source. ${<Revealed text={drawing.message} />}`}</p>
      )}
    </>
  )
}

const firstLine = (source: string): string => (source.trim().split('\n')[0] ?? '').slice(0, 80)
