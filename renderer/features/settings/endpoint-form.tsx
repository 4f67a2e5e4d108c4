// Adds or changes an endpoint. The address is asked for its model list before it is kept; where that fails, the person
// reads why and may keep it all the same. The key goes to the host and nowhere else, and is gone from here after.
import { type FormEvent, useState } from 'react'
import { endpointPresets, endpointUrl, isOpenToAll } from '#app/chat/endpoint.ts'
import type { ProviderView } from '#app/chat/models.ts'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { useActions, useStores } from '#renderer/stores/react.tsx'
import { announce } from '#renderer/stores/view.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, Select, TextInput } from '#renderer/ui/field.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { endpointErrorWords, modelsWords } from './endpoint-words.ts'

interface EndpointFormProps {
  /** Undefined: a new one. */
  readonly provider?: ProviderView
  readonly onDone: () => void
}

type Problem = { readonly field: 'address' | 'key'; readonly error: ErrorValue }
const problemOf = (error: ErrorValue): Problem => ({
  field: error.code === 'model.key-refused' || error.code === 'model.key-missing' ? 'key' : 'address',
  error,
})

export function EndpointForm({ provider, onDone }: EndpointFormProps) {
  const { attempt } = useActions()
  const { view } = useStores()
  const [name, setName] = useState(provider?.name ?? '')
  const [address, setAddress] = useState(provider?.baseUrl ?? '')
  const [key, setKey] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  const url = endpointUrl(address)
  const hasKey = provider?.key.kind === 'set'
  const moved = provider?.baseUrl !== undefined && url !== undefined && new URL(provider.baseUrl).origin !== new URL(url).origin
  const ready = name.trim() !== '' && url !== undefined && !busy

  const save = async (unchecked: boolean): Promise<void> => {
    if (!ready) return
    setBusy(true)
    const outcome = await attempt('endpoint.save', {
      ...(provider ? { id: provider.id } : {}),
      ...(key.trim() === '' ? {} : { key: key.trim() }),
      ...(unchecked ? { unchecked } : {}),
      name: name.trim(),
      baseUrl: address.trim(),
    })
    setBusy(false)
    if (!outcome.ok) return setProblem(problemOf(outcome.error))
    announce(view, unchecked ? t`${name.trim()} is kept, unchecked.` : t`${name.trim()} answers: ${modelsWords(outcome.value.models)}.`)
    onDone()
  }
  const change = (set: (value: string) => void) => (event: { readonly target: { readonly value: string } }) => {
    set(event.target.value)
    setProblem(undefined)
  }
  const choosePreset = (chosen: string): void => {
    const preset = endpointPresets.find((one) => one.name === chosen)
    setName(preset?.name ?? '')
    setAddress(preset?.baseUrl ?? '')
    setProblem(undefined)
  }

  return (
    <form
      className="endpoint-form"
      aria-label={provider ? t`Change ${provider.name}` : t`Add an address`}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void save(false)
      }}
    >
      {provider ? null : (
        <Field label={t`Service`}>
          {(ids) => (
            <Select
              {...ids}
              value={endpointPresets.find((one) => one.name === name && one.baseUrl === address)?.name ?? ''}
              onChange={(event) => choosePreset(event.target.value)}
            >
              <option value="">{t`Another address`}</option>
              {endpointPresets.map((preset) => (
                <option key={preset.name} value={preset.name}>
                  {preset.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <Field label={t`Name`}>{(ids) => <TextInput {...ids} maxLength={60} value={name} onChange={change(setName)} />}</Field>
      <Field
        label={t`Address`}
        help={url !== undefined && url !== address.trim() ? t`Used as ${url}` : t`With the path up to /v1, as its documentation gives it.`}
        error={
          problem?.field === 'address'
            ? endpointErrorWords(problem.error)
            : address.trim() !== '' && url === undefined
              ? t`This is not an address of http or https.`
              : undefined
        }
        warning={
          url !== undefined && isOpenToAll(url)
            ? t`http is not encrypted: whoever is on the way can read and change what you send, the key too.`
            : undefined
        }
      >
        {(ids) => <TextInput {...ids} mono placeholder={t`https://…/v1`} maxLength={2048} value={address} onChange={change(setAddress)} />}
      </Field>
      <Field
        label={t`Key`}
        note={t`if it wants one`}
        help={
          hasKey && moved
            ? t`The kept key belongs to the old address and is not sent to this one.`
            : hasKey
              ? t`Empty: the kept key stays.`
              : t`Assent asks for the model list with it once, to see that it works.`
        }
        error={problem?.field === 'key' ? endpointErrorWords(problem.error) : undefined}
      >
        {(ids) => <TextInput {...ids} mono type="password" maxLength={1000} value={key} onChange={change(setKey)} />}
      </Field>
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
        <Button variant="ghost" onClick={onDone}>
          {t`Cancel`}
        </Button>
      </div>
      <p className="sr" role="status">
        {problem ? endpointErrorWords(problem.error) : ''}
      </p>
    </form>
  )
}
