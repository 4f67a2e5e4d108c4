// servers.json as a JSON Schema: what may be written where, and what it means, for whoever writes it by hand. What is wrong
// is for `readConfig` to say; this offers and explains, and knows no rule of its own. `schema.test.ts` holds its keys to
// those that are read and written.
import { type OAuthSettings, oauthGrant } from '../sign-in.ts'

/** As much of JSON Schema as the file needs. */
export interface ConfigSchema {
  readonly type: 'object' | 'array' | 'string' | 'number' | 'boolean'
  readonly description: string
  readonly properties?: Readonly<Record<string, ConfigSchema>>
  /** Of members that are named by the person. */
  readonly additionalProperties?: ConfigSchema
  readonly items?: ConfigSchema
  readonly enum?: readonly string[]
  /** Put in where it is chosen. */
  readonly default?: string | number | boolean
}

const text = (description: string, more: Partial<ConfigSchema> = {}): ConfigSchema => ({ type: 'string', description, ...more })
const number = (description: string, byDefault: number): ConfigSchema => ({ type: 'number', description, default: byDefault })
const flag = (description: string, byDefault: boolean): ConfigSchema => ({ type: 'boolean', description, default: byDefault })
const texts = (description: string, one: string): ConfigSchema => ({ type: 'array', description, items: text(one) })

const references = `It may hold \${input:ID} for a value that the keyring keeps, and \${env:NAME} for a variable of yours.`

const oauth = {
  grant: text('How an access token is got. Without it you sign in in the browser.', { enum: oauthGrant.options }),
  clientId: text('A client that was registered with the authorization server beforehand.'),
  clientSecret: text(`Its secret. ${references}`),
  clientMetadataUrl: text('An https address that is the client id and describes Assent.'),
  issuer: text('The only authorization server that the client id and its secret may go to.'),
  scopes: texts('What to ask for. Without it: what the server says it needs.', 'One scope.'),
  callbackPort: number('The port on this computer that the browser comes back to. Without it: any that is free.', 8080),
  dpop: flag('Tokens are bound to a key of this computer. Without it: where the server can do it.', true),
  privateKey: text(`A key in PEM that signs what identifies the client. ${references}`),
  keyAlgorithm: text('Its algorithm.', { default: 'ES256' }),
  idpIssuer: text('Cross-app access: the identity provider.'),
  idpTokenEndpoint: text('Cross-app access: its token endpoint. Without it: as its issuer says.'),
  idpClientId: text('Cross-app access: the client id there.'),
  idpClientSecret: text(`Cross-app access: the client secret there. ${references}`),
  subjectToken: text(`Cross-app access: your ID token there. ${references}`),
} satisfies Record<keyof OAuthSettings, ConfigSchema>

const server: ConfigSchema = {
  type: 'object',
  description: 'One server, under the name that you give it. Chats and rules know its tools under that name.',
  properties: {
    command: text('The program that runs the server. It is started without a shell, and you are shown it first.'),
    args: texts('Its arguments, each as one text.', 'One argument. Nothing of it is expanded by a shell.'),
    env: {
      type: 'object',
      description: 'Variables of its environment, beside the basics such as PATH and HOME.',
      additionalProperties: text(`The value of this variable. ${references}`),
    },
    cwd: text('The folder that it runs in. Without it: your home folder.'),
    url: text('The address of a remote server.', { default: 'https://' }),
    headers: {
      type: 'object',
      description: 'Headers that go with every request to it.',
      additionalProperties: text(`The value of this header. ${references}`),
    },
    type: text('How it is spoken to. Without it: as “command” or “url” says.', { enum: ['stdio', 'http', 'sse'] }),
    oauth: { type: 'object', description: 'How one signs in. Without it everything is found out from the server.', properties: oauth },
    disabled: flag('It stays in the file and is never started.', true),
    start: text('When it starts: with Assent, or when a chat needs it.', { enum: ['needed', 'launch'] }),
    trusted: flag('What it says of its tools, such as “read-only”, counts as fact in your rules.', true),
    timeout: number('Milliseconds that a call may take without a word of progress.', 60_000),
    startTimeout: number('Milliseconds that it may take to answer for the first time.', 60_000),
    idleMinutes: number('Minutes without being needed after which it is stopped. Without it: never.', 30),
    builtin: text('A server that comes with Assent.', { enum: ['demo'] }),
  },
}

export const configSchema: ConfigSchema = {
  type: 'object',
  description: 'Servers that Assent may start.',
  properties: {
    mcpServers: { type: 'object', description: 'The servers, by name.', additionalProperties: server },
    inputs: {
      type: 'array',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: so it is written in the file
      description: 'Values that servers name as ${input:ID}: every server that names one gets the same.',
      items: {
        type: 'object',
        description: 'One value that is asked for once and kept.',
        properties: {
          id: text('What servers call it.'),
          type: text('How it is asked for.', { enum: ['promptString', 'pickString'] }),
          description: text('What you are asked for it.'),
          password: flag('It is not shown while it is typed.', true),
          default: text('Filled in where it is asked for.'),
          options: texts('With pickString: what there is to pick from.', 'One to pick.'),
        },
      },
    },
  },
}

/** What the schema says of a place; undefined: nothing. */
export function schemaAt(path: readonly (string | number)[], schema: ConfigSchema = configSchema): ConfigSchema | undefined {
  let found: ConfigSchema | undefined = schema
  for (const step of path) {
    if (typeof step === 'number') found = found?.items
    else found = Object.hasOwn(found?.properties ?? {}, step) ? found?.properties?.[step] : found?.additionalProperties
    if (!found) return undefined
  }
  return found
}
