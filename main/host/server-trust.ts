// Whether a server is trusted is an answer of the person, kept in the store and bound to what the server runs. `trusted` in the
// profile's servers.json is only a claim, since other programs can write there. A file that the caller named is believed.
import type { ServerDefinition } from '#app/server/definition.ts'
import { unmaskDefinition } from '#main/servers/config/mask-definition.ts'
import { launchKey } from '#main/servers/lifecycle/launch-target.ts'
import type { ServerStore } from '#main/store/store-api.ts'
import type { ServerConfig } from '../servers/config/config-file.ts'

export interface AnsweredConfig extends ServerConfig {
  /** Whether the file marks the server as trusted and the person did not. */
  claimsTrust(name: string): boolean
}

/** `runsOther`: whether another program runs than the approved one; the trust in that one is none in this. */
export function answeredTrust(
  config: ServerConfig,
  store: Pick<ServerStore, 'trusted' | 'putTrust'>,
  runsOther: (name: string) => boolean = () => false,
): AnsweredConfig {
  const isClaim = ({ transport, trusted }: ServerDefinition): boolean => trusted && transport !== 'builtin'
  const counts = (answers: ReadonlyMap<string, string>, name: string, definition: ServerDefinition): boolean =>
    !isClaim(definition) || (answers.get(name) === launchKey(definition) && !runsOther(name))

  /** Forgets the trust of servers whose mark was taken out of the file: writing it there again is no answer. */
  function forgetWithdrawn(): void {
    for (const name of store.trusted().keys()) if (config.definitions().get(name)?.trusted === false) store.putTrust(name, undefined)
  }
  forgetWithdrawn()
  config.onChange(forgetWithdrawn)

  return {
    ...config,
    definitions() {
      const answers = store.trusted()
      const all = [...config.definitions()]
      return new Map(all.map(([name, one]) => [name, counts(answers, name, one) ? one : { ...one, trusted: false }]))
    },
    claimsTrust(name) {
      const definition = config.definitions().get(name)
      return definition !== undefined && !counts(store.trusted(), name, definition)
    },
    // The app saves what the person answered, now or before.
    save(name, definition, previousName) {
      const before = store.trusted().get(name)
      const whole = unmaskDefinition(name, definition, config.definitions().get(previousName ?? name))
      store.putTrust(name, isClaim(whole) ? launchKey(whole) : undefined)
      try {
        config.save(name, definition, previousName)
      } catch (error) {
        store.putTrust(name, before)
        throw error
      }
    },
  }
}
