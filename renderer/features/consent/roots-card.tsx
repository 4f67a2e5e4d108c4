// "browser wants to know your folders".
import { useRef } from 'react'
import type { ConsentRequestOf } from '#app/consent/request.ts'
import { anyHidden } from '#renderer/ui/any-hidden.ts'
import { AllowButton, DenyButton } from './answer-buttons.tsx'
import { ArgumentValue } from './argument-list.tsx'
import { AskFrame } from './ask-frame.tsx'
import { allowChord, denyChord } from './request-keys.ts'
import { useAnswer } from './use-answer.ts'
import { useArming } from './use-arming.ts'
import { Why } from './why.tsx'

/** `file:///home/maya/x` as the path that it names; anything else as it is. */
const folderOf = (uri: string): string => {
  if (!uri.startsWith('file:///')) return uri
  try {
    return decodeURIComponent(uri.slice('file://'.length))
  } catch {
    return uri
  }
}

export function RootsCard({ request }: { readonly request: ConsentRequestOf<'roots'> }) {
  const card = useRef<HTMLElement>(null)
  const { busy, answer } = useAnswer(request)
  const folders = request.roots.map((root) => folderOf(root.uri))
  const arming = useArming(card, folders.join('\n'))
  const allow = (): void => {
    if (!busy && arming.mayPress()) answer({ kind: 'allow', scope: 'once' })
  }
  const deny = (): void => answer({ kind: 'deny' })
  return (
    <AskFrame
      request={request}
      card={card}
      onAllow={allow}
      onDeny={deny}
      footer={
        <>
          <AllowButton arming={arming} plain={anyHidden(folders)} blocked={busy} chord={allowChord} onPress={allow}>
            Share with {request.server}
          </AllowButton>
          <DenyButton chord={denyChord} onPress={deny}>
            Don’t share
          </DenyButton>
        </>
      }
    >
      <dl className="args">
        <dt>{folders.length === 1 ? 'folder' : 'folders'}</dt>
        <dd>
          {folders.length === 0 ? (
            <span className="faint">none: {request.server} learns that there are none</span>
          ) : (
            <ArgumentValue at="" value={folders.length === 1 ? (folders[0] ?? '') : folders} />
          )}
        </dd>
      </dl>
      <Why>Servers see the path. What {request.server} can read there is up to its program.</Why>
    </AskFrame>
  )
}
