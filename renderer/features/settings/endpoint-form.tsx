// Form that adds or changes an endpoint for models. The host asks the address for its model list before it is kept; where that
// fails, the person reads why and may keep it anyway. The key goes to the host and nowhere else.
import { useEffect, useState } from 'react'
import { disguisedHost, disguisedLabel } from '#app/consent/display/disguised-parts.ts'
import { describeError, type ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { endpointUrl, isOpenToAll } from '#app/models/endpoint-url.ts'
import type { ProviderSummary } from '#app/models/models.ts'
import { type EndpointFormat, type EndpointPreset, endpointPresets, type PresetField, presetUrl } from '#app/models/presets.ts'
import { stripHidden } from '#app/text/hidden-characters.ts'
import { useActions, useStores } from '#renderer/stores/store-hooks.tsx'
import { announce } from '#renderer/stores/view-state.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CancelButton } from '#renderer/ui/dialog.tsx'
import { labelledOptions, SelectField, SubmitForm, Switch, TextField } from '#renderer/ui/field.tsx'
import { Spinner } from '#renderer/ui/icon.tsx'
import { useSubmit } from '#renderer/ui/lib/use-host-answer.ts'
import { modelCountLabel } from './key-form.tsx'
import { PairFields, type PairRow, pairParams, pairProblem, pairRows } from './pair-fields.tsx'

/** Why an endpoint was not taken, or does not answer. */
export function endpointErrorLabel(error: ErrorValue): string {
  switch (error.code) {
    case 'model.key-refused':
      return t`The key was refused. Copy it again from the provider.`
    case 'model.key-missing':
      return t`Key required`
    case 'model.rate-limited':
    case 'model.overloaded':
    case 'model.server-error':
      return t`It answers, but could not give its model list just now.`
    default:
      return errorWithWords(error)
  }
}

/** The error with the other side's own words, or its status. */
export function errorWithWords(error: ErrorValue): string {
  const { message, quote } = describeError(error)
  const status = error.data?.['status']
  if (quote !== undefined) return `${message} ${t`Response: ${`“${shortened(stripHidden(quote))}”`}`}`
  return typeof status === 'number' && !message.includes(String(status)) ? `${message} (${status})` : message
}

const shortened = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text)

/** Short form of an endpoint's address: "localhost:11434" for the usual path on this computer. */
export function endpointLabel(baseUrl: string | undefined): string {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return baseUrl ?? ''
  const { protocol, hostname, port, pathname } = new URL(baseUrl)
  if (hostname === '127.0.0.1' && pathname === '/v1') return `localhost:${port}`
  return protocol === 'https:' ? baseUrl.slice('https://'.length) : baseUrl
}

const fieldLabels: Readonly<Record<PresetField['id'], string>> = {
  resource: t`Resource`,
  region: t`Region`,
  project: t`Project`,
}
const formatLabels: Readonly<Record<EndpointFormat, string>> = {
  openai: t`OpenAI (chat completions)`,
  'openai-responses': t`OpenAI (Responses)`,
  anthropic: t`Anthropic (messages)`,
  gemini: t`Google (Gemini)`,
  bedrock: t`Amazon (Bedrock)`,
  vertex: t`Google Cloud (Vertex)`,
}

interface EndpointFormProps {
  /** Endpoint to change; undefined: a new one. */
  readonly provider?: ProviderSummary
  readonly onDone: () => void
}

