// How artifacts stand in an answer: long pages, drawings, tables and texts as a card; all other code as it is, with "Open" in its bar.
// Nothing of them runs here.

import { type ReactNode, useMemo } from 'react'
import { t } from '#app/i18n/translate.ts'
import { useShallow, useStores, useTranscript, useView } from '#renderer/stores/store-hooks.tsx'
import type { ArtifactPlace } from '#renderer/stores/view-state.ts'
import { SmallGhostButton } from '#renderer/ui/button.tsx'
import { Icon, type IconName, Spinner } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { FenceDrawer, type TopFence } from '../markdown/markdown.tsx'
import { type ArtifactBlock, type ArtifactKind, artifactAt, artifactsOf, hasCard, isSamePlace, readArtifact } from './find-artifacts.ts'
import './artifacts.css'

const labels: Readonly<Record<Exclude<ArtifactKind, 'code'>, string>> = {
  html: 'HTML',
  svg: 'SVG',
  mermaid: 'Mermaid',
  csv: 'CSV',
  markdown: 'Markdown',
}
const icons: Readonly<Record<ArtifactKind, IconName>> = {
  html: 'code',
  svg: 'image',
  mermaid: 'flow',
  csv: 'text',
  markdown: 'file',
  code: 'code',
}

export const kindLabel = ({ kind, language }: Pick<ArtifactBlock, 'kind' | 'language'>): string =>
  kind === 'code' ? language || t`Code` : labels[kind]

interface Placed {
  readonly conversationId: string
  readonly place: ArtifactPlace
}

/** Whether the pane shows this block, and a function that opens it there. */
function useOpening({ conversationId, place }: Placed): readonly [isOpen: boolean, open: () => void] {
  const { view } = useStores()
  const isOpen = useView(({ artifact }) => artifact?.conversationId === conversationId && isSamePlace(artifact, place))
  return [isOpen, () => view.setState({ artifact: { conversationId, ...place } })]
}

function OpenArtifact(placed: Placed) {
  const [isOpen, open] = useOpening(placed)
  return (
    <SmallGhostButton data-artifact={`${placed.place.messageId} ${placed.place.start}`} aria-pressed={isOpen} onClick={open}>
      {t`Open`}
    </SmallGhostButton>
  )
}

function ArtifactCard({ block, ...placed }: Placed & { readonly block: ArtifactBlock }) {
  const { conversationId, place } = placed
  const [isOpen, open] = useOpening(placed)
  const { title, version = 1 } = useTranscript(
    conversationId,
    useShallow((transcript) => {
      const found = artifactAt(artifactsOf(transcript), place)
      return { title: found?.artifact.versions[found.index]?.title, version: (found?.index ?? 0) + 1 }
    }),
  ) ?? { title: block.title }
  const label = kindLabel(block)
  return (
    <button
      type="button"
      className="artifact-card"
      aria-pressed={isOpen}
      data-artifact={`${place.messageId} ${place.start}`}
      onClick={open}
    >
      <span className="kind">
        <Icon name={icons[block.kind]} />
      </span>
      <span className="words">
        <VisibleText as="b" text={title ?? label} />
        <span className="dim">
          {title === undefined ? null : `${label} · `}
          {version > 1 ? tx`version ${version}` : tx`${block.lines} {line|lines}`}
        </span>
      </span>
      {block.closed ? <span className="dim">{t`Open`}</span> : <Spinner label={t`being written`} />}
    </button>
  )
}

interface WithArtifactsProps {
  readonly conversationId: string
  readonly messageId: string
  readonly part: number
  readonly children: ReactNode
}

/** Draws artifacts in the Markdown of one part of an answer. */
export function WithArtifacts({ conversationId, messageId, part, children }: WithArtifactsProps) {
  const drawer = useMemo(
    () => (fence: TopFence) => {
      const block = readArtifact({ ...fence, closed: !fence.growing })
      if (!block) return undefined
      const placed = { conversationId, place: { messageId, part, start: fence.start } }
      return hasCard(block) ? { instead: <ArtifactCard block={block} {...placed} /> } : { tools: <OpenArtifact {...placed} /> }
    },
    [conversationId, messageId, part],
  )
  return <FenceDrawer value={drawer}>{children}</FenceDrawer>
}
