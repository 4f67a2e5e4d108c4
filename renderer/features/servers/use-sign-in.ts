// Signing in and out by hand. How a sign-in ends is the server's state or its sign-in line; a failure is said in passing
// only where neither shows it: the server was ready before and still is.
import { useState } from 'react'
import type { HostErrorCode } from '#app/errors.ts'
import type { ServerView } from '#app/server/view.ts'
import { t } from '#app/words/translate.ts'
import { useActions, useStores } from '#renderer/stores/react.tsx'
import { showToast } from '#renderer/stores/view.ts'
import { issuerHost } from './sign-in-words.ts'

/** The person's own doing: they know. */
const chosen = new Set<HostErrorCode>(['server.sign-in-refused', 'cancelled', 'consent.withdrawn', 'server.stopped'])

export interface SignInActions {
  readonly busy: boolean
  readonly signIn: () => Promise<void>
  readonly signOut: () => Promise<void>
}

export function useSignIn({ name, state, signIn }: ServerView): SignInActions {
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
