// How one is signed in to a server: where, for what, for how long; and out of it, which nothing undoes, so it is asked for once
// more in place. Signing in and out by hand. How a sign-in ends is the server's state or its sign-in line; a failure is said in
// passing only where neither shows it: the server was ready before and still is.
import { useState } from 'react'
import type { HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { useActions, useStores } from '#renderer/stores/store-hooks.tsx'
import { showToast } from '#renderer/stores/view-state.ts'
import { Badge } from '#renderer/ui/badges.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { ServerName } from '#renderer/ui/named-text.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { AddressName } from '#renderer/ui/web-address.tsx'
import { expiryLabel, grantLabels, issuerHost, type SignedInStatus } from './auth-labels.ts'

/** The person's own doing: they know. */
const chosen = new Set<HostErrorCode>(['server.sign-in-refused', 'cancelled', 'consent.withdrawn', 'server.stopped'])

interface SignInActions {
  readonly busy: boolean
  readonly signIn: () => Promise<void>
  readonly signOut: () => Promise<void>
}

function useSignIn({ name, state, signIn }: ServerSummary): SignInActions {
  const { attempt, ask, sayFailure } = useActions()
  const { view } = useStores()
  const [busy, setBusy] = useState(false)
  return {
    busy,
    async signIn() {
      setBusy(true)
      const outcome = await attempt('server.signIn', { name })
      setBusy(false)
      if (!outcome.ok && state.kind === 'ready' && !chosen.has(outcome.error.code)) sayFailure(outcome.error)
    },
    async signOut() {
      setBusy(true)
      const done = await ask('server.signOut', { name })
      setBusy(false)
      if (!done) return
      const issuer = signIn?.kind === 'signed-in' ? issuerHost(signIn.issuer) : t`the sign-in service`
      showToast(
        view,
        done.revoked
          ? t`Signed out of “${name}”. Its tokens were revoked at ${issuer}.`
          : t`Signed out of “${name}”: its tokens are forgotten here. They could not be revoked at ${issuer}, where they end by themselves.`,
      )
    },
  }
}

/** Nothing where nobody asked for a sign-in. What waits for one stands above the tabs. */
export function SignInSection({ server }: { readonly server: ServerSummary }) {
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
  readonly server: ServerSummary
  readonly signIn: SignedInStatus
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
        <dd>{grantLabels[grant]}</dd>
        <dt>{t`Allowed`}</dt>
        <dd>
          {scopes.length === 0 ? (
            <span className="dim">{t`it didn’t say what`}</span>
          ) : (
            <ul className="sign-in-scopes">
              {scopes.map((scope) => (
                <li key={scope} className="mono">
                  <VisibleText text={scope} />
                </li>
              ))}
            </ul>
          )}
        </dd>
        <dt>{t`Lasts`}</dt>
        <dd>{expiryLabel(signIn, now)}</dd>
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
