// "3 servers of Cursor are to be added": each with its exact command, before anything of them is written. A yes writes
// them; their launches are asked for one by one.
import { useRef } from 'react'
import type { ConfigImportRequest } from '#app/consent/request.ts'
import { anyHidden } from '#renderer/ui/any-hidden.ts'
import { Badge, ServerMark } from '#renderer/ui/marks.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { AllowButton, DenyButton } from './answer-buttons.tsx'
import { AskFrame } from './ask-frame.tsx'
import { CommandLine } from './command-line.tsx'
import { ChangedParts } from './diff-view.tsx'
import { launchDiff } from './launch-diff.ts'
import { allowChord, denyChord } from './request-keys.ts'
import { useAnswer } from './use-answer.ts'
import { useArming } from './use-arming.ts'
import { Why } from './why.tsx'

type Imported = ConfigImportRequest['servers'][number]

export function ConfigImportCard({ request }: { readonly request: ConfigImportRequest }) {
  const card = useRef<HTMLElement>(null)
  const { busy, answer } = useAnswer(request)
  const { servers } = request
  const arming = useArming(card, request.id)
  const hidden = anyHidden(JSON.parse(JSON.stringify(servers)))
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
          <AllowButton arming={arming} plain={hidden} blocked={busy} chord={allowChord} onPress={allow}>
            {servers.length === 1 ? 'Take it over' : `Take over ${servers.length} servers`}
          </AllowButton>
          <DenyButton chord={denyChord} onPress={deny}>
            Don’t take over
          </DenyButton>
        </>
      }
    >
      {hidden && (
        <Notice tone="bad" title="They hold a character that can’t be seen.">
          It is spelled out where it stands. Take it over only if you know why it is there.
        </Notice>
      )}
      {servers.map((server) => (
        <ImportedServer key={server.name} server={server} />
      ))}
      <Why>
        You asked for it. They are written to servers.json, and nothing starts: each is asked for by itself before it first runs. If you
        refuse, nothing is written.
      </Why>
    </AskFrame>
  )
}

function ImportedServer({ server: { name, from, file, target, secrets, replaces } }: { readonly server: Imported }) {
  return (
    <section className="stack" aria-label={name}>
      <div className="row wrap">
        <ServerMark name={name} />
        <b>
          <Revealed text={name} />
        </b>
        {replaces ? <Badge tone="warn">replaces the one here</Badge> : null}
        {secrets.length > 0 ? <Badge>{secrets.length === 1 ? '1 secret' : `${secrets.length} secrets`} into the secret store</Badge> : null}
        <span className="help mono wrap-any">
          {from}: <Revealed text={file} />
        </span>
      </div>
      {target ? <CommandLine target={target} /> : <p className="help">It comes with Assent.</p>}
      {replaces?.target && target ? <ChangedParts parts={launchDiff(replaces.target, target).changed} /> : null}
    </section>
  )
}
