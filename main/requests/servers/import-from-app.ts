// Requests that bring servers in from text and from other applications. The host keeps what the last looks showed, with the values of
// secrets, so that what is written is exactly what the person was shown and asked about, with the start that they approved. Nothing is started.

import { homedir } from 'node:os'
import type { AppImportChoice, AppImportFile, AppImportServer, ImportNeed } from '#app/consent/config-import.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import type { Candidate } from '#app/server/candidate.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { hostId, hostNames } from '#app/server/import/app-names.ts'
import { withFreshInputs } from '#app/server/import/fresh-inputs.ts'
import { unfilledIn } from '#app/server/import/placeholders.ts'
import { reviewCandidate } from '#app/server/import/review-candidate.ts'
import { inputsIn } from '#app/server/inputs/variable-references.ts'
import { newId } from '#main/base/ids.ts'
import type { ConfigImportVerdict } from '#main/consent/broker-api.ts'
import type { AppConfigFile } from '#main/install/other-apps/find-config-files.ts'
import { prepareServer, requireFilled, saveServer } from '#main/install/save-server.ts'
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
    const { readPasted } = await import('#app/server/import/formats/deep-link.ts')
    return withFreshInputs(readPasted(text), new Set(context.config.inputs().keys()))
  },
  'config.discover': async ({ site }) => withFreshInputs(await context.discoverServers(site), new Set(context.config.inputs().keys())),
})

/** Candidate as a page was shown it, with the values that no page gets. */
interface ShownCandidate {
  readonly view: AppImportServer
  readonly secrets: ReadonlyMap<string, string>
  readonly from: string
  readonly file: string
}

interface ChosenCandidate extends ShownCandidate {
  readonly name: string
  /** Server that has the name when the person is asked. */
  readonly replaced: ServerDefinition | undefined
}

/** Looks that can still be chosen from: each window shows the last that it made. */
const mostLooks = 8

export function importFromAppHandlers(context: HostContext): HandlersOf<'appImport'> {
  const { config, broker, env } = context
  let looks: readonly ReadonlyMap<string, ShownCandidate>[] = []
  let asking = new AbortController()

  function choose(choices: readonly AppImportChoice[]): ChosenCandidate[] {
    const here = config.definitions()
    const names = new Set<string>()
    return choices.map(({ id, name, replace }) => {
      const shown = looks.find((look) => look.has(id))?.get(id)
      if (!shown) throw new HostError('config.invalid', t`Search again: the server is no longer there.`)
      requireFilled(shown.view.definition)
      const replaced = here.get(name)
      if (names.has(name) || (replaced && !replace)) throw nameTaken(name)
      names.add(name)
      return { ...shown, name, replaced }
    })
  }

  return {
    async 'appImport.look'({ place, text, site }) {
      const named = site === undefined ? undefined : { path: new URL(site).host, snippet: await context.discoverServers(site) }
      const files = named
        ? [{ host: 'other' as const, asked: true as const, ...named }]
        : text === undefined
          ? await findFiles(env, place)
          : [await pasted(text)]
      const look = new Map<string, ShownCandidate>()
      looks = [...looks.slice(1 - mostLooks), look]
      const taken = new Set(config.inputs().keys())
      const read: (AppImportFile & Pick<AppConfigFile, 'host'>)[] = []
      for (const { host, path, snippet, asked } of files) {
        const { servers, problems } = withFreshInputs(snippet, taken)
        if (servers.length + problems.length === 0) continue
        const shown = await Promise.all(servers.map((server) => showCandidate(context, { host, path }, server)))
        for (const one of shown) look.set(one.view.id, one)
        read.push({ host, path, servers: shown.map(({ view }) => view), problems, ...(asked ? { asked } : {}) })
      }
      return {
        hosts: hostId.options.flatMap((id) => {
          const own = read.filter((file) => file.host === id).map(({ host: _, ...file }) => file)
          return own.length > 0 ? [{ host: id, files: own }] : []
        }),
      }
    },
    async 'appImport.take'({ servers }, caller) {
      const chosen = choose(servers)
      // One question at a time: an earlier one is about another choice.
      asking.abort()
      asking = new AbortController()
      const signal = caller ? AbortSignal.any([asking.signal, caller.signal]) : asking.signal
      const verdict = await broker.configImport({
        from: [...new Set(chosen.map(({ from }) => from))].join(', '),
        servers: chosen.map((one) => {
          const { name, from, file, view, replaced } = one
          const here = replaced && launchTargetOf(replaced)
          const replaces = here ? { target: here } : {}
          const shown = { name, from, file, ...defined({ target: view.target }), secrets: view.secrets, ...(replaced ? { replaces } : {}) }
          return { ...shown, launch: () => startOf(context, one, signal) }
        }),
        signal,
        joined: caller?.joined,
      })
      if (verdict.outcome !== 'allowed') return { outcome: verdict.outcome, taken: [], failed: [] }
      return { outcome: 'allowed', ...(await saveAll(context, chosen, verdict.approved)) }
    },
  }
}

