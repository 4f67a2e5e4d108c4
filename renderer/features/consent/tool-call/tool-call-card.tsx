// The card of a tool call: what would be sent, why it is asked, the ways to answer. Its sheet shows the same at length.
import { useRef, useState } from 'react'
import type { ToolCallRequest } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { nextRequestChord } from '#renderer/navigation/shortcuts.ts'
import { navigate } from '#renderer/router.ts'
import { useConsent } from '#renderer/stores/store-hooks.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Badge } from '#renderer/ui/icon.tsx'
import { ChordKeys } from '#renderer/ui/lib/key-chords.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { AllowButton, DenyButton, UnfoldButton } from '../request/answer-buttons.tsx'
import { ConsentRequestFrame, useWhyLabel, WhyAsked } from '../request/request-frame.tsx'
import { reviewChord } from '../request/request-keys.ts'
import { ScopeChoice, scopeLabel } from '../request/scope-choice.tsx'
import { ArgumentList } from './argument-list.tsx'
import { ChangedText, ChangedTool, DenyForLong, EditedByYou, HiddenCharacter, OpenEditor } from './edit-parts.tsx'
import { TaintMarks } from './taint-marks.tsx'
import { TaintNotes } from './taint-notes.tsx'
import { useToolDecision } from './use-tool-decision.ts'

type Open = 'nothing' | 'scopes' | 'word'

export function ToolCallCard({ request }: { readonly request: ToolCallRequest }) {
  const card = useRef<HTMLElement>(null)
  const [open, setOpen] = useState<Open>('nothing')
  const more = useConsent((state) => state.requests.some((one) => one.id !== request.id))
  const decision = useToolDecision(request, { place: card, look: open })
  const { arming, blocked, scope } = decision
  const plain = decision.hidden || decision.changed
  const editing = decision.text !== undefined
  const toggle = (what: Open): void => setOpen(open === what ? 'nothing' : what)
  const { id, conversationId } = request
  const why = useWhyLabel(request)
  const review = conversationId === undefined ? undefined : () => navigate({ page: 'chat', id: conversationId, review: id })

  const footer = (
    <>
      {open === 'scopes' && <ScopeChoice request={request} value={scope} offer={decision.offer} onChange={decision.setScope} />}
      {open === 'word' && <DenyForLong request={request} decision={decision} onCancel={() => setOpen('nothing')} />}
      {open !== 'word' && (
        <>
          <span className={decision.onceOnly ? '' : 'joined'}>
            <AllowButton
              arming={arming}
              plain={plain}
              blocked={blocked}
              className={decision.onceOnly ? '' : 'join'}
              onPress={() => decision.allow()}
            >
              {scopeLabel(scope.choice)}
            </AllowButton>
            {!decision.onceOnly && <UnfoldButton plain={plain} open={open === 'scopes'} onPress={() => toggle('scopes')} />}
          </span>
          <DenyButton onPress={() => decision.deny()} />
          <Button variant="ghost" className={open === 'scopes' ? undefined : 'wide-only'} onClick={() => toggle('word')}>
            {t`Deny with a word or a rule…`}
          </Button>
          <span className="grow" />
          {more && <span className="help next-hint">{tx`${<ChordKeys chord={nextRequestChord} />} next request`}</span>}
        </>
      )}
    </>
  )

  return (
    <ConsentRequestFrame
      request={request}
      card={card}
      beside={
        <Badge mono className="wide-only">
          <VisibleText text={request.tool} />
        </Badge>
      }
      headActions={
        <>
          {!editing && <IconButton label={t`Edit the arguments (E)`} icon="edit" small data-focus-back="" onClick={decision.edit} />}
          {review && (
            <Button variant="ghost" size="sm" onClick={review}>
              {tx`Review ${<ChordKeys chord={reviewChord} />}`}
            </Button>
          )}
        </>
      }
      footer={footer}
      onAllow={decision.allow}
      onAllowHere={decision.allowHere}
      onDeny={() => decision.deny()}
      onEdit={decision.edit}
      onReview={review}
    >
      <ChangedTool request={request} decision={decision} />
      {editing ? (
        <OpenEditor request={request} decision={decision} rows={14} />
      ) : (
        <TaintMarks request={request} shown={decision.shown}>
          <ArgumentList value={decision.shown} />
        </TaintMarks>
      )}
      <TaintNotes request={request} />
      <EditedByYou decision={decision} />
      <HiddenCharacter decision={decision} />
      {decision.changed && <ChangedText request={request} />}
      {/* The frame already says that a view asks. */}
      {request.why.kind !== 'view-asks' && <WhyAsked>{why}</WhyAsked>}
    </ConsentRequestFrame>
  )
}
