// Fields for signing in to a remote server (OAuth). Most servers need none, so they are folded with a summary. A secret is masked;
// one that is kept is not shown and stays until another is typed, which goes to the keyring and is only named in the file.

import { useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { OAuthGrant } from '#app/server/auth-status.ts'
import { secretMask } from '#app/server/definition.ts'
import { onlyInputOf } from '#app/server/inputs/variable-references.ts'
import { IconButton, RevealButton } from '#renderer/ui/button.tsx'
import {
  Field,
  type FieldIds,
  labelledOptions,
  SelectField,
  type SelectOption,
  TextArea,
  TextField,
  TextInput,
} from '#renderer/ui/field.tsx'
import { memoryOnlyLabel, secretStorageLabel, useSecretKeeper } from '#renderer/ui/lib/secret-storage-label.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { grantNames, type OAuthErrors, type OAuthField, type OAuthForm, oauthSummary } from './oauth-form.ts'

/** Whether the value is kept already, in the file or in the secret store, and so not shown. */
const isHidden = (value: string): boolean => value === secretMask || onlyInputOf(value) !== undefined

interface SecretTextProps extends FieldIds {
  /** Name of the secret, on the button that shows it. */
  readonly what: string
  readonly value: string
  /** Several lines: a key in PEM. */
  readonly lines?: boolean
  readonly onChange: (value: string) => void
}

function SecretInput({ what, value, lines, onChange, ...ids }: SecretTextProps) {
  const [shown, setShown] = useState(false)
  const keeper = useSecretKeeper()
  const kept = isHidden(value)
  const common = {
    ...ids,
    mono: true,
    autoComplete: 'off',
    value: kept ? '' : value,
    placeholder: kept ? secretStorageLabel(keeper) : '',
    title: kept ? t`Kept; type to replace it` : undefined,
  } as const
  return (
    <div className="row">
      {lines ? (
        <TextArea {...common} rows={3} className={shown ? undefined : 'hidden-text'} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <TextInput {...common} type={shown ? 'text' : 'password'} onChange={(event) => onChange(event.target.value)} />
      )}
      {kept ? (
        <IconButton small icon="close" label={t`Remove ${what}`} onClick={() => onChange('')} />
      ) : value === '' ? null : (
        <RevealButton shown={shown} onToggle={setShown} label={shown ? t`Hide the value of ${what}` : t`Show the value of ${what}`} />
      )}
    </div>
  )
}

const grants: readonly SelectOption<OAuthGrant>[] = labelledOptions(grantNames)
const dpopUses: readonly SelectOption<OAuthForm['dpop']>[] = [
  { value: 'wanted', label: t`as the server says` },
  { value: 'always', label: t`always` },
  { value: 'never', label: t`never` },
]

interface FieldOptions {
  readonly name: OAuthField
  readonly label: string
  readonly note?: string
  readonly help?: string
  readonly placeholder?: string
  /** A secret of one line, or of several. */
  readonly secret?: 'line' | 'lines'
}
type FieldRow = readonly FieldOptions[]

const keyRow: FieldRow = [
  { name: 'privateKey', secret: 'lines', label: t`Private key`, note: 'PEM' },
  { name: 'keyAlgorithm', label: t`Key algorithm`, placeholder: 'ES256' },
]
/** Fields of the settings that a grant uses, beside those of all. */
const rowsOfGrant: Readonly<Record<OAuthGrant, readonly FieldRow[]>> = {
  'authorization-code': [
    [
      { name: 'clientMetadataUrl', label: t`Client metadata`, placeholder: 'https://…' },
      { name: 'callbackHost', label: t`Callback host`, placeholder: '127.0.0.1' },
      { name: 'callbackPort', label: t`Callback port` },
    ],
  ],
  'client-credentials': [keyRow],
  'jwt-bearer': [keyRow, [{ name: 'subjectToken', secret: 'line', label: t`Assertion`, note: t`optional` }]],
  'cross-app': [
    [
      { name: 'idpIssuer', label: t`Identity provider`, note: t`issuer`, placeholder: 'https://…' },
      { name: 'idpTokenEndpoint', label: t`Token endpoint` },
    ],
    [
      { name: 'idpClientId', label: t`Client id` },
      { name: 'idpClientSecret', secret: 'line', label: t`Client secret` },
    ],
    [
      {
        name: 'subjectToken',
        secret: 'line',
        label: t`ID token`,
      },
    ],
  ],
}

interface OAuthFieldsProps {
  readonly form: OAuthForm
  readonly errors: OAuthErrors
  /** Unfolded from the start. */
  readonly open: boolean
  readonly onChange: (form: OAuthForm) => void
}

export function OAuthFields({ form, errors, open, onChange }: OAuthFieldsProps) {
  const [unfolded, setUnfolded] = useState(open)
  const keeper = useSecretKeeper()
  const secretHelp = keeper === 'keyring' ? t`Kept in the keyring, never in servers.json.` : memoryOnlyLabel
  const rows: readonly FieldRow[] = [
    [
      { name: 'clientId', label: t`Client id` },
      { name: 'clientSecret', secret: 'line', label: t`Client secret`, help: secretHelp },
    ],
    [{ name: 'scopes', label: t`Scopes`, note: t`spaces between`, placeholder: t`as the server says` }],
    ...rowsOfGrant[form.grant],
  ]
  const field = (options: FieldOptions) => <OAuthText key={options.name} {...options} form={form} errors={errors} onChange={onChange} />
  return (
    <details
      className="fold"
      data-field="oauth"
      open={unfolded || Object.keys(errors).length > 0}
      onToggle={(event) => setUnfolded(event.currentTarget.open)}
    >
      <summary className="label">{tx`Sign-in ${<span className="faint">{oauthSummary(form)}</span>}`}</summary>
      <div className="stack">
        <SelectField label={t`Method`} value={form.grant} options={grants} onChoose={(grant) => onChange({ ...form, grant })} />
        {rows.map((row) =>
          row.length === 1 ? (
            row.map(field)
          ) : (
            <div key={row[0]?.name} className="grid2">
              {row.map(field)}
            </div>
          ),
        )}
        <div className="grid2">
          {field({ name: 'issuer', label: t`Issuer`, placeholder: t`as the server says` })}
          <SelectField
            label={t`Binds tokens to this computer`}
            note={'DPoP'}
            value={form.dpop}
            options={dpopUses}
            onChoose={(dpop) => onChange({ ...form, dpop })}
          />
        </div>
      </div>
    </details>
  )
}

function OAuthText({ name, secret, form, errors, onChange, ...field }: FieldOptions & Omit<OAuthFieldsProps, 'open'>) {
  const common = { ...field, place: `oauth.${name}`, error: errors[name], value: form[name] }
  const onText = (text: string): void => onChange({ ...form, [name]: text })
  if (secret === undefined) return <TextField {...common} mono onText={onText} />
  return (
    <div data-field={common.place}>
      <Field label={field.label} note={field.note} help={field.help} error={common.error}>
        {(ids) => (
          <SecretInput {...ids} what={field.label.toLowerCase()} lines={secret === 'lines'} value={common.value} onChange={onText} />
        )}
      </Field>
    </div>
  )
}