async function pasted(text: string): Promise<AppConfigFile & { readonly asked: true }> {
  const { readSnippet } = await import('#app/server/import/read-snippet.ts')
  const file = t`the pasted text`
  return { host: 'other', path: file, snippet: readSnippet(text, file), asked: true }
}

async function findFiles(env: HostContext['env'], place: string | undefined): Promise<(AppConfigFile & { readonly asked?: true })[]> {
  const system = { platform: process.platform, home: env['HOME'] ?? env['USERPROFILE'] ?? homedir(), env }
  const { findAppConfigFiles, findConfigFilesIn } = await import('#main/install/other-apps/find-config-files.ts')
  const asked = place === undefined ? [] : await findConfigFilesIn(place, system)
  const known = new Set(asked.map(({ path }) => path))
  return [
    ...asked.map((file) => ({ ...file, asked: true as const })),
    ...(await findAppConfigFiles(system)).filter(({ path }) => !known.has(path)),
  ]
}

async function showCandidate(
  { config, servers }: Pick<HostContext, 'config' | 'servers'>,
  { host, path }: Pick<AppConfigFile, 'host' | 'path'>,
  { name, definition: whole, secrets: names, problems, project }: Candidate,
): Promise<ShownCandidate> {
  const here = config.definitions()
  const { definition, secrets } = keepSecrets(whole, names, config.inputs().keys())
  const target = launchTargetOf(definition)
  const { state } = reviewCandidate({ name, definition }, { taken: [...here.keys()], here })
  const current = here.get(name)
  const currentTarget = current && launchTargetOf(current)
  const view = {
    ...{ id: newId(), name, definition, secrets: names, problems },
    ...(target ? { target } : {}),
    ...(project === undefined ? {} : { project }),
    state: state.kind === 'different' && currentTarget ? { ...state, here: currentTarget } : state,
    needs: [...needsOf(definition, secrets), ...programNeeds(await servers.missingProgram(name, definition))],
  }
  return { view, secrets, from: hostNames()[host], file: path }
}

const programNeeds = (name: string | undefined): ImportNeed[] => (name === undefined ? [] : [{ kind: 'program', name }])

/** Values that nobody entered: a key where a variable or header lacks it, else another value. */
function needsOf(definition: ServerDefinition, secrets: ReadonlyMap<string, string>): ImportNeed[] {
  const missing = inputsIn(definition).filter((id) => !secrets.has(id))
  const elsewhere = inputsIn({ ...definition, env: {}, headers: {} })
  const needs = new Set(missing.map((id) => (elsewhere.includes(id) ? 'value' : 'key')))
  if (unfilledIn(definition) !== undefined) needs.add('value')
  return [...needs].map((kind) => ({ kind }))
}

/** The question of its start; undefined: a value of it is missing or it cannot be planned, so it is asked about when it starts. */
async function startOf({ servers }: HostContext, { name, view, secrets }: ChosenCandidate, signal: AbortSignal) {
  // What was entered for another server of the name is not this one’s.
  if (inputsIn(view.definition).some((id) => !secrets.has(id))) return undefined
  return servers.previewLaunch(name, view.definition, secrets, { signal }).catch((error: unknown) => {
    if (error instanceof HostError) return undefined
    throw error
  })
}

type Approved = Extract<ConfigImportVerdict, { outcome: 'allowed' }>['approved']

async function saveAll(context: HostContext, chosen: readonly ChosenCandidate[], approved: Approved) {
  const taken: string[] = []
  const failed: { name: string; message: string }[] = []
  for (const one of chosen.filter(({ name }) => approved.has(name)))
    try {
      await saveChosen(context, one, approved.get(one.name))
      taken.push(one.name)
    } catch (error) {
      failed.push({ name: one.name, message: error instanceof HostError ? error.message : t`It could not be written.` })
    }
  return { taken, failed }
}

/** @throws {HostError} `config.invalid` when the server that has the name changed since the person was asked. */
async function saveChosen(
  { config, inputs, store }: HostContext,
  { name, view, secrets, replaced, from, file }: ChosenCandidate,
  start: { keep(): void } | undefined,
) {
  const now = config.definitions().get(name)
  if (now ? !replaced || !startsAlike(now, replaced) : replaced)
    throw new HostError('config.invalid', t`“${name}” has changed here meanwhile. It was not written.`, { data: { server: name } })
  // A mask in text of others stands for nothing: it must not come by the value that a server here has.
  const entered = Object.fromEntries(secrets)
  const prepared = prepareServer({ inputs }, name, { definition: view.definition, keep: [], entered }, undefined)
  const record = { decision: replaced ? 'changed' : 'added', detail: { from, file } }
  const write = (whole: ServerDefinition): void => {
    config.save(name, whole)
    // Before anything of it can start. An approval counts for what was shown alone.
    if (startsAlike(whole, view.definition)) start?.keep()
  }
  // What was entered for another program of the name is not this one’s.
  if (replaced && !startsAlike(replaced, prepared.definition)) await inputs.release(name, replaced)
  try {
    await saveServer({ config, inputs, audit: store.audit }, { ...prepared, name, record, write })
  } catch (error) {
    inputs.configure(config.definitions(), inputs.declared())
    throw error
  }
}
