// Setting a server up: a test run of what is not saved yet, and saving it. Both make the same of what the person entered,
// so that what was tried is what is saved.
import type { ServerDefinition } from '#app/server/definition.ts'
import type { TrialDefinition } from '#app/server/trial.ts'
import { startsAlike } from '#main/servers/launch-target.ts'
import type { HandlersOf, HostParts } from './handlers.ts'
import { type SaveWithSecrets, saveWithSecrets, splitSecrets } from './server-secrets.ts'

type SetupRequest = 'server.save' | 'server.try' | 'server.watchTrial' | 'server.endTrial' | 'server.forgetTrials'

const entered = ({ name, previousName, definition, keepSecrets = [], values }: TrialDefinition): Omit<SaveWithSecrets, 'save'> => ({
  name,
  previousName,
  definition,
  keep: keepSecrets,
  entered: values,
})

export function setupRequests(host: HostParts): Pick<HandlersOf<'server'>, SetupRequest> {
  const { config, servers } = host

  /** What is remembered of a server, and what was allowed and switched off, goes with its new name. */
  function saveUnderName(name: string, definition: ServerDefinition, previousName: string | undefined): void {
    const known = config.definitions()
    const from = previousName !== undefined && known.has(previousName) && !known.has(name) ? previousName : name
    if (from !== name) host.broker.endApprovals(name, 'server-renamed')
    host.store.servers.rename(from, name)
    try {
      config.save(name, definition, previousName)
    } catch (error) {
      host.store.servers.rename(name, from)
      throw error
    }
  }

  async function moveSignIn(name: string, previousName = name): Promise<() => Promise<void>> {
    const known = config.definitions()
    return known.has(previousName) && !known.has(name) ? servers.moveSignIn(previousName, name) : async () => undefined
  }

  return {
    async 'server.save'(params) {
      const { name, previousName, trials = [] } = params
      const replaced = config.definitions().has(previousName ?? name)
      const agreed = servers.trials.agreed(trials)
      const moveBack = await moveSignIn(name, previousName)
      const secrets = await saveWithSecrets(host, {
        ...entered(params),
        save(whole) {
          saveUnderName(name, whole, previousName)
          // Before anything of it can start: a start asks in a later turn of the loop.
          agreed.find(({ definition }) => startsAlike(definition, whole))?.yes.keep(name)
        },
      }).catch(async (error: unknown) => {
        await moveBack()
        throw error
      })
      host.store.audit.append({
        kind: 'config',
        server: name,
        decision: replaced ? 'changed' : 'added',
        by: 'person',
        detail: {
          ...(previousName === undefined || previousName === name ? {} : { previousName }),
          ...(secrets.length > 0 ? { secrets: [...secrets], kept: host.platform.secrets.kind } : {}),
        },
      })
      return {}
    },
    'server.try'(params) {
      const { name, previousName = name, trials = [] } = params
      const { definition, secrets } = splitSecrets(host, entered(params))
      const known = config.definitions().has(previousName)
      const server = known ? previousName : name
      const agreed = servers.trials.agreed(trials).map(({ yes }) => yes)
      return { id: servers.trials.begin(servers.tryOut({ server, definition, values: secrets, known, agreed })) }
    },
    'server.watchTrial': ({ id, after }) => servers.trials.watch(id, after),
    async 'server.endTrial'({ id }) {
      await servers.trials.end(id)
      return {}
    },
    'server.forgetTrials'({ trials }) {
      servers.trials.forget(trials)
      return {}
    },
  }
}
