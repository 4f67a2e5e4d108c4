// A tool call as one line; opened, everything about it.
import { memo, useId, useState } from 'react'
import type { ToolCall } from '#app/chat/message.ts'
import { t } from '#app/words/translate.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/class-names.ts'
import { Icon } from '#renderer/ui/icon.tsx'
import { ServerMark, Track } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { useNow } from '#renderer/ui/use-now.ts'
import { CallMark } from './call-mark.tsx'
import { CallMore } from './call-more.tsx'
import { CallOverdue } from './call-overdue.tsx'
import { callWords, elsewhereNote, mainArguments, progressPart } from './call-words.ts'
import { ownCallNote, ownCallTitle } from './own-call-words.ts'

interface CallRowProps {
  readonly conversationId: string
  readonly call: ToolCall
  /** The server asks the person something in its course. */
  readonly asking?: boolean
}

export const CallRow = memo(function CallRow({ conversationId, call, asking }: CallRowProps) {
  const actions = useActions()
  const [open, setOpen] = useState(false)
  const moreId = useId()
  const { state } = call
  const running = state.kind === 'running'
  const overdue = running && !asking ? state.overdue : undefined
  const now = useNow(1000, running)
  const words = callWords(state, now, asking)
  const { mark, tone } = words
  const elsewhere = elsewhereNote(call)
  const ofItself = call.own ? (ownCallNote(call) ?? words.note) : elsewhere
  const { aside, note } = ofItself === undefined ? words : { aside: '', note: ofItself }
  const part = running && !asking ? progressPart(state.progress) : undefined
  const server = call.ranAt?.name ?? (call.own ? t`Assent` : (call.server ?? (elsewhere === undefined ? t`no server` : t`elsewhere`)))
  const tool = call.own ? ownCallTitle(call) : (call.tool ?? call.modelName)
  return (
    <div className="call-box" data-call={call.id}>
      <button
        type="button"
        className={cx('call', call.own && 'own', tone === 'you' && 'you', tone === 'bad' && 'bad', running && !overdue && 'can-stop')}
        aria-expanded={open}
        aria-controls={moreId}
        onClick={() => setOpen(!open)}
      >
        <CallMark mark={mark} />
        <span className="who">
          <ServerMark name={server} />
          <span>{server}</span>
          <b>
            <Revealed text={tool} />
          </b>
        </span>
        <span className="arg">
          <Revealed text={mainArguments(call)} />
        </span>
        <span className={cx('meta', tone === 'warn' && 'warntext')}>
          {part !== undefined && <Track part={part} label={t`Progress of “${tool}”`} />}
          {aside && (
            <>
              <span className="aside cut">
                <Revealed text={aside} />
              </span>
              <span className="aside"> · </span>
            </>
          )}
          <span className="note cut">{note}</span>
        </span>
        {running && !overdue ? <span /> : <Icon name={open ? 'chevron-down' : 'chevron-right'} small />}
      </button>
      {running && !overdue && (
        <IconButton
          label={t`Stop “${tool}”`}
          icon="close"
          small
          className="call-stop"
          onClick={() => actions.cancelCall(conversationId, call.id)}
        />
      )}
      {overdue && <CallOverdue conversationId={conversationId} callId={call.id} tool={tool} overdue={overdue} now={now} />}
      <div id={moreId} hidden={!open}>
        {open && <CallMore call={call} />}
      </div>
    </div>
  )
})
