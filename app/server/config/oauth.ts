// The key `oauth` of an entry: how to sign in. Other programs write `clientId` and `callbackPort` there too; what is not
// known here is theirs. A setting with a fault is named with its place, as every other.
import { t } from '../../words/translate.ts'
import { type OAuthSettings, oauthGrant, oauthSettings } from '../sign-in.ts'
import { kindOf, type Node, propertiesOf } from './json-tree.ts'

type Wrong = (at: Node, message: string, remedy: string) => undefined
type Name = keyof OAuthSettings

const isName = (name: string): name is Name => Object.hasOwn(oauthSettings.shape, name)
const addresses: ReadonlySet<Name> = new Set(['clientMetadataUrl', 'issuer', 'idpIssuer', 'idpTokenEndpoint'])
const isReference = (value: string): boolean => value.includes('${env:')

/** Undefined: nothing of it is for Assent. Faults are told to `wrong`; the entry is not used then. */
export function readOAuth(node: Node, wrong: Wrong): OAuthSettings | undefined {
  const found: Partial<Record<Name, unknown>> = {}
  for (const { name, key, value } of propertiesOf(node)) {
    if (!isName(name) || !value) continue
    if (Object.hasOwn(found, name)) wrong(key, t`“${name}” is there twice in “oauth”.`, t`Keep one of the two.`)
    found[name] = plainOf(value)
    const fault = faultOf(name, value)
    if (fault) wrong(value, t`“${name}” in “oauth” ${fault.is}.`, fault.remedy)
  }
  const read = oauthSettings.safeParse(found)
  return read.success && Object.keys(read.data).length > 0 ? read.data : undefined
}

const plainOf = (node: Node): unknown => (node.type === 'array' ? (node.children ?? []).map((item) => item.value) : node.value)

function faultOf(name: Name, node: Node): { readonly is: string; readonly remedy: string } | undefined {
  const value: unknown = plainOf(node)
  if (!oauthSettings.shape[name].safeParse(value).success)
    return { is: t`is ${saying(name, node)}`, remedy: remedies()[name] ?? t`Write a text in double quotes.` }
  // A key in PEM has lines; nothing else has.
  if (typeof value === 'string' && (value.includes('\0') || (name !== 'privateKey' && /[\r\n]/.test(value))))
    return { is: t`has a line break or a NUL in it`, remedy: t`Write it on one line.` }
  if (addresses.has(name) && typeof value === 'string' && !isReference(value) && !isWebAddress(value))
    return { is: t`is not an http or https address`, remedy: t`Write the whole address, beginning with https://.` }
  return undefined
}

/** Never the value of a secret, whatever it is. */
function saying(name: Name, node: Node): string {
  if (node.value === '') return t`empty`
  const plain = (name === 'grant' || name === 'callbackPort') && (node.type === 'string' || node.type === 'number')
  return plain ? `“${String(node.value)}”` : kindOf(node)
}
const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

const remedies = (): Partial<Record<Name, string>> => ({
  grant: t`Write ${oauthGrant.options.map((grant) => `"${grant}"`).join(', ')}, or remove the line.`,
  scopes: t`Write a list of texts, or remove the line.`,
  callbackPort: t`Write a port, from 1 to 65535.`,
  dpop: t`Write true or false.`,
})
