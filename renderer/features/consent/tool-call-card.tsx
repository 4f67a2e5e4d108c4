// "files wants to move a file": what would be sent, why it is asked, and the ways to answer.
import { useRef, useState } from 'react'
import type { ConsentScope, ToolCallRequest } from '#app/consent/request.ts'
import { whySentence } from '#app/consent/sentence.ts'
import type { JsonObject } from '#app/json.ts'
import { nextRequestChord } from '#renderer/shell/shortcuts.ts'
import { useConsent } from '#renderer/stores/react.tsx'
import { anyHidden } from '#renderer/ui/any-hidden.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Keys } from '#renderer/ui/keys.tsx'
import { Badge } from '#renderer/ui/marks.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { AllowButton, DenyButton } from './answer-buttons.tsx'
import { ArgumentEditor } from './argument-editor.tsx'
import { ArgumentList } from './argument-list.tsx'
import { AskFrame, allowChord, denyChord } from './ask-frame.tsx'
import { DenyWord } from './deny-word.tsx'
import { ScopeChoice, scopeLabel } from './scope-choice.tsx'
import { ToolReview } from './tool-review.tsx'
import { useAnswer } from './use-answer.ts'
import { useArming } from './use-arming.ts'
import { Why } from './why.tsx'

type Open = 'nothing' | 'scopes' | 'word'

export function ToolCallCard({ request }: { readonly request: ToolCallRequest }) {
  const card = useRef<HTMLElement>(null)
  const { busy, answer } = useAnswer(request)
  const [edited, setEdited] = useState<JsonObject | undefined>(undefined)
  const [editing, setEditing] = useState(false)
  const [reviewing, setReviewing] = useState(false)
  const [open, setOpen] = useState<Open>('nothing')
  const [scope, setScope] = useState<ConsentScope>('once')
  const more = useConsent((state) => state.requests.some((one) => one.id !== request.id))
  const shown = edited ?? request.arguments
  const arming = useArming(card, `${request.argumentsText} ${request.fingerprint} ${JSON.stringify(edited)} ${editing} ${open}`)
  const hidden = anyHidden(shown)
  const changed = request.why.kind === 'tool-changed'
  const blocked = busy || editing

  const allow = (chosen: ConsentScope): void => {
    if (blocked || !arming.mayPress()) return
    answer({ kind: 'allow', scope: chosen, ...(edited && { arguments: edited }) })
  }
  const deny = (): void => answer({ kind: 'deny' })
  const toggle = (what: Open): void => setOpen(open === what ? 'nothing' : what)
  const here = request.conversationId === undefined ? undefined : () => allow('conversation')

  const footer = (
    <>
      {open === 'scopes' && <ScopeChoice request={request} value={scope} onChange={setScope} />}
      {open === 'word' && (
        <DenyWord onDeny={(word) => answer({ kind: 'deny', ...(word && { word }) })} onCancel={() => setOpen('nothing')} />
      )}
      {open !== 'word' && (
        <>
          <span className="joined">
            <AllowButton
              arming={arming}
              plain={hidden || changed}
              blocked={blocked}
              chord={allowChord}
              className="join"
              onPress={() => allow(scope)}
            >
              {scopeLabel(scope)}
            </AllowButton>
            <IconButton
              label="Other ways to allow"
              icon={open === 'scopes' ? 'chevron-up' : 'chevron-down'}
              small
              className={hidden || changed ? 'unfold' : 'unfold primary'}
              aria-expanded={open === 'scopes'}
              onClick={() => toggle('scopes')}
            />
          </span>
          <DenyButton chord={denyChord} onPress={deny} />
          <Button variant="ghost" className={open === 'scopes' ? undefined : 'wide-only'} onClick={() => toggle('word')}>
            Deny with a word…
          </Button>
          <span className="grow" />
          {more && (
            <span className="help wide-only">
              <Keys chord={nextRequestChord} /> next request
            </span>
          )}
        </>
      )}
    </>
  )

  return (
    <AskFrame
      request={request}
      card={card}
      beside={
        <Badge mono className="wide-only">
          <Revealed text={request.tool} />
        </Badge>
      }
      headActions={
        <>
          {!editing && <IconButton label="Edit the arguments (E)" icon="edit" small onClick={() => setEditing(true)} />}
          <Button variant="ghost" size="sm" aria-expanded={reviewing} onClick={() => setReviewing(!reviewing)}>
            Review <Keys chord={{ key: 'r' }} />
          </Button>
        </>
      }
      footer={footer}
      onAllow={() => allow(scope)}
      onAllowHere={here}
      onDeny={deny}
      onEdit={() => setEditing(true)}
      onReview={() => setReviewing(!reviewing)}
    >
      {changed && (
        <Notice tone="warn" title={`${request.server} changed this tool.`}>
          Read what it is for now. What you allowed before no longer counts.
        </Notice>
      )}
      {editing ? (
        <ArgumentEditor
          value={shown}
          schema={request.inputSchema}
          onUse={(value) => {
            setEdited(value)
            setEditing(false)
          }}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <ArgumentList value={shown} />
      )}
      {edited && !editing && (
        <p className="row">
          <Badge tone="ink">edited by you</Badge>
          <Button size="sm" variant="ghost" onClick={() => setEdited(undefined)}>
            Back to what the model wrote
          </Button>
        </p>
      )}
      {hidden && (
        <Notice tone="bad" title="An argument holds a character that can’t be seen.">
          It is spelled out where it stands. Allow it only if you know why it is there.
        </Notice>
      )}
      {(reviewing || changed) && <ToolReview request={request} edited={edited} />}
      <Why>{whySentence(request.why)}</Why>
    </AskFrame>
  )
}
