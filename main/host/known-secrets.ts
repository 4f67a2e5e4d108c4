// Every secret value that this run has met. The audit log is written through a mask of them.

import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import type { ProviderId } from '#app/models/models.ts'
import { parseJson } from '#app/or-else.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { maskText } from '#app/text/secret-names.ts'
import { createHostMask, createMask, secretTexts } from '#main/base/redact-secrets.ts'
import type { SecretStore } from '#main/base/secret-store.ts'
import { secretName } from '#main/models/models-api.ts'
import type { Inputs } from '#main/servers/config/inputs/input-values.ts'
import { secretValues } from '#main/servers/config/mask-definition.ts'
import type { AuditStore } from '#main/store/store-api.ts'

/** Each renewed token is one more; old ones are worthless. */
const mostKept = 500

export function createKnownSecrets() {
  const kept = new Set<string>()
  let known: ((text: string) => string) | undefined
  let knownInHosts: ((host: string) => string) | undefined
  const add = (values: readonly string[]): void => {
    for (const value of values) {
      if (kept.has(value)) continue
      known = knownInHosts = undefined
      kept.add(value)
      const [oldest] = kept
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    }
  }
  const maskHost = (host: string): string => {
    knownInHosts ??= createHostMask([...kept])
    return knownInHosts(host)
  }
  const maskKnown = (text: string): string => {
    known ??= createMask([...kept])
    return known(text)
  }
  return {
    add,
    mask: (text: string): string => maskText(maskKnown(text)),
    maskKnown,
    maskHost,
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

interface SecretPlaces {
  readonly known: ReturnType<typeof createKnownSecrets>
  /** Watched: what is read is known from then on. */
  readonly secrets: SecretStore
  readonly definitions: () => ReadonlyMap<string, ServerDefinition>
  readonly inputs: Pick<Inputs, 'views' | 'get'>
  readonly providers: () => readonly ProviderId[]
  /** File that configures the servers; '': the profile's own. */
  readonly scope: string
}

/** Returns what reads all secrets that the profile names, so that an export masks also those of servers and models that nobody used yet. */
export function createSecretReader({ known, secrets, definitions, inputs, providers, scope }: SecretPlaces): () => Promise<void> {
  let read: { readonly of: ReadonlyMap<string, ServerDefinition>; readonly done: Promise<unknown> } | undefined
  async function readAll(servers: ReadonlyMap<string, ServerDefinition>): Promise<void> {
    const { createTokenStore } = await import('#main/servers/auth/token-store.ts')
    known.add([...servers.values()].flatMap((definition) => secretValues(definition, definition)))
    // What the keyring does not give cannot be in what it is asked for.
    await Promise.allSettled([
      ...providers().map((id) => secrets.get(secretName(id))),
      ...[...servers].flatMap(([server, definition]) => [
        ...inputs.views(server, definition).map(({ id }) => inputs.get(server, id)),
        ...('url' in definition ? [createTokenStore(secrets, definition.url, { server, scope, inherits: () => false }).signedIn()] : []),
      ]),
    ])
  }
  return async () => {
    const servers = definitions()
    if (read?.of !== servers) read = { of: servers, done: readAll(servers) }
    await read.done
  }
}

/** Returns the text itself, or of a JSON object, as tokens are stored, the values whose names look secret. */
export function secretsIn(value: string): string[] {
  const parsed = parseJson(value)
  return isJsonObject(parsed) ? secretTexts(parsed) : [value]
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
