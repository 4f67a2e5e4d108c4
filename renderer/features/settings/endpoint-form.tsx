// Form that adds or changes an endpoint for models. The host asks the address for its model list before it is kept; where that
// fails, the person reads why and may keep it anyway. The key goes to the host and nowhere else.
import { useState } from 'react'
import { describeError, type ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { endpointPresets, endpointUrl, isOpenToAll } from '#app/models/endpoint-url.ts'
import type { ProviderSummary } from '#app/models/models.ts'
import { stripHidden } from '#app/text/hidden-characters.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'
import { announce } from '#renderer/stores/view-state.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CancelButton } from '#renderer/ui/dialog.tsx'
import { SelectField, SubmitForm, TextField } from '#renderer/ui/field.tsx'
import { Spinner } from '#renderer/ui/icon.tsx'
import { useSubmit } from '#renderer/ui/lib/use-fetched.ts'

/** Why an endpoint was not taken, or does not answer. */
export function endpointErrorLabel(error: ErrorValue): string {
  switch (error.code) {
    case 'model.key-refused':
      return t`The key was refused. It may be incomplete or revoked.`
    case 'model.key-missing':
      return t`It answers, but wants a key.`
    case 'model.rate-limited':
    case 'model.overloaded':
    case 'model.server-error':
      return t`It answers, but could not give its model list just now.`
    default: {
      const { message, quote } = describeError(error)
      const status = error.data?.['status']
      if (quote !== undefined) return t`${message} Its words: “${shortened(stripHidden(quote))}”`
      return typeof status === 'number' && !message.includes(String(status)) ? `${message} (${status})` : message
    }
  }
}

const shortened = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text)

export const modelCountLabel = (count: number): string => `${count} ${count === 1 ? t`model` : t`models`}`

/** Short form of an endpoint's address: "localhost:11434" for the usual path on this computer. */
export function endpointLabel(baseUrl: string | undefined): string {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return baseUrl ?? ''
  const { protocol, hostname, port, pathname } = new URL(baseUrl)
  if (hostname === '127.0.0.1' && pathname === '/v1') return t`localhost:${port}`
  return protocol === 'https:' ? baseUrl.slice('https://'.length) : baseUrl
}

interface EndpointFormProps {
  /** Endpoint to change; undefined: a new one. */
  readonly provider?: ProviderSummary
  readonly onDone: () => void
}

export function EndpointForm({ provider, onDone }: EndpointFormProps) {
  const { view } = useStores()
  const [name, setName] = useState(provider?.name ?? '')
  const [address, setAddress] = useState(provider?.baseUrl ?? '')
  const [key, setKey] = useState('')
  const { busy, error, setError, submit } = useSubmit()
  const problem = error && endpointErrorLabel(error)
  const isAboutKey = error?.code === 'model.key-refused' || error?.code === 'model.key-missing'
  const url = endpointUrl(address)
  const hasKey = provider?.key.kind === 'set'
  const moved = provider?.baseUrl !== undefined && url !== undefined && new URL(provider.baseUrl).origin !== new URL(url).origin
  const ready = name.trim() !== '' && url !== undefined && !busy

  const save = async (unchecked: boolean): Promise<void> => {
    if (!ready) return
    const outcome = await submit('endpoint.save', {
      ...(provider ? { id: provider.id } : {}),
      ...(key.trim() === '' ? {} : { key: key.trim() }),
      ...(unchecked ? { unchecked } : {}),
      name: name.trim(),
      baseUrl: address.trim(),
    })
    if (!outcome.ok) return
    announce(view, unchecked ? t`${name.trim()} is kept, unchecked.` : t`${name.trim()} answers: ${modelCountLabel(outcome.value.models)}.`)
    onDone()
  }
  const change = (set: (value: string) => void) => (value: string) => {
    set(value)
    setError(undefined)
  }
  const choosePreset = (chosen: string): void => {
    const preset = endpointPresets.find((one) => one.name === chosen)
    setName(preset?.name ?? '')
    setAddress(preset?.baseUrl ?? '')
    setError(undefined)
  }

  return (
    <SubmitForm
      className="endpoint-form"
      aria-label={provider ? t`Change ${provider.name}` : t`Add an address`}
      onSubmit={() => save(false)}
    >
      {provider ? null : (
        <SelectField
          label={t`Service`}
          value={endpointPresets.find((one) => one.name === name && one.baseUrl === address)?.name ?? ''}
          options={[
            { value: '', label: t`Another address` },
            ...endpointPresets.map((preset) => ({ value: preset.name, label: preset.name })),
          ]}
          onChoose={choosePreset}
        />
      )}
      <TextField label={t`Name`} maxLength={60} value={name} onText={change(setName)} />
      <AddressField address={address} problem={isAboutKey ? undefined : problem} onText={change(setAddress)} />
      <TextField
        label={t`Key`}
        note={t`if it wants one`}
        help={
          hasKey && moved
            ? t`The kept key belongs to the old address and is not sent to this one.`
            : hasKey
              ? t`Empty: the kept key stays.`
              : t`Assent asks for the model list with it once, to see that it works.`
        }
        error={isAboutKey ? problem : undefined}
        mono
        type="password"
        maxLength={1000}
        value={key}
        onText={change(setKey)}
      />
      <div className="row wrap">
        <Button type="submit" aria-disabled={!ready}>
          {busy ? <Spinner /> : null}
          {busy ? t`Checking` : t`Check and save`}
        </Button>
        {problem ? (
          <Button aria-disabled={!ready} onClick={() => void save(true)}>
            {t`Save all the same`}
          </Button>
        ) : null}
        <CancelButton onClick={onDone} />
      </div>
      <p className="sr" role="status">
        {problem}
      </p>
    </SubmitForm>
  )
}

type AddressFieldProps = { readonly address: string; readonly problem: string | undefined; readonly onText: (address: string) => void }

function AddressField({ address, problem, onText }: AddressFieldProps) {
  const url = endpointUrl(address)
  return (
    <TextField
      label={t`Address`}
      help={url !== undefined && url !== address.trim() ? t`Used as ${url}` : t`With the path up to /v1, as its documentation gives it.`}
      error={problem ?? (address.trim() !== '' && url === undefined ? t`This is not an address of http or https.` : undefined)}
      warning={
        url !== undefined && isOpenToAll(url)
          ? t`http is not encrypted: whoever is on the way can read and change what you send, the key too.`
          : undefined
      }
      mono
      placeholder={t`https://…/v1`}
      maxLength={2048}
      value={address}
      onText={onText}
    />
  )
}
