// Masks of secrets. Values that look secret never reach a page: a mask stands in their place, and a form that comes back with the mask
// keeps the value of the file.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { type OAuthSettings, oauthSecrets } from '#app/server/auth-status.ts'
import { secretMask as mask, type ServerDefinition } from '#app/server/definition.ts'
import { isReferenceOnly } from '#app/server/inputs/variable-references.ts'
import { mayBeSecret, secretArgs } from '#app/text/secret-names.ts'

const mapValues = (values: Readonly<Record<string, string>>, change: (name: string, value: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(name, value)]))

const hide = (values: Readonly<Record<string, string>>): Record<string, string> =>
  mapValues(values, (name, value) => (value !== '' && mayBeSecret(name) && !isReferenceOnly(value) ? mask : value))

const secretsAmong = (written: Readonly<Record<string, string>>, filled: Readonly<Record<string, string>>): string[] =>
  Object.entries(filled).flatMap(([name, value]) => (mayBeSecret(name) || written[name] !== value ? [value] : []))

/** Lists the texts of a resolved definition that must not appear in a log. `written`: the definition as the file has it. */
export function secretValues(written: ServerDefinition, filled: ServerDefinition): string[] {
  if (written.transport === 'stdio' && filled.transport === 'stdio')
    return [...secretsAmong(written.env, filled.env), ...secretArgs(filled.args)]
  if (!('headers' in written) || !('headers' in filled)) return []
  const { oauth } = filled
  return [...secretsAmong(written.headers, filled.headers), ...oauthSecrets.flatMap((name) => oauth?.[name] ?? [])]
}

function hideOAuth(oauth: OAuthSettings): OAuthSettings {
  const hidden = { ...oauth }
  for (const name of oauthSecrets) if (hidden[name] !== undefined && !isReferenceOnly(hidden[name])) hidden[name] = mask
  return hidden
}

/** The definition as the page may see it. */
export function maskDefinition(definition: ServerDefinition): ServerDefinition {
  if (definition.transport === 'stdio') return { ...definition, env: hide(definition.env) }
  if (definition.transport === 'builtin') return definition
  const { oauth } = definition
  return { ...definition, headers: hide(definition.headers), ...(oauth && { oauth: hideOAuth(oauth) }) }
}

/** Puts back the values that masks stand for. @throws {HostError} `config.invalid` for a mask that stands for nothing */
export function unmaskDefinition(server: string, definition: ServerDefinition, previous: ServerDefinition | undefined): ServerDefinition {
  const before: Readonly<Record<string, string>> =
    previous?.transport === 'stdio' ? previous.env : previous && previous.transport !== 'builtin' ? previous.headers : {}
  const kept = (name: string, value: string | undefined): string => {
    if (value !== undefined) return value
    throw new HostError('config.invalid', t`The hidden value of “${name}” of ${server} is not known. Type it again.`, {
      data: { server, name },
    })
  }
  const show = (values: Readonly<Record<string, string>>): Record<string, string> =>
    mapValues(values, (name, value) => (value === mask ? kept(name, Object.hasOwn(before, name) ? before[name] : undefined) : value))
  if (definition.transport === 'stdio') return { ...definition, env: show(definition.env) }
  if (definition.transport === 'builtin') return definition
  const { oauth } = definition
  if (!oauth) return { ...definition, headers: show(definition.headers) }
  const oauthBefore = previous && 'oauth' in previous ? previous.oauth : undefined
  const shown = { ...oauth }
  for (const name of oauthSecrets) if (shown[name] === mask) shown[name] = kept(name, oauthBefore?.[name])
  return { ...definition, headers: show(definition.headers), oauth: shown }
}
