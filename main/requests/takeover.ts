// Taking servers over from other programs. What is shown is what is written: the last looks are kept, secrets set apart, since
// each window has its own, and the answer to the broker's question counts for exactly that. Nothing is started.
import { homedir } from 'node:os'
import { HostError } from '#app/errors.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { withFreshInputs } from '#app/server/import/fresh-inputs.ts'
import { hostId, hostNames } from '#app/server/import/host-names.ts'
import type { FoundServer } from '#app/server/import/snippet.ts'
import { sameHere, type TakeoverChoice, type TakeoverServer, type TakeoverState } from '#app/server/takeover.ts'
import { t } from '#app/words/translate.ts'
import { newId } from '#main/base/ids.ts'
import type { FileElsewhere } from '#main/servers/elsewhere/look.ts'
import { keepSecrets } from '#main/servers/inputs/keep.ts'
import { launchTarget, startsAlike } from '#main/servers/launch-target.ts'
import type { HandlersOf, HostParts } from './handlers.ts'
import { saveWithSecrets } from './server-secrets.ts'

interface Kept {
  readonly view: TakeoverServer
  readonly values: ReadonlyMap<string, string>
  readonly from: string
  readonly file: string
}

interface Chosen extends Kept {
  readonly name: string
  /** What is here under that name as the person is asked. */
  readonly replaced: ServerDefinition | undefined
}

/** Looks that can still be chosen from: what a window shows is the last of several that it made. */
const mostLooks = 8

export function takeoverRequests(host: HostParts): HandlersOf<'takeover'> {
  const { config, broker, env } = host
  /** The latest last. */
  let looks: readonly ReadonlyMap<string, Kept>[] = []
  let asking = new AbortController()

  function keep(looked: Map<string, Kept>, { host: id, path }: FileElsewhere, found: FoundServer): TakeoverServer {
    const here = config.definitions()
    const { definition, secrets } = keepSecrets(found.definition, found.secrets, config.inputs().keys())
    const target = launchTarget(definition)
    const same = sameHere(found.name, definition, here)
    const current = here.get(found.name)
    const currentTarget = current && launchTarget(current)
    const state: TakeoverState =
      same !== undefined
        ? { kind: 'same', as: same }
        : current
          ? { kind: 'different', ...(currentTarget ? { here: currentTarget } : {}) }
          : { kind: 'new' }
    const view: TakeoverServer = {
      id: newId(),
      name: found.name,
      definition,
      ...(target ? { target } : {}),
      secrets: found.secrets,
      problems: found.problems,
      ...(found.project === undefined ? {} : { project: found.project }),
      state,
    }
    looked.set(view.id, { view, values: secrets, from: hostNames()[id], file: path })
    return view
  }

  function choose(choices: readonly TakeoverChoice[]): Chosen[] {
    const here = config.definitions()
    const names = new Set<string>()
    return choices.map(({ id, name, replace }) => {
      const kept = looks.find((look) => look.has(id))?.get(id)
      if (!kept) throw new HostError('config.invalid', t`What was found is not there any more. Look again.`)
      const replaced = here.get(name)
      if (names.has(name) || (replaced && !replace))
        throw new HostError('config.invalid', t`There is a server named “${name}” already. Choose another name.`, {
          data: { server: name },
        })
      names.add(name)
      return { ...kept, name, replaced }
    })
  }

  /** Throws when it is not any more as it was when the person was asked. */
  async function write({ name, view, values, replaced, from, file }: Chosen): Promise<void> {
    const now = config.definitions().get(name)
    if (now ? !replaced || !startsAlike(now, replaced) : replaced)
      throw new HostError('config.invalid', t`“${name}” has changed here meanwhile. It was not written.`, { data: { server: name } })
    await saveWithSecrets(host, {
      name,
      previousName: undefined,
      definition: view.definition,
      keep: [],
      entered: Object.fromEntries(values),
      save: (definition) => config.save(name, definition),
    })
    host.store.audit.append({
      kind: 'config',
      server: name,
      decision: replaced ? 'changed' : 'added',
      by: 'person',
      detail: { from, file, ...(values.size > 0 ? { secrets: [...values.keys()], kept: host.platform.secrets.kind } : {}) },
    })
  }

  return {
    async 'takeover.look'({ place }) {
      const system = { platform: process.platform, home: env['HOME'] ?? env['USERPROFILE'] ?? homedir(), env }
      const { lookElsewhere, lookIn } = await import('#main/servers/elsewhere/look.ts')
      const asked = place === undefined ? [] : await lookIn(place, system)
      const known = new Set(asked.map(({ path }) => path))
      const files = [
        ...asked.map((file) => ({ ...file, asked: true as const })),
        ...(await lookElsewhere(system)).filter(({ path }) => !known.has(path)),
      ]
      const looked = new Map<string, Kept>()
      looks = [...looks.slice(1 - mostLooks), looked]
      const taken = new Set(config.inputs().keys())
      const read = files
        .map((file) => ({ ...file, snippet: withFreshInputs(file.snippet, taken) }))
        .filter(({ snippet }) => snippet.servers.length + snippet.problems.length > 0)
        .map((file) => ({
          host: file.host,
          path: file.path,
          servers: file.snippet.servers.map((server) => keep(looked, file, server)),
          problems: file.snippet.problems,
          ...('asked' in file ? { asked: true as const } : {}),
        }))
      return {
        hosts: hostId.options.flatMap((id) => {
          const own = read.filter((file) => file.host === id).map(({ host: _, ...file }) => file)
          return own.length > 0 ? [{ host: id, files: own }] : []
        }),
      }
    },
    async 'takeover.take'({ servers }) {
      const chosen = choose(servers)
      // One question at a time: what was asked before was of another choice.
      asking.abort()
      asking = new AbortController()
      const outcome = await broker.configImport({
        from: [...new Set(chosen.map(({ from }) => from))].join(', '),
        servers: chosen.map(({ name, from, file, view, replaced }) => {
          const here = replaced && launchTarget(replaced)
          return {
            name,
            from,
            file,
            ...(view.target ? { target: view.target } : {}),
            secrets: view.secrets,
            ...(replaced ? { replaces: here ? { target: here } : {} } : {}),
          }
        }),
        signal: asking.signal,
      })
      const taken: string[] = []
      const failed: { name: string; message: string }[] = []
      if (outcome === 'allowed')
        for (const one of chosen)
          try {
            await write(one)
            taken.push(one.name)
          } catch (error) {
            failed.push({ name: one.name, message: error instanceof HostError ? error.message : t`It could not be written.` })
          }
      return { outcome, taken, failed }
    },
  }
}