/** Values of the form, until it is saved. */
function useEndpointDraft(provider: ProviderSummary | undefined) {
  const [name, setName] = useState(provider?.name ?? '')
  const [address, setAddress] = useState(provider?.baseUrl ?? '')
  const [key, setKey] = useState('')
  const [format, setFormat] = useState<EndpointFormat>(provider?.format ?? 'openai')
  const [preset, setPreset] = useState<EndpointPreset | undefined>(undefined)
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({})
  const [variable, setVariable] = useState<string | undefined>(undefined)
  const [pairs, setPairs] = useState<readonly PairRow[]>(() => pairRows(provider?.headers, provider?.query))
  const typed = preset?.fields ? (presetUrl(preset, fields) ?? '') : address
  const ownKey = key.trim() === '' ? {} : { key: key.trim() }
  return {
    name,
    setName,
    address,
    setAddress,
    key,
    setKey,
    format,
    setFormat,
    preset,
    fields,
    setFields,
    variable,
    setVariable,
    pairs,
    setPairs,
    url: endpointUrl(typed, format),
    choosePreset(chosen: string): void {
      const next = endpointPresets.find((one) => one.id === chosen)
      setPreset(next)
      setFields({})
      setVariable(undefined)
      setName(next?.name ?? '')
      setAddress(next?.fields ? '' : (next?.baseUrl ?? ''))
      setFormat(next?.format ?? 'openai')
    },
    /** Parameters of `endpoint.save`. */
    params: {
      ...(provider ? { id: provider.id } : {}),
      ...(variable === undefined ? ownKey : { keyEnv: variable }),
      ...(format === (provider?.format ?? 'openai') ? {} : { format }),
      // Without rows, now and before, there is nothing to say of them.
      ...(pairs.length > 0 || provider?.headers || provider?.query ? pairParams(pairs) : {}),
      name: name.trim(),
      baseUrl: typed.trim(),
    },
  }
}

