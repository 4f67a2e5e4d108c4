// Options of `assent model`, read and checked without side effects. A key is never among them.
import { t } from '#app/i18n/translate.ts'
import { type EndpointFormat, endpointFormats, endpointPresets, headerName, variableName } from '#app/models/presets.ts'
import { defined } from '#app/or-else.ts'
import { mayBeSecret } from '#app/text/secret-names.ts'
import { nearest } from '#main/base/nearest-name.ts'
import { excludesLabel, extraArgumentLabel, inARow, missingLabel, needsOptionLabel, suggestionLabel, wrongValueLabel } from './output.ts'

export interface NewEndpoint {
  readonly preset?: string
  readonly url?: string
  readonly format?: EndpointFormat
  readonly keyEnv?: string
  /** A header whose name looks secret has the name of a variable as its value. */
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Fields of the preset, such as its resource. */
  readonly fields: Readonly<Record<string, string>>
  readonly unchecked: boolean
}

type ReadEndpoint = { readonly kind: 'wrong'; readonly message: string } | { readonly kind: 'read'; readonly options: NewEndpoint }

const wrong = (message: string): ReadEndpoint => ({ kind: 'wrong', message })
const isFormat = (value: string): value is EndpointFormat => endpointFormats.some((format) => format === value)

/** Reads the options of `model ACTION [NAME]`; `values`: as `parseArgs` returns them. */
export function readEndpoint([action, name]: readonly string[], values: Readonly<Record<string, unknown>>): ReadEndpoint {
  // Each has the type that its option declares.
  const text = (option: string): string | undefined => values[option] as string | undefined
  const many = (option: string): readonly string[] => (values[option] as readonly string[] | undefined) ?? []
  if (action !== 'add' && action !== 'list' && action !== 'remove') return wrong(wrongValueLabel('model', 'add|list|remove', action))
  const typed = ownOptions.find((option) => values[option] !== undefined)
  if (action !== 'add' && typed !== undefined) return wrong(needsOptionLabel(`--${typed}`, 'model add'))
  if (action === 'list' && name !== undefined) return wrong(extraArgumentLabel(name))
  if (action === 'remove' && name === undefined) return wrong(missingLabel('NAME'))
  const [preset, url, format, keyEnv] = [text('preset'), text('url'), text('format'), text('key-env')]
  const misuse = action === 'add' ? addFault({ name, preset, url, format, keyEnv }) : undefined
  if (misuse !== undefined) return wrong(misuse)
  const pairs = (['header', 'query', 'set'] as const).map((option) => [option, many(option).map(pairOf)] as const)
  for (const [option, list] of pairs)
    if (list.includes(undefined)) return wrong(wrongValueLabel(`--${option}`, 'NAME=VALUE', many(option).join(' ')))
  const [headers = {}, query = {}, fields = {}] = pairs.map(([, list]) => Object.fromEntries(list.filter((pair) => pair !== undefined)))
  const header = Object.keys(headers).find((one) => !headerName.test(one))
  if (header !== undefined) return wrong(wrongValueLabel('--header', 'NAME=VALUE', header))
  const told = Object.entries(headers).find(([one, value]) => mayBeSecret(one) && !variableName.test(value))
  if (told) return wrong(t`The header ${told[0]} looks secret. Write --header ${told[0]}=VAR, with its value in that variable.`)
  const key = Object.keys(query).find(mayBeSecret)
  if (key !== undefined) return wrong(t`The query parameter ${key} looks secret. Give it as key or header.`)
  const read = defined({ preset, url, keyEnv, format: format !== undefined && isFormat(format) ? format : undefined })
  return { kind: 'read', options: { ...read, headers, query, fields, unchecked: values['unchecked'] === true } }
}

const ownOptions = ['format', 'preset', 'url', 'key-env', 'header', 'query', 'set', 'unchecked'] as const

type AddOptions = Readonly<Record<'name' | 'preset' | 'url' | 'format' | 'keyEnv', string | undefined>>

/** Returns what is wrong with the arguments of `model add`, if anything. */
function addFault({ name, preset, url, format, keyEnv }: AddOptions): string | undefined {
  if (format !== undefined && !isFormat(format)) return wrongValueLabel('--format', endpointFormats.join('|'), format)
  if (preset === undefined && url === undefined) return missingLabel('--url | --preset')
  if (preset === undefined && name === undefined) return missingLabel('NAME')
  if (preset !== undefined && url !== undefined) return excludesLabel('--url', '--preset')
  const ids = endpointPresets.map(({ id }) => id)
  if (preset !== undefined && !ids.includes(preset))
    return inARow(t`There is no preset “${preset}”.`, suggestionLabel(nearest(preset, ids)) || t`There are: ${ids.join(', ')}.`)
  if (keyEnv !== undefined && !variableName.test(keyEnv)) return wrongValueLabel('--key-env', 'VAR', keyEnv)
  return undefined
}

function pairOf(text: string): readonly [string, string] | undefined {
  const at = text.indexOf('=')
  return at < 1 ? undefined : [text.slice(0, at), text.slice(at + 1)]
}
