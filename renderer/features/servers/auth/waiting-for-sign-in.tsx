// A sign-in that the person consented to: what the browser is open for. A browser on another
// computer than Assent cannot come back by itself, so the address where it ended can be pasted.

import { useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { useActions, useConsent } from '#renderer/stores/store-hooks.tsx'
import { Button, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Field, SubmitForm, TextInput } from '#renderer/ui/field.tsx'
import { Spinner } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useSubmit } from '#renderer/ui/lib/use-host-answer.ts'
import { useNow } from '#renderer/ui/lib/use-now.ts'
import { AddressName, ServerName } from '#renderer/ui/visible-text.tsx'
import { roughDuration } from '../status/state-labels.ts'

export function SignInWaiting({ server }: { readonly server: ServerSummary }) {
  const { name, signIn, state } = server
  const asked = useConsent((all) => all.requests.some((one) => one.kind === 'sign-in' && one.server === name))
  if (asked) return null
  if (signIn?.kind === 'waiting') return <InTheBrowser key={signIn.url} name={name} waiting={signIn} />
  if (state.kind !== 'starting' || state.step !== 'signing-in') return null
  return (
    <p className="row dim" role="status">
      <Spinner />
      {t`Connecting`}
    </p>
  )
}

interface InTheBrowserProps {
  readonly name: string
  readonly waiting: Extract<ServerSummary['signIn'], { kind: 'waiting' }>
}

export function InTheBrowser({ name, waiting: { issuer, url, since } }: InTheBrowserProps) {
  const { openUrl, go } = useActions()
  const now = useNow(1000)
  return (
    <section className="notice you" aria-label={`${t`Sign-in`}: ${name}`}>
      <Spinner />
      <div className="stack tight">
        <p role="status">
          <span className="strong">{tx`Finish signing in to ${<ServerName name={name} />} in the browser.`}</span>{' '}
          <span className="dim">
            {tx`The page of ${<AddressName url={issuer} />} is open.`}{' '}
            <span className="num" aria-hidden="true">
              {t`${roughDuration(now - since)} so far`}
            </span>
          </span>
        </p>
        <p className="row wrap">
          <SmallButton icon="external" onClick={() => void openUrl(url)}>
            {t`Open again`}
          </SmallButton>
          <SmallGhostButton onClick={() => go('server.cancelSignIn', { name })}>{t`Cancel`}</SmallGhostButton>
        </p>
        <CameBack name={name} />
      </div>
    </section>
  )
}

/** The host checks the pasted address: where it leads, and that it belongs to this sign-in. */
function CameBack({ name }: { readonly name: string }) {
  const { busy, error, setError, submit } = useSubmit()
  const [address, setAddress] = useState('')
  const ready = address.trim() !== '' && !busy
  const finish = async (): Promise<void> => {
    if (ready) await submit('server.finishSignIn', { name, address: address.trim() })
  }
  return (
    <details className="sent">
      <summary className="help">{t`The browser runs on another computer`}</summary>
      <SubmitForm className="came-back" noValidate onSubmit={finish}>
        <Field label={t`Paste the last address of that browser`} help={t`Do not share it.`} error={error?.message}>
          {(ids) => (
            <div className="row">
              <TextInput
                {...ids}
                mono
                type="url"
                placeholder={t`http://127.0.0.1:…`}
                value={address}
                onChange={(event) => {
                  setAddress(event.target.value)
                  setError(undefined)
                }}
              />
              <Button type="submit" aria-disabled={!ready}>
                {t`Finish`}
              </Button>
            </div>
          )}
        </Field>
      </SubmitForm>
    </details>
  )
}
