// Every secret value that this run has met. The audit log is written through a mask of them.
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'
import { looksSecret, maskText } from '#app/text/secret-names.ts'
import type { SecretStore } from '#main/platform.ts'
import { createMask } from '#main/servers/process/logs/redact-secrets.ts'
import type { AuditStore } from '#main/store/store-api.ts'

/** Each renewed token is one more; old ones are worthless. */
const mostKept = 500

export function createKnownSecrets() {
  const kept = new Set<string>()
  let known: ((text: string) => string) | undefined
  const add = (values: readonly string[]): void => {
    for (const value of values.flatMap(withoutScheme)) {
      if (kept.has(value)) continue
      known = undefined
      kept.add(value)
      const [oldest] = kept
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    }
  }
  const maskKnown = (text: string): string => {
    known ??= createMask([...kept])
    return known(text)
  }
  return {
    add,
    mask: (text: string): string => maskText(maskKnown(text)),
    maskKnown,
    /** Returns the same store, whose values are known from then on. */
    watch: (store: SecretStore): SecretStore => ({
      get kind() {
        return store.kind
      },
      async get(name) {
        const value = await store.get(name)
        if (value !== undefined) add(secretsIn(value))
        return value
      },
      async set(name, value) {
        add(secretsIn(value))
        await store.set(name, value)
      },
      delete: (name) => store.delete(name),
    }),
  }
}

/** Returns the value, and of `Bearer …` the token too. */
const withoutScheme = (value: string): string[] => [value, ...(/^(?:bearer|basic|dpop|token) +(\S.*)$/is.exec(value)?.slice(1) ?? [])]

/** Returns the text itself, or of a JSON object, as tokens are stored, the values whose names look secret. */
export function secretsIn(value: string): string[] {
  const parsed = parseJson(value)
  return isJsonObject(parsed) ? Object.entries(parsed).flatMap(([name, item]) => under(name, item)) : [value]
}

/** `d`: the private part of a JSON Web Key. */
function under(name: string, value: Json | undefined): string[] {
  if (typeof value === 'string') return looksSecret(name) || name === 'd' ? [value] : []
  if (Array.isArray(value)) return value.flatMap((item: Json) => under(name, item))
  return isJsonObject(value) ? Object.entries(value).flatMap(([inner, item]) => under(inner, item)) : []
}

/** Fields that the host fills itself: a mask would break references between rows. */
const ours = new Set(['sha256', 'fingerprint', 'requestId', 'callId', 'ruleId', 'replacedBy'])

/** Returns the same audit store, whose new rows are masked. */
export function maskedAudit(audit: AuditStore, mask: (text: string) => string): AuditStore {
  const masked = (value: Json): Json => {
    if (typeof value === 'string') return mask(value)
    if (Array.isArray(value)) return value.map((item: Json) => masked(item))
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [mask(name), ours.has(name) ? item : masked(item)]))
  }
  return {
    ...audit,
    append: (entry) =>
      audit.append({
        ...entry,
        ...(entry.tool == null ? {} : { tool: mask(entry.tool) }),
        ...(entry.detail === undefined ? {} : { detail: masked(entry.detail) as JsonObject }),
      }),
  }
}

/** Values of variables that are keys by their name. */
export const secretVariables = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(env).flatMap(([name, value]) => (value && /^ASSENT_INPUT_|_API_KEY$/.test(name) ? [value] : []))
