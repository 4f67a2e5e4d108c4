// References in a definition, in VS Code's syntax: `${input:ID}` (secret store), `${env:NAME}`, places such as `${userHome}`. Resolved by
// main/servers. A form that only VS Code knows is reported; a shell's `${HOME}` is left alone. Pure.

const pattern = (): RegExp =>
  /\$\{(?:env:(?<env>[A-Za-z_][A-Za-z0-9_]*)|input:(?<input>[^{}\p{C}]{1,100})|(?<place>userHome|workspaceFolderBasename|workspaceFolder|pathSeparator|\/))\}/gu

export type BuiltinVariable = 'userHome' | 'workspaceFolder' | 'workspaceFolderBasename' | 'pathSeparator' | '/'
type Reference =
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'input'; readonly id: string }
  | { readonly kind: 'place'; readonly place: BuiltinVariable }

const referenceOf = (groups: Readonly<Record<string, string | undefined>>): Reference => {
  if (groups['env'] !== undefined) return { kind: 'env', name: groups['env'] }
  if (groups['input'] !== undefined) return { kind: 'input', id: groups['input'] }
  return { kind: 'place', place: groups['place'] as BuiltinVariable }
}

/** Replaces references in one pass, so that a replacement is never read as a reference. Undefined: left as written. */
export const replaceReferences = (text: string, replace: (reference: Reference) => string | undefined): string =>
  text.replace(pattern(), (whole: string, ...rest: unknown[]) => replace(referenceOf(rest.at(-1) as Record<string, string>)) ?? whole)

export const referencesIn = (text: string): Reference[] => [...text.matchAll(pattern())].map(({ groups = {} }) => referenceOf(groups))

/** Longest reference, in characters. */
const longest = 120
/** VS Code's forms; a shell's `${name:-default}` is none of them. */
const forms =
  /^(?:workspace[A-Z]\w*(?::.*)?|relativeFile(?:Dirname)?|file(?:WorkspaceFolder|Basename|Dirname|Extname)\w*|execPath|selectedText|(?:env|input|config|command):(?![-=+?]).*)$/
const placeNames = ['userHome', 'workspaceFolder', 'workspaceFolderBasename', 'pathSeparator']

/** Finds the first unsupported reference. `place`: the one that it may misspell. */
export function unknownReference(text: string): { readonly text: string; readonly place?: string } | undefined {
  for (const [whole, inner = ''] of text.matchAll(/\$\{([^{}]*)\}/g)) {
    if (whole.length > longest || referencesIn(whole).length > 0) continue
    const place = /^[a-z]/.test(inner) ? placeNames.find((known) => known.toLowerCase() === inner.toLowerCase()) : undefined
    if (place !== undefined) return { text: whole, place }
    if (forms.test(inner)) return { text: whole }
  }
  return undefined
}

export const inputReference = (id: string): string => `\${input:${id}}`

/** Whether a value is one reference, possibly after a scheme: `Bearer ${input:token}`. */
export const isReferenceOnly = (value: string): boolean => {
  const bare = value.replace(/^[A-Za-z]{1,20} /, '')
  const [first, ...more] = referencesIn(bare)
  return first !== undefined && more.length === 0 && first.kind !== 'place' && replaceReferences(bare, () => '') === ''
}

/** Returns the id of a value that is one input reference, possibly after a scheme. */
export function onlyInputOf(value: string): string | undefined {
  if (!isReferenceOnly(value)) return undefined
  const [reference] = referencesIn(value)
  return reference?.kind === 'input' ? reference.id : undefined
}

/** Lists the ids of all inputs in a value, each once, in the order of first use. */
export const inputsIn = (value: unknown): string[] => [
  ...new Set(textsIn(value).flatMap((text) => referencesIn(text).flatMap((one) => (one.kind === 'input' ? [one.id] : [])))),
]

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
