// One that waits, as a line of the list: who asks for what and since when, with a box to tick where it may be answered
// together with others.
import type { ConsentRequest, ToolCallRequest } from '#app/consent/request.ts'
import { consentPieces, consentSentence } from '#app/consent/sentence.ts'
import { t } from '#app/words/translate.ts'
import { leftWords } from '#renderer/features/consent/time-left.tsx'
import { hrefOf } from '#renderer/router.ts'
import { Checkbox } from '#renderer/ui/choices.tsx'
import { Badge, ServerMark } from '#renderer/ui/marks.tsx'
import { Pieces } from '#renderer/ui/pieces.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { briefArguments, type Tick } from './batch.ts'
import { sinceWords } from './since-words.ts'

interface RequestItemProps {
  readonly request: ConsentRequest
  readonly selected: boolean
  readonly now: number
  /** Undefined: it waits alone, there is nothing to tick it with. */
  readonly tick: { readonly may: Tick; readonly on: boolean; readonly set: (on: boolean) => void } | undefined
}

const tickHelp: Record<Tick['kind'], string> = {
  may: '',
  unread: t`Open it first: there is more of it than fits here.`,
  alone: t`It has to be read by itself.`,
}

export function RequestItem({ request, selected, now, tick }: RequestItemProps) {
  const { id, server } = request
  const sentence = consentSentence(request)
  const helpId = `tick-${id}`
  return (
    <li className="request-item" data-listed={id}>
      {tick && request.kind === 'tool-call' && (
        <Checkbox
          checked={tick.on}
          disabled={tick.may.kind !== 'may'}
          describedBy={helpId}
          label={
            <span className="sr">
              <Revealed text={t`Select: ${sentence}, ${briefArguments(request).text}`} />
            </span>
          }
          onChange={tick.set}
        />
      )}
      <a className="item" href={hrefOf({ page: 'requests', id })} aria-current={selected ? 'true' : undefined}>
        <ServerMark name={server} />
        <span className="t">
          <Pieces pieces={consentPieces(request)} plain="" />
        </span>
        <span className="when num">{sinceWords(request.createdAt, now)}</span>
        <span className="d">
          <Detail request={request} now={now} />
        </span>
      </a>
      {tick && (
        <span id={helpId} className={tick.may.kind === 'may' ? 'sr' : 'help'}>
          {tickHelp[tick.may.kind]}
        </span>
      )}
    </li>
  )
}

function Detail({ request, now }: { readonly request: ConsentRequest; readonly now: number }) {
  return (
    <>
      {request.kind === 'tool-call' && <Call request={request} />}
      {request.kind === 'launch' && <span className="mono cut">{request.target.transport === 'stdio' ? request.target.command : ''}</span>}
      {request.expiresAt !== undefined && <Badge tone="warn">{tx`waits ${leftWords(request.expiresAt - now)} more`}</Badge>}
    </>
  )
}

function Call({ request }: { readonly request: ToolCallRequest }) {
  const { text } = briefArguments(request)
  return (
    <>
      {request.why.kind === 'tool-changed' && <Badge tone="warn">{t`changed`}</Badge>}
      {request.why.kind === 'flow' && <Badge tone="warn">{t`from elsewhere`}</Badge>}
      <span className="mono brief-arguments">{text === '' ? t`no arguments` : <Revealed text={text} />}</span>
    </>
  )
}
