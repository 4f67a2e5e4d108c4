// The sign-in of a server: its state, its end, and signing in and out by hand. Signing out cannot be undone, so it is asked for
// once more in place. A failed sign-in shows as the server's state; only for a server that was ready, and still is, a passing
// message says it.

import { useState } from 'react'
import type { HostErrorCode } from '#app/errors.ts'
import { formatWait } from '#app/i18n/format-dates.ts'
import { t } from '#app/i18n/translate.ts'
import type { SignInStatus } from '#app/server/auth-status.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Badge } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { WarnNotice } from '#renderer/ui/notice.tsx'
import { Fact, Section } from '#renderer/ui/text/section.tsx'
import { AddressName, addressHost, VisibleText } from '#renderer/ui/visible-text.tsx'
import { grantNames } from '../edit/oauth-form.ts'

/** Failures that the person caused themselves. */
const chosen = new Set<HostErrorCode>(['server.sign-in-refused', 'cancelled', 'consent.withdrawn', 'server.stopped'])

type SignInActions = ReturnType<typeof useSignIn>

function useSignIn({ name, state, signIn }: ServerSummary) {
  const { attempt, ask, sayFailure, toast } = useActions()
  const [busy, setBusy] = useState(false)
  return {
    busy,
    async signIn(): Promise<void> {
      setBusy(true)
      const outcome = await attempt('server.signIn', { name })
      setBusy(false)
      if (!outcome.ok && state.kind === 'ready' && !chosen.has(outcome.error.code)) sayFailure(outcome.error)
    },
    async signOut(): Promise<void> {
      setBusy(true)
      const done = await ask('server.signOut', { name })
      setBusy(false)
      if (!done || done.revoked) return
      const issuer = signIn?.kind === 'signed-in' ? addressHost(signIn.issuer) : t`the sign-in service`
      toast(t`Signed out of “${name}”. Its tokens could not be revoked at ${issuer}.`)
    },
  }
}

/** Account of a server in a line about it; nothing where none is known. */
export function AccountWord({ server: { signIn } }: { readonly server: ServerSummary }) {
  const name = signIn?.kind === 'signed-in' ? signIn.account?.name : undefined
  return name === undefined ? null : <span className="cut">{tx`as ${<VisibleText className="account-name" text={name} />}`}</span>
}

/** Draws nothing for a server without a sign-in; one that waits stands above the tabs. */
export function SignInSection({ server }: { readonly server: ServerSummary }) {
  const actions = useSignIn(server)
  const { signIn } = server
  if (signIn?.kind === 'signed-in') return <In server={server} signIn={signIn} actions={actions} />
  if (signIn?.kind === 'signed-out')
    return (
      <Section title={t`Sign-in`}>
        <p className="dim">{t`Not signed in.`}</p>
        <p className="row wrap">
          <SmallButton
            aria-disabled={actions.busy || !server.definition.enabled}
            onClick={() => !actions.busy && server.definition.enabled && void actions.signIn()}
          >
            {t`Sign in`}
          </SmallButton>
        </p>
      </Section>
    )
  return null
}

interface InProps {
  readonly server: ServerSummary
  readonly signIn: SignedInStatus
  readonly actions: SignInActions
}

function In({ server: { name }, signIn, actions }: InProps) {
  const now = useNow(30_000)
  const [asked, setAsked] = useState(false)
  const { issuer, scopes, grant, dpop, account } = signIn
  return (
    <section className="sec" aria-label={t`Sign-in`}>
      <h3>{t`Sign-in`}</h3>
      <dl className="kv">
        {account?.name === undefined ? null : (
          <Fact label={t`Account`}>
            <VisibleText className="account-name" text={account.name} />{' '}
            <span className="dim">{account.signed ? t`signed by the issuer` : t`claimed, not signed`}</span>
          </Fact>
        )}
        <Fact label={t`Signed in at`}>
          <AddressName url={issuer} />
        </Fact>
        <Fact label={t`Method`}>{grantNames[grant]}</Fact>
        <Fact label={t`Allowed`}>
          {scopes.length === 0 ? (
            <span className="dim">{t`not known`}</span>
          ) : (
            <ul className="sign-in-scopes">
              {scopes.map((scope) => (
                <VisibleText as="li" key={scope} className="mono" text={scope} />
              ))}
            </ul>
          )}
        </Fact>
        <Fact label={t`Expires`}>{expiryLabel(signIn, now)}</Fact>
        {dpop ? (
          <Fact label={t`Bound`}>
            <Badge>{'DPoP'}</Badge>
          </Fact>
        ) : null}
      </dl>
      {asked ? (
        <SignOutQuestion name={name} issuer={issuer} actions={actions} onKeep={() => setAsked(false)} />
      ) : (
        <p className="row wrap">
          <SmallButton aria-disabled={actions.busy} onClick={() => !actions.busy && setAsked(true)}>
            {t`Sign out`}
          </SmallButton>
          {grant === 'authorization-code' ? (
            <SmallGhostButton aria-disabled={actions.busy} onClick={() => !actions.busy && void actions.signIn()}>
              {t`Sign in as someone else`}
            </SmallGhostButton>
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
    <WarnNotice
      title={t`Sign out of “${name}”?`}
      action={
        <span className="row wrap">
          <SmallButton danger aria-disabled={busy} onClick={() => !busy && void signOut().then(onKeep)}>
            {t`Sign out`}
          </SmallButton>
          <SmallGhostButton autoFocus onClick={onKeep}>
            {t`Cancel`}
          </SmallGhostButton>
        </span>
      }
    >
      {tx`Its tokens are revoked at ${addressHost(issuer)}.`}
    </WarnNotice>
  )
}

export type SignedInStatus = Extract<SignInStatus, { kind: 'signed-in' }>

/** End of a sign-in, and what happens then. */
export function expiryLabel({ expiresAt, refreshable, grant }: SignedInStatus, now: number): string {
  // Without a person there is nothing to ask: a new token is fetched like the first one.
  const renewed = refreshable || grant !== 'authorization-code'
  if (expiresAt === undefined) return renewed ? t`renewed automatically` : t`not known`
  if (expiresAt <= now) return renewed ? t`renewed automatically` : t`expired`
  return renewed ? t`renewed automatically` : t`ends in ${formatWait(expiresAt - now)}`
}
