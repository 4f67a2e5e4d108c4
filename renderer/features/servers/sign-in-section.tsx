// How one is signed in to a server: where, for what, for how long; and out of it, which nothing undoes, so it is asked
// for once more in place.

import { useState } from 'react'
import type { ServerView } from '#app/server/view.ts'
import { t } from '#app/words/translate.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Badge } from '#renderer/ui/marks.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { ServerName } from '#renderer/ui/pieces.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { useNow } from '#renderer/ui/use-now.ts'
import { AddressName } from '#renderer/ui/web-address.tsx'
import { expiryWords, grantWords, issuerHost, type SignedIn } from './sign-in-words.ts'
import { type SignInActions, useSignIn } from './use-sign-in.ts'

/** Nothing where nobody asked for a sign-in. What waits for one stands above the tabs. */
export function SignInSection({ server }: { readonly server: ServerView }) {
  const actions = useSignIn(server)
  const { signIn } = server
  if (signIn?.kind === 'signed-in') return <In server={server} signIn={signIn} actions={actions} />
  if (signIn?.kind === 'signed-out') return <Out actions={actions} enabled={server.definition.enabled} />
  return null
}

function Out({ actions, enabled }: { readonly actions: SignInActions; readonly enabled: boolean }) {
  return (
    <section className="sec">
      <h3>{t`Sign-in`}</h3>
      <p className="dim">{t`You are not signed in. It asks when it is needed, or now:`}</p>
      <p className="row wrap">
        <Button size="sm" aria-disabled={actions.busy || !enabled} onClick={() => !actions.busy && enabled && void actions.signIn()}>
          {t`Sign in`}
        </Button>
      </p>
    </section>
  )
}

interface InProps {
  readonly server: ServerView
  readonly signIn: SignedIn
  readonly actions: SignInActions
}

function In({ server: { name }, signIn, actions }: InProps) {
  const now = useNow(30_000)
  const [asked, setAsked] = useState(false)
  const { issuer, scopes, grant, dpop } = signIn
  return (
    <section className="sec" aria-label={t`Sign-in`}>
      <h3>{t`Sign-in`}</h3>
      <dl className="kv">
        <dt>{t`Signed in at`}</dt>
        <dd>
          <AddressName url={issuer} />
        </dd>
        <dt>{t`How`}</dt>
        <dd>{grantWords[grant]}</dd>
        <dt>{t`Allowed`}</dt>
        <dd>
          {scopes.length === 0 ? (
            <span className="dim">{t`it didn’t say what`}</span>
          ) : (
            <ul className="sign-in-scopes">
              {scopes.map((scope) => (
                <li key={scope} className="mono">
                  <Revealed text={scope} />
                </li>
              ))}
            </ul>
          )}
        </dd>
        <dt>{t`Lasts`}</dt>
        <dd>{expiryWords(signIn, now)}</dd>
        {dpop ? (
          <>
            <dt>{t`Bound`}</dt>
            <dd>
              <Badge>{t`DPoP`}</Badge> <span className="dim">{t`to a key of this computer: a stolen token is of no use elsewhere`}</span>
            </dd>
          </>
        ) : null}
      </dl>
      {asked ? (
        <SignOutQuestion name={name} issuer={issuer} actions={actions} onKeep={() => setAsked(false)} />
      ) : (
        <p className="row wrap">
          <Button size="sm" aria-disabled={actions.busy} onClick={() => !actions.busy && setAsked(true)}>
            {t`Sign out…`}
          </Button>
          {grant === 'authorization-code' ? (
            <Button size="sm" variant="ghost" aria-disabled={actions.busy} onClick={() => !actions.busy && void actions.signIn()}>
              {t`Sign in as someone else`}
            </Button>
          ) : null}
        </p>
      )}
    </section>
  )
}

interface SignOutQuestionProps {
  readonly name: string
  readonly issuer: string
  readonly actions: SignInActions
  readonly onKeep: () => void
}

function SignOutQuestion({ name, issuer, actions: { busy, signOut }, onKeep }: SignOutQuestionProps) {
  return (
    <Notice
      tone="warn"
      title={t`Sign out of “${name}”?`}
      action={
        <span className="row wrap">
          <Button size="sm" danger aria-disabled={busy} onClick={() => !busy && void signOut().then(onKeep)}>
            {t`Sign out`}
          </Button>
          <Button size="sm" variant="ghost" autoFocus onClick={onKeep}>
            {t`Stay signed in`}
          </Button>
        </span>
      }
    >
      {tx`Its tokens are revoked at ${issuerHost(issuer)}, where that can be done, and forgotten here. This can’t be undone: to use ${<ServerName name={name} />} again, you sign in again.`}
    </Notice>
  )
}
