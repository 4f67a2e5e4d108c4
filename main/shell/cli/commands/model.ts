// `assent model`: adds, lists and removes endpoints for models. A key is read from a variable or from stdin; it is never
// an argument, which others on this machine could read.
import { text as readAll } from 'node:stream/consumers'
import { disguisedHost, disguisedLabel } from '#app/consent/display/disguised-parts.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ModelInfo, ProviderSummary } from '#app/models/models.ts'
import { type EndpointPreset, endpointPresets, presetUrl, wrongField } from '#app/models/presets.ts'
import { defined } from '#app/or-else.ts'
import { alikeAmong } from '#app/text/look-alike.ts'
import { mayBeSecret } from '#app/text/secret-names.ts'
import { keyInEnvironment } from '#main/models/ai-sdk/cloud-keys.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import type { NewEndpoint } from '../model-options.ts'
import { formatTable, needsOptionLabel, visibleLine, wrongValueLabel } from '../output.ts'
import type { CliContext } from '../with-host.ts'

/** Runs `model add|list|remove`. */
export async function model(context: CliContext, [action, name]: readonly string[]): Promise<ExitCode> {
  if (action === 'add' && context.options.endpoint) return add(context, context.options.endpoint, name)
  if (action === 'remove') return remove(context, name ?? '')
  return list(context)
}

async function add({ host, output, joined }: CliContext, endpoint: NewEndpoint, given: string | undefined): Promise<ExitCode> {
  const preset = endpointPresets.find(({ id }) => id === endpoint.preset)
  const baseUrl = preset ? presetUrl(preset, endpoint.fields) : endpoint.url
  if (baseUrl === undefined) throw fieldError(preset, endpoint.fields)
  const { keyEnv } = endpoint
  // This warning comes before the key is sent.
  for (const part of URL.canParse(baseUrl) ? disguisedHost(baseUrl) : []) output.note(`assent: ${disguisedLabel(part, visibleLine)}`)
  // A running host has the environment that it was started in: it borrows the value for its run.
  const keyNow = joined && keyEnv !== undefined ? (await keyInEnvironment(process.env, keyEnv)) || undefined : undefined
  const usual = keyEnv === undefined ? preset?.variables.filter((name) => process.env[name]?.trim()) : undefined
  const key = keyEnv === undefined ? await readKey() : ''
  if (key === '' && usual?.[0] !== undefined) output.note(`assent: ${t`${usual[0]} is set here. To use it: --key-env ${usual[0]}`}`)
  const name = given ?? preset?.name ?? ''
  const { providers } = await host.request('models.list', {})
  const known = providers.find((one) => one.endpoint === 'added' && one.name === name)
  const alike = alikeAmong(
    name,
    [...providers, ...endpointPresets].map((one) => one.name),
  )
  if (alike.length > 0) output.note(`assent: ${t`${visibleLine(name)} looks like ${visibleLine(alike.join(', '))}.`}`)
  const saved = await host.request('endpoint.save', {
    ...defined({ id: known?.id, keyEnv, keyNow, format: endpoint.format ?? preset?.format }),
    ...{ name, baseUrl, headers: readHeaders(endpoint.headers), query: { ...endpoint.query } },
    ...(key === '' ? {} : { key }),
    ...(endpoint.unchecked ? { unchecked: true } : {}),
  })
  if (output.json) output.value(saved)
  else output.text(t`${visibleLine(saved.id)}: models ${saved.models}`)
  if (saved.lent) output.note(`assent: ${t`${keyEnv} is not set where Assent runs: this key is used until it closes.`}`)
  const isKept = key !== '' || Object.keys(endpoint.headers).some(mayBeSecret)
  if (isKept && (await host.request('app.snapshot', {})).shell.secrets === 'memory') {
    output.note(`assent: ${t`No keyring here: the key is not kept. Use --key-env NAME.`}`)
  }
  return exitCodes.done
}

function fieldError(preset: EndpointPreset | undefined, given: NewEndpoint['fields']): HostError {
  const wrong = preset && wrongField(preset, given)
  const option = `--set ${wrong?.id}=…`
  const message = wrong?.value ? wrongValueLabel(option, 'a-z 0-9 -', wrong.value) : needsOptionLabel(preset?.name ?? '', option)
  return new HostError('model.endpoint-wrong', message, { data: { field: wrong?.id ?? '' } })
}

/** Returns the headers, those that look secret with the values of their variables. @throws {HostError} `model.key-missing` */
function readHeaders(headers: NewEndpoint['headers']): Record<string, string> {
  const read = (name: string, value: string): string => {
    if (!mayBeSecret(name)) return value
    const secret = process.env[value]?.trim()
    if (!secret)
      throw new HostError('model.key-missing', t`The environment variable ${value} is not set here.`, { data: { variable: value } })
    return secret
  }
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, read(name, value)]))
}

/** Reads a key from stdin; '': there is none, or it is a terminal. */
async function readKey(): Promise<string> {
  if (process.stdin.isTTY) return ''
  return (await readAll(process.stdin)).trim()
}

async function remove({ host }: CliContext, name: string): Promise<ExitCode> {
  const { providers } = await host.request('models.list', {})
  const added = providers.filter(({ endpoint }) => endpoint !== undefined)
  const found = added.find(({ id }) => id === name) ?? added.find((one) => one.name === name)
  if (!found) {
    const ids = added.map(({ id }) => id).join(', ')
    const others = ids === '' ? '' : ` ${t`There are: ${ids}.`}`
    throw new HostError('model.unknown', `${t`There is no provider “${name}”.`}${others}`, { data: { provider: name } })
  }
  await host.request('endpoint.remove', { id: found.id })
  return exitCodes.done
}

async function list({ host, output }: CliContext): Promise<ExitCode> {
  const { models, providers } = await host.request('models.list', {})
  const { defaultModel } = (await host.request('app.snapshot', {})).settings
  if (output.json) output.value({ defaultModel, providers: providers.map((one) => listed(one, models)) })
  else
    output.text(
      formatTable(
        providers.flatMap((one) => {
          const own = modelsOf(one, models)
          const none = [[one.id, one.error ? visibleLine(one.error.message) : keyLabel(one)]]
          return own.length === 0 ? none : own.map(({ id }) => [id, id === defaultModel ? t`default` : ''])
        }),
      ),
    )
  return exitCodes.done
}

const modelsOf = ({ id }: ProviderSummary, models: readonly ModelInfo[]) => models.filter(({ provider }) => provider === id)

const listed = (one: ProviderSummary, models: readonly ModelInfo[]) => ({
  ...{ id: one.id, name: one.name, kind: one.endpoint ?? 'builtin', format: one.format ?? null, url: one.baseUrl ?? null },
  ...{ key: one.key.kind, keyEnv: one.keyEnv ?? null, error: one.error ?? null },
  models: modelsOf(one, models),
})

function keyLabel({ key, keyEnv }: ProviderSummary): string {
  if (key.kind !== 'missing') return t`no models`
  return keyEnv === undefined ? t`no key` : t`${keyEnv} is not set`
}
