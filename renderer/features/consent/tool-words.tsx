// What the server says its tool is for: whole, and marked as its own words.

import type { ToolCallRequest } from '#app/consent/request.ts'
import { t } from '#app/words/translate.ts'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { claimSentence } from './claims.ts'

type Words = Pick<ToolCallRequest, 'server' | 'tool' | 'title' | 'description'>

export function ToolWords({ server, tool, title, description }: Words) {
  return (
    <div className="sec">
      <p className="label">
        {tx`What ${<ServerName name={server} />} says of ${(
          <span className="mono">
            <Revealed text={tool} />
          </span>
        )}`}
      </p>
      {title && <Quoted text={title} />}
      {description ? <Quoted text={description} /> : <p className="help">{t`It does not say what it does.`}</p>}
    </div>
  )
}

const Quoted = ({ text }: { readonly text: string }) => (
  <p className="tool-words">
    “<Revealed text={text} />”
  </p>
)

/** Its claims by annotations, as a sentence that says whether they count. */
export function Claims({ request }: { readonly request: ToolCallRequest }) {
  const claim = claimSentence(request)
  return claim === undefined ? null : <Revealed text={` ${claim}`} />
}
