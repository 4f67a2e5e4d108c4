// What changed between two readings of a resource: line by line where both are text, by size where they are not.
import type { ShownContent } from '#app/server/shelf.ts'
import { formatBytes } from '#app/text.ts'
import { t } from '#app/words/translate.ts'
import { DiffView } from '#renderer/features/consent/diff-view.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import type { ReadResource } from './use-reading.ts'

/** Characters of both together that are compared by line. */
const mostCompared = 200_000

export function ChangeView({ before, now }: { readonly before: ReadResource; readonly now: ReadResource }) {
  const uris = [...new Set([...before.contents, ...now.contents].map(({ uri }) => uri))]
  return uris.map((uri) => (
    <ContentChange
      key={uri}
      uri={uri}
      one={uris.length === 1}
      before={before.contents.find((content) => content.uri === uri)}
      now={now.contents.find((content) => content.uri === uri)}
    />
  ))
}

interface ContentChangeProps {
  readonly uri: string
  readonly one: boolean
  readonly before: ShownContent | undefined
  readonly now: ShownContent | undefined
}

function ContentChange({ uri, one, before, now }: ContentChangeProps) {
  if (before?.blob.sha256 === now?.blob.sha256) return null
  const texts = { before: before ? before.text : '', after: now ? now.text : '' }
  const { before: old, after } = texts
  const canCompare = old !== undefined && after !== undefined && old.length + after.length <= mostCompared && !before?.cut && !now?.cut
  return (
    <div className="sec">
      {!one && (
        <span className="label mono">
          <Revealed text={uri} />
        </span>
      )}
      {canCompare ? (
        <DiffView before={old} after={after} label={t`What changed`} />
      ) : (
        <p className="help">
          {tx`${before ? formatBytes(before.blob.bytes) : t`Not there`} before, ${now ? formatBytes(now.blob.bytes) : t`gone`} now. It is not compared line by line.`}
        </p>
      )}
    </div>
  )
}
