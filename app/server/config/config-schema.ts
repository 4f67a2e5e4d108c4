// JSON Schema of servers.json for editor completion and documentation. It checks nothing: `readConfig` does. A test compares its
// keys with those that are read and written.
import { t } from '#app/i18n/translate.ts'
import { type OAuthSettings, oauthGrant } from '../auth-status.ts'

export interface ConfigSchema {
  readonly type: 'object' | 'array' | 'string' | 'number' | 'boolean'
  readonly description: string
  readonly properties?: Readonly<Record<string, ConfigSchema>>
  /** Schema of members that the person names. */
  readonly additionalProperties?: ConfigSchema
  readonly items?: ConfigSchema
  readonly enum?: readonly string[]
  readonly default?: string | number | boolean
}

const text = (description: string, more: Partial<ConfigSchema> = {}): ConfigSchema => ({ type: 'string', description, ...more })
const number = (description: string, byDefault: number): ConfigSchema => ({ type: 'number', description, default: byDefault })
const flag = (description: string, byDefault: boolean): ConfigSchema => ({ type: 'boolean', description, default: byDefault })
const map = (description: string, member: ConfigSchema): ConfigSchema => ({
  type: 'object',
  description,
  additionalProperties: member,
})
const texts = (description: string, one: string): ConfigSchema => ({ type: 'array', description, items: text(one) })

const references = t`It may hold \${input:ID} for a value that the keyring keeps, and \${env:NAME} for a variable of yours.`

const oauth = {
  grant: text(t`How an access token is got. Without it you sign in in the browser.`, { enum: oauthGrant.options }),
  clientId: text(t`A client that was registered with the authorization server beforehand.`),
  clientSecret: text(t`Its secret. ${references}`),
  clientMetadataUrl: text(t`An https address that is the client id and describes Assent.`),
  issuer: text(t`The only authorization server that the client id and its secret may go to.`),
  scopes: texts(t`What to ask for. Without it: what the server says it needs.`, t`One scope.`),
  callbackPort: number(t`The port on this computer that the browser comes back to. Without it: any that is free.`, 8080),
  dpop: flag(t`Tokens are bound to a key of this computer. Without it: where the server can do it.`, true),
  privateKey: text(t`A key in PEM that signs what identifies the client. ${references}`),
  keyAlgorithm: text(t`Its algorithm.`, { default: 'ES256' }),
  idpIssuer: text(t`Cross-app access: the identity provider.`),
  idpTokenEndpoint: text(t`Cross-app access: its token endpoint. Without it: as its issuer says.`),
  idpClientId: text(t`Cross-app access: the client id there.`),
  idpClientSecret: text(t`Cross-app access: the client secret there. ${references}`),
  subjectToken: text(t`Cross-app access: your ID token there. ${references}`),
} satisfies Record<keyof OAuthSettings, ConfigSchema>

const aPath = t`A file or folder, from / or ~/.`
const aHost = t`A host, such as api.example.com, *.example.com or localhost:8080. Without a port: 80 and 443.`

const sandbox: ConfigSchema = {
  type: 'object',
  description: t`What it may read, write and reach in its sandbox.`,
  properties: {
    filesystem: {
      type: 'object',
      description: t`Files and folders.`,
      properties: {
        allowRead: texts(t`What it may read beyond the system, its package and its folder.`, aPath),
        allowWrite: texts(t`What it may read and write.`, aPath),
        denyRead: texts(t`What it may not read within these.`, aPath),
        denyWrite: texts(t`What it may not write within these.`, aPath),
      },
    },
    network: {
      type: 'object',
      description: t`Hosts. Without any it reaches nothing.`,
      properties: {
        allowedDomains: texts(t`Hosts that it may reach.`, aHost),
        deniedDomains: texts(t`Hosts that it may not reach, whatever the others say.`, aHost),
      },
    },
  },
}

const server: ConfigSchema = {
  type: 'object',
  description: t`One server, under the name that you give it. Chats and rules know its tools under that name.`,
  properties: {
    command: text(t`The program that runs the server. It is started without a shell, and you are shown it first.`),
    args: texts(t`Its arguments, each as one text.`, t`One argument. Nothing of it is expanded by a shell.`),
    env: map(t`Variables of its environment, beside the basics such as PATH and HOME.`, text(t`The value of this variable. ${references}`)),
    cwd: text(t`The folder that it runs in. Without it: your home folder.`),
    sandboxEnabled: flag(
      t`It runs in a sandbox: it reads the system, its package and its folder, and nothing else but what “sandbox” says.`,
      true,
    ),
    sandbox,
    url: text(t`The address of a remote server.`, { default: 'https://' }),
    headers: map(t`Headers that go with every request to it.`, text(t`The value of this header. ${references}`)),
    type: text(t`How it is spoken to. Without it: as “command” or “url” says.`, { enum: ['stdio', 'http', 'sse'] }),
    oauth: { type: 'object', description: t`How one signs in. Without it everything is found out from the server.`, properties: oauth },
    disabled: flag(t`It stays in the file and is never started.`, true),
    start: text(t`When it starts: with Assent, or when a chat needs it.`, { enum: ['needed', 'launch'] }),
    trusted: flag(t`What it says of its tools, such as “read-only”, counts as fact in your rules.`, true),
    timeout: number(t`Milliseconds that a call may take without a word of progress.`, 60_000),
    startTimeout: number(t`Milliseconds that it may take to answer for the first time.`, 60_000),
    idleMinutes: number(t`Minutes without being needed after which it is stopped. Without it: never.`, 30),
    builtin: text(t`A server that comes with Assent.`, { enum: ['demo'] }),
  },
}

export const configSchema: ConfigSchema = {
  type: 'object',
  description: t`Servers that Assent may start.`,
  properties: {
    mcpServers: map(t`The servers, by name.`, server),
    inputs: {
      type: 'array',
      description: t`Values that servers name as \${input:ID}: every server that names one gets the same.`,
      items: {
        type: 'object',
        description: t`One value that is asked for once and kept.`,
        properties: {
          id: text(t`What servers call it.`),
          type: text(t`How it is asked for.`, { enum: ['promptString', 'pickString'] }),
          description: text(t`What you are asked for it.`),
          password: flag(t`It is not shown while it is typed.`, true),
          default: text(t`Filled in where it is asked for.`),
          options: texts(t`With pickString: what there is to pick from.`, t`One to pick.`),
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
