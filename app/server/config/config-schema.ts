// JSON Schema of servers.json for editor completion and documentation. It checks nothing: `readConfig` does. A test compares its
// keys with those that are read and written.
import { t } from '#app/i18n/translate.ts'
import { type OAuthSettings, oauthGrant } from '../auth-status.ts'

export interface ConfigSchema {
  readonly type: 'object' | 'array' | 'string' | 'number' | 'boolean'
  /** '': the name says it. */
  readonly description: string
  readonly properties?: Readonly<Record<string, ConfigSchema>>
  /** Schema of members that the person names. */
  readonly additionalProperties?: ConfigSchema
  readonly items?: ConfigSchema
  readonly enum?: readonly string[]
  readonly default?: string | number | boolean
}

const text = (description = '', more: Partial<ConfigSchema> = {}): ConfigSchema => ({ type: 'string', description, ...more })
const number = (description: string, byDefault: number): ConfigSchema => ({ type: 'number', description, default: byDefault })
const flag = (description: string, byDefault: boolean): ConfigSchema => ({ type: 'boolean', description, default: byDefault })
const map = (description: string, member: ConfigSchema): ConfigSchema => ({ type: 'object', description, additionalProperties: member })
const texts = (description: string, one = ''): ConfigSchema => ({ type: 'array', description, items: text(one) })

const references = t`May hold \${input:ID} (a value in the keyring) and \${env:NAME} (a variable).`

const crossApp = t`Cross-app access: at your identity provider.`
const oauth = {
  grant: text(t`OAuth grant. Default: sign-in in the browser.`, { enum: oauthGrant.options }),
  clientId: text(),
  clientSecret: text(references),
  clientMetadataUrl: text('', { default: 'https://' }),
  issuer: text(t`The only authorization server that gets the client id and secret.`),
  scopes: texts(t`Default: the scopes that the server names.`),
  callbackHost: text('', { enum: ['127.0.0.1', 'localhost'] }),
  callbackPort: number('', 8080),
  dpop: flag(t`Binds tokens to a key of this computer. Default: if supported.`, true),
  privateKey: text(),
  keyAlgorithm: text('', { default: 'ES256' }),
  idpIssuer: text(crossApp),
  idpTokenEndpoint: text(crossApp),
  idpClientId: text(crossApp),
  idpClientSecret: text(crossApp),
  subjectToken: text(crossApp),
} satisfies Record<keyof OAuthSettings, ConfigSchema>

const paths = (): ConfigSchema => texts(t`Files and folders, from / or ~/.`)
const hosts = (): ConfigSchema => texts(t`Hosts, such as api.example.com, *.example.com or localhost:8080.`)

const sandbox: ConfigSchema = {
  type: 'object',
  description: t`What the sandbox allows beyond the system, the package and the folder.`,
  properties: {
    filesystem: {
      type: 'object',
      description: '',
      properties: { allowRead: paths(), allowWrite: paths(), denyRead: paths(), denyWrite: paths() },
    },
    network: { type: 'object', description: '', properties: { allowedDomains: hosts(), deniedDomains: hosts() } },
  },
}

const server: ConfigSchema = {
  type: 'object',
  description: '',
  properties: {
    command: text(),
    args: texts(t`One item per argument.`),
    env: map('', text(references)),
    cwd: text(t`Working folder. Default: your home folder.`),
    sandboxEnabled: flag('', true),
    sandbox,
    url: text('', { default: 'https://' }),
    headers: map('', text(references)),
    type: text(t`Transport. Default: stdio with “command”, http with “url”.`, { enum: ['stdio', 'http', 'sse'] }),
    oauth: { type: 'object', description: t`How you sign in. Default: found out from the server.`, properties: oauth },
    disabled: flag('', true),
    start: text('', { enum: ['needed', 'launch'] }),
    trusted: flag(t`Rules count its claims, such as “read-only”, as facts.`, true),
    timeout: number(t`In milliseconds.`, 60_000),
    startTimeout: number(t`In milliseconds.`, 60_000),
    idleMinutes: number(t`Minutes unused until it is stopped. Default: never.`, 30),
    builtin: text('', { enum: ['demo'] }),
  },
}

export const configSchema: ConfigSchema = {
  type: 'object',
  description: '',
  properties: {
    mcpServers: map('', server),
    inputs: {
      type: 'array',
      description: t`Values that servers name as \${input:ID}.`,
      items: {
        type: 'object',
        description: '',
        properties: {
          id: text(),
          type: text('', { enum: ['promptString', 'pickString'] }),
          description: text(),
          password: flag('', true),
          default: text(),
          options: texts(''),
        },
      },
    },
  },
}

/** Returns the schema of a place; undefined when there is none. */
export function configSchemaAt(path: readonly (string | number)[], schema: ConfigSchema = configSchema): ConfigSchema | undefined {
  let found: ConfigSchema | undefined = schema
  for (const step of path) {
    if (typeof step === 'number') found = found?.items
    else found = Object.hasOwn(found?.properties ?? {}, step) ? found?.properties?.[step] : found?.additionalProperties
    if (!found) return undefined
  }
  return found
}
