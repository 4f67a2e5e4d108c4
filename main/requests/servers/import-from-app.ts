// Taking servers over from other programs. What is shown is what is written: the last looks are kept, secrets set apart, since
// each window has its own, and the answer to the broker's question counts for exactly that. Nothing is started.

import { homedir } from 'node:os'
import type { AppImportChoice, AppImportServer } from '#app/consent/config-import.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { hostId, hostNames } from '#app/server/import/app-names.ts'
import type { Candidate } from '#app/server/import/candidate.ts'
import { withFreshInputs } from '#app/server/import/fresh-inputs.ts'
import { reviewCandidate } from '#app/server/import/review-candidate.ts'
import { newId } from '#main/base/ids.ts'
import type { AppConfigFile } from '#main/install/other-apps/find-config-files.ts'
import { prepareServer, saveServer } from '#main/install/save-server.ts'
import { nameTaken } from '#main/servers/config/config-file.ts'
import { keepSecrets } from '#main/servers/config/inputs/extract-secrets.ts'
import { launchTargetOf, startsAlike } from '#main/servers/lifecycle/launch-target.ts'
import type { HandlersOf, HostContext } from '../request-handlers.ts'
import { bringBack } from './server-requests.ts'

export const configHandlers = (context: HostContext): HandlersOf<'config'> => ({
  'config.get': () => ({ path: context.config.path, text: context.config.text(), problems: context.config.problems() }),
  'config.save'({ text }) {
    const problems = context.config.saveText(text)
    bringBack(context)
    context.store.audit.append({ kind: 'config', decision: 'saved', by: 'person', detail: { problems: problems.length } })
    return { problems }
  },
  async 'config.parse'({ text }) {
    const { readSnippet } = await import('#app/server/import/read-snippet.ts')
    return withFreshInputs(readSnippet(text), new Set(context.config.inputs().keys()))
  },
})

interface Kept {
  readonly view: AppImportServer
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

export function importFromAppHandlers(context: HostContext): HandlersOf<'takeover'> {
  const { config, broker, env } = context
  /** The latest last. */
  let looks: readonly ReadonlyMap<string, Kept>[] = []
  let asking = new AbortController()

  function choose(choices: readonly AppImportChoice[]): Chosen[] {
    const here = config.definitions()
    const names = new Set<string>()
    return choices.map(({ id, name, replace }) => {
      const kept = looks.find((look) => look.has(id))?.get(id)
      if (!kept) throw new HostError('config.invalid', t`What was found is not there any more. Look again.`)
      const replaced = here.get(name)
      if (names.has(name) || (replaced && !replace)) throw nameTaken(name)
      names.add(name)
      return { ...kept, name, replaced }
    })
  }

  return {
    async 'takeover.look'({ place }) {
      const files = await findFiles(env, place)
      const looked = new Map<string, Kept>()
      looks = [...looks.slice(1 - mostLooks), looked]
      const taken = new Set(config.inputs().keys())
      const read = files
        .map((file) => ({ ...file, snippet: withFreshInputs(file.snippet, taken) }))
        .filter(({ snippet }) => snippet.servers.length + snippet.problems.length > 0)
        .map((file) => ({
          host: file.host,
          path: file.path,
          servers: file.snippet.servers.map((server) => keepFound(config, looked, file, server)),
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
          const here = replaced && launchTargetOf(replaced)
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
      return { outcome, ...(outcome === 'allowed' ? await writeAll(context, chosen) : { taken: [], failed: [] }) }
    },
  }
}

/** The files of other programs; with `place` first those that the person asked for. */
async function findFiles(env: HostContext['env'], place: Parameters<HandlersOf<'takeover'>['takeover.look']>[0]['place']) {
  const system = { platform: process.platform, home: env['HOME'] ?? env['USERPROFILE'] ?? homedir(), env }
  const { findAppConfigFiles, findConfigFilesIn } = await import('#main/install/other-apps/find-config-files.ts')
  const asked = place === undefined ? [] : await findConfigFilesIn(place, system)
  const known = new Set(asked.map(({ path }) => path))
  return [
    ...asked.map((file) => ({ ...file, asked: true as const })),
    ...(await findAppConfigFiles(system)).filter(({ path }) => !known.has(path)),
  ]
}

/** Adds a candidate to what can be chosen from. Returns how it is shown. */
function keepFound(
  config: HostContext['config'],
  looked: Map<string, Kept>,
  { host: id, path }: AppConfigFile,
  { name, definition: whole, secrets, problems, project }: Candidate,
): AppImportServer {
  const here = config.definitions()
  const { definition, secrets: values } = keepSecrets(whole, secrets, config.inputs().keys())
  const target = launchTargetOf(definition)
  const { state } = reviewCandidate({ name, definition }, { taken: [...here.keys()], here })
  const current = here.get(name)
  const currentTarget = current && launchTargetOf(current)
  const view: AppImportServer = {
    id: newId(),
    name,
    definition,
    ...(target ? { target } : {}),
    secrets,
    problems,
    ...(project === undefined ? {} : { project }),
    state: state.kind === 'different' && currentTarget ? { ...state, here: currentTarget } : state,
  }
  looked.set(view.id, { view, values, from: hostNames()[id], file: path })
  return view
}

/** Saves one after the other; what fails keeps none of the others back. */
async function writeAll(context: HostContext, chosen: readonly Chosen[]) {
  const taken: string[] = []
  const failed: { name: string; message: string }[] = []
  for (const one of chosen)
    try {
      await write(context, one)
      taken.push(one.name)
    } catch (error) {
      failed.push({ name: one.name, message: error instanceof HostError ? error.message : t`It could not be written.` })
    }
  return { taken, failed }
}

/** Saves one server. Throws `config.invalid` when it is not any more as it was when the person was asked. */
async function write(context: HostContext, { name, view, values, replaced, from, file }: Chosen): Promise<void> {
  const { config, inputs, store } = context
  const now = config.definitions().get(name)
  if (now ? !replaced || !startsAlike(now, replaced) : replaced)
    throw new HostError('config.invalid', t`“${name}” has changed here meanwhile. It was not written.`, { data: { server: name } })
  // A mask in text of others stands for nothing: it must not come by the value that a server here has.
  const prepared = prepareServer(context, name, { definition: view.definition, keep: [], entered: Object.fromEntries(values) }, undefined)
  const record = { decision: replaced ? 'changed' : 'added', detail: { from, file } }
  await saveServer({ config, inputs, audit: store.audit }, { ...prepared, name, record })
}
