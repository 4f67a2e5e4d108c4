import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import type { BlobRef } from '#app/chat/content.ts'
import { formatBytes } from '#app/text.ts'
import { t } from '#app/words/translate.ts'
import { Spinner } from '#renderer/ui/marks.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { bytesPerRow, hexRow } from './hex-text.ts'
import { useBytes } from './use-bytes.ts'

const rowHeight = 20
/** More rows than browsers can scroll through. */
const mostBytes = 16_000_000

/** Bytes that are nothing a page could draw. Only the rows in sight are in the page. */
export function HexView({ blob }: { readonly blob: BlobRef }) {
  const state = useBytes(blob)
  if (state.kind === 'loading') return <Spinner label={t`Reading the bytes`} />
  if (state.kind === 'gone') return <p className="help">{t`Its bytes are no longer kept. Read it again.`}</p>
  return <HexRows bytes={state.bytes.subarray(0, mostBytes)} whole={state.bytes.length} />
}

function HexRows({ bytes, whole }: { readonly bytes: Uint8Array; readonly whole: number }) {
  const box = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: Math.ceil(bytes.length / bytesPerRow),
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    initialRect: { width: 600, height: 420 },
  })
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be in reach of the keyboard */}
      <section ref={box} className="hex" tabIndex={0} aria-label={t`Bytes`}>
        <div style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const { at, hex, letters } = hexRow(bytes, index)
            return (
              <div key={index} className="hex-row" style={{ transform: `translateY(${start}px)` }}>
                <span className="faint">{at}</span>
                <span className="hex-bytes">{hex}</span>
                <span>{letters}</span>
              </div>
            )
          })}
        </div>
      </section>
      {whole > bytes.length && <p className="help">{tx`This is the beginning, ${formatBytes(bytes.length)}.`}</p>}
    </>
  )
}
