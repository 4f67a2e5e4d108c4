// Fields for signing in to a remote server (OAuth). Most servers need none, so they are folded with a summary. A secret is masked;
// one that is kept is not shown and stays until another is typed, which goes to the keyring and is only named in the file.

import { useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { OAuthGrant } from '#app/server/auth-status.ts'
import { secretMask } from '#app/server/definition.ts'
import { onlyInputOf } from '#app/server/inputs/variable-references.ts'
import { IconButton, RevealButton } from '#renderer/ui/button.tsx'
import { Field, type FieldIds, SelectField, type SelectOption, TextArea, TextField, TextInput } from '#renderer/ui/field.tsx'
import { secretStorageLabel, useSecretKeeper } from '#renderer/ui/lib/secret-storage-label.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { type OAuthErrors, type OAuthField, type OAuthForm, oauthSummary } from './oauth-form.ts'

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
    placeholder: value === secretMask ? t`kept as it is` : kept ? secretStorageLabel(keeper) : '',
    title: kept ? t`It is not shown. Type to replace it.` : undefined,
  } as const
  return (
    <div className="row">
      {lines ? (
        <TextArea {...common} rows={3} className={shown ? undefined : 'hidden-text'} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <TextInput {...common} type={shown ? 'text' : 'password'} onChange={(event) => onChange(event.target.value)} />
      )}
      {kept ? (
        <IconButton small icon="close" label={t`Remove the ${what}`} onClick={() => onChange('')} />
      ) : value === '' ? null : (
        <RevealButton shown={shown} onToggle={setShown} label={shown ? t`Hide the ${what}` : t`Show the ${what}`} />
      )}
    </div>
  )
}

const grants: readonly SelectOption<OAuthGrant>[] = [
  { value: 'authorization-code', label: t`you, in the browser` },
  { value: 'client-credentials', label: t`Assent itself, with client credentials` },
  { value: 'jwt-bearer', label: t`Assent itself, with a signed assertion` },
  { value: 'cross-app', label: t`through your organisation (cross-app access)` },
]
const dpopUses: readonly SelectOption<OAuthForm['dpop']>[] = [
  { value: 'wanted', label: t`where the server wants it` },
  { value: 'always', label: t`always` },
  { value: 'never', label: t`never` },
]

interface OAuthFieldsProps {
  readonly form: OAuthForm
  readonly errors: OAuthErrors
  /** Unfolded from the start. */
  readonly open: boolean
  readonly onChange: (form: OAuthForm) => void
}

export function OAuthFields({ form, errors, open, onChange }: OAuthFieldsProps) {
  const wrong = Object.keys(errors).length > 0
  const { grant } = form
  const [unfolded, setUnfolded] = useState(open)
  const keeper = useSecretKeeper()
  const secretHelp = keeper === 'keyring' ? t`In the keyring; servers.json only names it.` : t`For this run only: there is no keyring here.`
  const props = { form, errors, onChange }
  return (
    <details className="fold" data-field="oauth" open={unfolded || wrong} onToggle={(event) => setUnfolded(event.currentTarget.open)}>
      <summary className="label">{tx`Sign-in ${<span className="faint">{oauthSummary(form)}</span>}`}</summary>
      <div className="stack">
        <SelectField label={t`Signs in`} value={grant} options={grants} onChoose={(chosen) => onChange({ ...form, grant: chosen })} />
        <div className="grid2">
          <Text {...props} name="clientId" label={t`Client id`} help={t`From the service, where it takes only clients it knows.`} />
          <Secret {...props} name="clientSecret" label={t`Client secret`} help={secretHelp} />
        </div>
        <Text {...props} name="scopes" label={t`Scopes`} note={t`spaces between`} placeholder={t`as the server says`} />
        {grant === 'authorization-code' ? (
          <div className="grid2">
            <Text
              {...props}
              name="clientMetadataUrl"
              label={t`Client metadata`}
              placeholder={t`https://…`}
              help={t`A page that describes Assent.`}
            />
            <Text
              {...props}
              name="callbackPort"
              label={t`Callback port`}
              placeholder={t`any`}
              help={t`Where the service allows only one address.`}
            />
          </div>
        ) : null}
        {grant === 'client-credentials' || grant === 'jwt-bearer' ? <KeyFields {...props} /> : null}
        {grant === 'jwt-bearer' ? <Secret {...props} name="subjectToken" label={t`Assertion`} note={t`instead of a key`} /> : null}
        {grant === 'cross-app' ? <OrganisationFields {...props} /> : null}
        <div className="grid2">
          <Text {...props} name="issuer" label={t`Issuer`} placeholder={t`as the server says`} help={t`The client id goes nowhere else.`} />
          <SelectField
            label={t`Binds tokens to this computer`}
            note={t`DPoP`}
            value={form.dpop}
            options={dpopUses}
            onChoose={(dpop) => onChange({ ...form, dpop })}
          />
        </div>
      </div>
    </details>
  )
}

type PartProps = Pick<OAuthFieldsProps, 'form' | 'errors' | 'onChange'>

const KeyFields = (props: PartProps) => (
  <div className="grid2">
    <Secret {...props} name="privateKey" label={t`Private key`} note={t`PEM`} lines />
    <Text {...props} name="keyAlgorithm" label={t`Its algorithm`} placeholder={t`ES256`} />
  </div>
)

const OrganisationFields = (props: PartProps) => (
  <>
    <div className="grid2">
      <Text {...props} name="idpIssuer" label={t`Identity provider`} note={t`issuer`} placeholder={t`https://…`} />
      <Text {...props} name="idpTokenEndpoint" label={t`Its token endpoint`} placeholder={t`as its issuer says`} />
    </div>
    <div className="grid2">
      <Text {...props} name="idpClientId" label={t`Client id there`} />
      <Secret {...props} name="idpClientSecret" label={t`Client secret there`} />
    </div>
    <Secret
      {...props}
      name="subjectToken"
      label={t`ID token`}
      help={t`Yours, from the identity provider: it is exchanged for each sign-in.`}
    />
  </>
)

interface TextProps extends PartProps {
  readonly name: OAuthField
  readonly label: string
  readonly note?: string
  readonly help?: string
  readonly placeholder?: string
}

const Text = ({ name, form, errors, onChange, ...field }: TextProps) => (
  <TextField
    place={`oauth.${name}`}
    {...field}
    error={errors[name]}
    mono
    value={form[name]}
    onText={(text) => onChange({ ...form, [name]: text })}
  />
)

const Secret = ({ name, form, errors, onChange, lines = false, ...field }: TextProps & { readonly lines?: boolean }) => (
  <div data-field={`oauth.${name}`}>
    <Field {...field} error={errors[name]}>
      {(ids) => (
        <SecretInput
          {...ids}
          what={field.label.toLowerCase()}
          lines={lines}
          value={form[name]}
          onChange={(value) => onChange({ ...form, [name]: value })}
        />
      )}
    </Field>
  </div>
)