export function EndpointForm({ provider, onDone }: EndpointFormProps) {
  const { view } = useStores()
  const draft = useEndpointDraft(provider)
  const { name, preset, url } = draft
  const { busy, error, setError, submit } = useSubmit()
  const problem = error && endpointErrorLabel(error)
  const isAboutKey = error?.code === 'model.key-refused' || error?.code === 'model.key-missing'
  const [tried, setTried] = useState(false)
  const wrongPair = pairProblem(draft.pairs)
  const ready = name.trim() !== '' && url !== undefined && !busy

  const save = async (unchecked: boolean): Promise<void> => {
    setTried(true)
    if (!ready || wrongPair !== undefined) return
    const outcome = await submit('endpoint.save', { ...draft.params, ...(unchecked ? { unchecked } : {}) })
    if (!outcome.ok) return
    announce(view, unchecked ? t`Saved` : `${t`Connected`} · ${modelCountLabel(outcome.value.models)}`)
    onDone()
  }
  const change =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value)
      setError(undefined)
    }
  const elsewhere = isAboutKey ? undefined : problem

  return (
    <SubmitForm
      className="endpoint-form"
      aria-label={provider ? t`Change ${provider.name}` : t`Add another provider`}
      onSubmit={() => save(false)}
    >
      {provider ? null : (
        <SelectField
          label={t`Service`}
          value={preset?.id ?? ''}
          options={[{ value: '', label: t`Another address` }, ...endpointPresets.map((one) => ({ value: one.id, label: one.name }))]}
          onChoose={change(draft.choosePreset)}
        />
      )}
      <TextField label={t`Name`} maxLength={60} value={name} onText={change(draft.setName)} />
      {preset?.fields?.map(({ id, usual = '' }) => (
        <TextField
          key={id}
          label={fieldLabels[id]}
          maxLength={63}
          error={elsewhere}
          value={draft.fields[id] ?? usual}
          onText={change((value: string) => draft.setFields({ ...draft.fields, [id]: value }))}
        />
      ))}
      {preset === undefined ? <FormatField format={draft.format} onChoose={change(draft.setFormat)} /> : null}
      {preset?.fields ? null : (
        <AddressField address={draft.address} format={draft.format} problem={elsewhere} onText={change(draft.setAddress)} />
      )}
      <KeySource preset={preset} variable={draft.variable} onChoose={change(draft.setVariable)} />
      {draft.variable === undefined ? (
        <KeyField provider={provider} draft={draft} problem={isAboutKey ? problem : undefined} onText={change(draft.setKey)} />
      ) : null}
      <PairFields rows={draft.pairs} problem={tried ? wrongPair : undefined} onChange={change(draft.setPairs)} />
      <div className="row wrap">
        <Button type="submit" aria-disabled={!ready}>
          {busy ? <Spinner /> : null}
          {busy ? t`Checking` : t`Check and save`}
        </Button>
        {problem ? (
          <Button aria-disabled={!ready} onClick={() => void save(true)}>
            {t`Save anyway`}
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

interface KeyFieldProps {
  readonly provider: ProviderSummary | undefined
  readonly draft: Pick<ReturnType<typeof useEndpointDraft>, 'key' | 'url' | 'preset'>
  readonly problem: string | undefined
  readonly onText: (key: string) => void
}

function KeyField({ provider, draft: { key, url, preset }, problem, onText }: KeyFieldProps) {
  const hasKey = provider?.key.kind === 'set'
  const moved = provider?.baseUrl !== undefined && url !== undefined && new URL(provider.baseUrl).origin !== new URL(url).origin
  const kept = moved ? t`The saved key is not sent to a new address.` : t`Leave empty to keep it`
  const forms =
    preset?.keyForms &&
    {
      aws: t`A Bedrock API key, or ID:SECRET, or ID:SECRET:SESSION-TOKEN.`,
      'google-cloud': t`The JSON of a service account, or an API key.`,
    }[preset.keyForms]
  const made = [forms, preset?.keyPage === undefined ? undefined : t`Made at ${preset.keyPage}.`].filter(Boolean).join(' ')
  return (
    <TextField
      label={t`Key`}
      note={preset === undefined || preset.local ? t`optional` : undefined}
      help={hasKey ? kept : made}
      error={problem}
      mono
      type="password"
      maxLength={20_000}
      value={key}
      onText={onText}
    />
  )
}

type FormatFieldProps = { readonly format: EndpointFormat; readonly onChoose: (format: EndpointFormat) => void }

const FormatField = ({ format, onChoose }: FormatFieldProps) => (
  <SelectField label={t`Format`} value={format} options={labelledOptions(formatLabels)} onChoose={onChoose} />
)

interface KeySourceProps {
  readonly preset: EndpointPreset | undefined
  readonly variable: string | undefined
  readonly onChoose: (variable: string | undefined) => void
}

/** Offers a usual variable of the preset that is set; it is used only when the person says so. */
function KeySource({ preset, variable, onChoose }: KeySourceProps) {
  const { attempt } = useActions()
  const [known, setKnown] = useState<readonly string[]>([])
  useEffect(() => {
    let isGone = false
    void attempt('endpoint.variables', {}).then((outcome) => {
      if (!isGone && outcome.ok) setKnown(outcome.value.variables)
    })
    return () => {
      isGone = true
    }
  }, [attempt])
  const offered = preset?.variables.find((name) => known.includes(name))
  if (offered === undefined) return null
  return (
    <Switch label={t`Use the key in ${offered}`} checked={variable === offered} onChange={(on) => onChoose(on ? offered : undefined)} />
  )
}

type AddressFieldProps = {
  readonly address: string
  readonly format: EndpointFormat
  readonly problem: string | undefined
  readonly onText: (address: string) => void
}

function addressWarning(url: string): string | undefined {
  const disguised = disguisedHost(url).map((part) => `${disguisedLabel(part)}.`)
  const open = isOpenToAll(url) ? [t`http is not encrypted: others can read and change it, the key too.`] : []
  return [...disguised, ...open].join(' ') || undefined
}

function AddressField({ address, format, problem, onText }: AddressFieldProps) {
  const url = endpointUrl(address, format)
  return (
    <TextField
      label={t`Address`}
      help={url !== undefined && url !== address.trim() ? t`Used as ${url}` : undefined}
      error={problem ?? (address.trim() !== '' && url === undefined ? t`This is not an address of http or https.` : undefined)}
      warning={url === undefined ? undefined : addressWarning(url)}
      mono
      placeholder={t`https://…/v1`}
      maxLength={2048}
      value={address}
      onText={onText}
    />
  )
}
