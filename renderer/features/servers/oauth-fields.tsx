// How to sign in to a server at an address. Most need nothing here, so it is folded; what is set is said in the fold.
import { type ReactNode, useState } from 'react'
import type { OAuthGrant } from '#app/server/sign-in.ts'
import { Field, type FieldIds, Select, TextInput } from '#renderer/ui/field.tsx'
import { type OAuthErrors, type OAuthField, type OAuthForm, oauthSummary } from './oauth-form.ts'
import { SecretText } from './secret-text.tsx'
import { useSecretKeeper } from './secret-words.ts'

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
  const secretHelp = keeper === 'keyring' ? 'In the keyring; servers.json only names it.' : 'For this run only: there is no keyring here.'
  const props = { form, errors, onChange }
  return (
    <details className="fold" data-field="oauth" open={unfolded || wrong} onToggle={(event) => setUnfolded(event.currentTarget.open)}>
      <summary className="label">
        Sign-in <span className="faint">{oauthSummary(form)}</span>
      </summary>
      <div className="stack">
        <Field label="Signs in">
          {(ids) => (
            <Select {...ids} value={grant} onChange={(event) => onChange({ ...form, grant: event.target.value as OAuthGrant })}>
              <option value="authorization-code">you, in the browser</option>
              <option value="client-credentials">Assent itself, with client credentials</option>
              <option value="jwt-bearer">Assent itself, with a signed assertion</option>
              <option value="cross-app">through your organisation (cross-app access)</option>
            </Select>
          )}
        </Field>
        <div className="grid2">
          <Text {...props} name="clientId" label="Client id" help="From the service, where it takes only clients it knows." />
          <Secret {...props} name="clientSecret" label="Client secret" help={secretHelp} />
        </div>
        <Text {...props} name="scopes" label="Scopes" note="spaces between" placeholder="as the server says" />
        {grant === 'authorization-code' ? (
          <div className="grid2">
            <Text
              {...props}
              name="clientMetadataUrl"
              label="Client metadata"
              placeholder="https://…"
              help="A page that describes Assent."
            />
            <Text
              {...props}
              name="callbackPort"
              label="Callback port"
              placeholder="any"
              help="Where the service allows only one address."
            />
          </div>
        ) : null}
        {grant === 'client-credentials' || grant === 'jwt-bearer' ? <KeyFields {...props} /> : null}
        {grant === 'jwt-bearer' ? <Secret {...props} name="subjectToken" label="Assertion" note="instead of a key" /> : null}
        {grant === 'cross-app' ? <OrganisationFields {...props} /> : null}
        <div className="grid2">
          <Text {...props} name="issuer" label="Issuer" placeholder="as the server says" help="The client id goes nowhere else." />
          <Field label="Binds tokens to this computer" note="DPoP">
            {(ids) => (
              <Select {...ids} value={form.dpop} onChange={(event) => onChange({ ...form, dpop: event.target.value as OAuthForm['dpop'] })}>
                <option value="wanted">where the server wants it</option>
                <option value="always">always</option>
                <option value="never">never</option>
              </Select>
            )}
          </Field>
        </div>
      </div>
    </details>
  )
}

type PartProps = Pick<OAuthFieldsProps, 'form' | 'errors' | 'onChange'>

const KeyFields = (props: PartProps) => (
  <div className="grid2">
    <Secret {...props} name="privateKey" label="Private key" note="PEM" lines />
    <Text {...props} name="keyAlgorithm" label="Its algorithm" placeholder="ES256" />
  </div>
)

const OrganisationFields = (props: PartProps) => (
  <>
    <div className="grid2">
      <Text {...props} name="idpIssuer" label="Identity provider" note="issuer" placeholder="https://…" />
      <Text {...props} name="idpTokenEndpoint" label="Its token endpoint" placeholder="as its issuer says" />
    </div>
    <div className="grid2">
      <Text {...props} name="idpClientId" label="Client id there" />
      <Secret {...props} name="idpClientSecret" label="Client secret there" />
    </div>
    <Secret {...props} name="subjectToken" label="ID token" help="Yours, from the identity provider: it is exchanged for each sign-in." />
  </>
)

interface TextProps extends PartProps {
  readonly name: OAuthField
  readonly label: string
  readonly note?: string
  readonly help?: string
  readonly placeholder?: string
}

function Placed({ name, label, note, help, errors, children }: TextProps & { readonly children: (ids: FieldIds) => ReactNode }) {
  return (
    <div data-field={`oauth.${name}`}>
      <Field label={label} note={note} help={help} error={errors[name]}>
        {children}
      </Field>
    </div>
  )
}

const Text = (props: TextProps) => (
  <Placed {...props}>
    {(ids) => (
      <TextInput
        {...ids}
        mono
        placeholder={props.placeholder}
        value={props.form[props.name]}
        onChange={(event) => props.onChange({ ...props.form, [props.name]: event.target.value })}
      />
    )}
  </Placed>
)

const Secret = ({ lines = false, ...props }: TextProps & { readonly lines?: boolean }) => (
  <Placed {...props}>
    {(ids) => (
      <SecretText
        {...ids}
        what={props.label.toLowerCase()}
        lines={lines}
        value={props.form[props.name]}
        onChange={(value) => props.onChange({ ...props.form, [props.name]: value })}
      />
    )}
  </Placed>
)
