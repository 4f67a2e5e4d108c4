// Sign-in of one configured server across changes of its definition. A changed address or changed settings start a new session; the
// attempt under way for the old ones ends.
import { isDeepStrictEqual } from 'node:util'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { HttpDefinition, ServerDefinition } from '#app/server/definition.ts'
import type { LogBuffer } from '../process/logs/log-buffer.ts'
import type { PausableTimeouts } from '../transport/pausable-timeouts.ts'
import type { AuthSession, AuthSessionOptions } from './auth-session.ts'
import type { StoredSignIn } from './token-store.ts'

export type ServerAuth = ReturnType<typeof createServerAuth>

/** Sign-in of a removed server, restored when the removal is undone in this run. */
export interface Released {
  readonly key: unknown
  readonly value: StoredSignIn
}

export type ServerAuthContext = Pick<
  AuthSessionOptions,
  'secrets' | 'broker' | 'openUrl' | 'audit' | 'clock' | 'scope' | 'inherits' | 'onAccount' | 'ownDocument'
> & {
  readonly released?: Promise<Released | undefined> | undefined
  readonly proxies: () => AuthSessionOptions['proxies']
  readonly fill: (definition: HttpDefinition) => Promise<HttpDefinition>
}

export function createServerAuth(
  server: string,
  options: ServerAuthContext & { readonly waits: PausableTimeouts; readonly log: LogBuffer; readonly onChange: () => void },
) {
  const { log, waits, fill, onChange } = options
  let made: { readonly key: unknown; readonly session: AuthSession } | undefined
  const endings = new Set<Promise<void>>()

  function end(): undefined {
    const ending = made?.session.dispose(new HostError('cancelled', t`The sign-in to “${server}” was cancelled.`))
    made = undefined
    if (!ending) return
    options.onAccount(undefined)
    endings.add(ending)
    void ending.finally(() => endings.delete(ending))
  }

  async function dispose(): Promise<void> {
    end()
    await Promise.all(endings)
  }

  async function use(definition: ServerDefinition): Promise<AuthSession | undefined> {
    if (!signsIn(definition)) return end()
    // Imported late: it loads the SDK's client, which local servers do not need.
    const { createAuthSession } = await import('./auth-session.ts')
    const { url, oauth: settings = {} } = definition
    const key = { url, settings }
    if (made && isDeepStrictEqual(made.key, key)) return made.session
    end()
    const session = createAuthSession({
      ...options,
      before: options.released?.then((before) => (isDeepStrictEqual(before?.key, key) ? before?.value : undefined)),
      proxies: options.proxies(),
      server,
      url,
      settings,
      onSecrets: (values) => log.mask(values),
      onChange,
      note: (text) => log.add({ source: 'host', level: 'warning', text }),
    })
    made = { key, session }
    return session
  }

  return {
    get view() {
      return made?.session.view
    },
    get account() {
      return made?.session.account
    },
    get asking() {
      return made?.session.asking === true
    },
    waits,
    /** Returns the session for a resolved definition; undefined when the server needs no sign-in. */
    use,
    /** Returns the session for a definition as configured. @throws {HostError} when values of variables are missing */
    session: async (definition: ServerDefinition) => use(signsIn(definition) ? await fill(definition) : definition),
    forgive: () => made?.session.forgive({ anew: false }),
    dispose,
    /** Ends, and removes the sign-in from the store: another server may get this name. */
    async release(): Promise<Released | undefined> {
      const last = made
      await dispose()
      const value = await last?.session.release()
      return last && value && { key: last.key, value }
    },
  }
}

const signsIn = (definition: ServerDefinition): definition is HttpDefinition =>
  (definition.transport === 'streamable-http' || definition.transport === 'sse') &&
  (definition.oauth !== undefined || !Object.keys(definition.headers).some((name) => name.toLowerCase() === 'authorization'))
