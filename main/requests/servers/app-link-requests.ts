// Requests that put Assent’s own server into the config files of other programs. What is written is what the person was shown, but for the
// token, which is made when the file is written and no page gets. How a change is undone is kept in the secret store: it has what was cut.
import { homedir } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import type { LinkedApp } from '#app/contract/gate-requests.ts'
import { HostError } from '#app/errors.ts'
import { gateTokenPrefix, gateTokenVariable } from '#app/gate.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { parseJson } from '#app/or-else.ts'
import { hostNames } from '#app/server/import/app-names.ts'
import { reviewCandidate } from '#app/server/import/review-candidate.ts'
import { newId } from '#main/base/ids.ts'
import {
  type AppFile,
  AppFileError,
  type AppFileProblem,
  appEntry,
  appSnippets,
  appTextDigest,
  findAppFiles,
  type GateLaunch,
  ours,
  readAppText,
  writeAppText,
} from '#main/install/other-apps/app-files.ts'
import { applySplices, type Splice, serversIn, UneditableConfig } from '#main/install/other-apps/edit-config.ts'
import type { AppSystem } from '#main/install/other-apps/known-apps.ts'
import {
  afterSteps,
  invertSplices,
  type LinkPlan,
  type LinkReceipt,
  linkReceipt,
  planConnect,
  planDisconnect,
  shownLines,
} from '#main/install/other-apps/plan-change.ts'
import { keepSecrets } from '#main/servers/config/inputs/extract-secrets.ts'
import type { HandlersOf, HostContext } from '../request-handlers.ts'

const unmade = `${gateTokenPrefix}not-made-yet`
const mostChanges = 8

/** Change as the person was shown it. */
interface Change extends LinkPlan {
  readonly id: string
  readonly file: AppFile
  readonly to: 'connect' | 'disconnect' | 'renew'
  readonly before: string | undefined
  readonly client: string | undefined
  /** Token in its steps: that of the file, or `unmade`. */
  readonly token: string
}

type LinkContext = Pick<HostContext, 'config' | 'gate' | 'platform'> & { readonly system: AppSystem }

export function appLinkHandlers({ env, config, gate, platform }: HostContext): HandlersOf<'appLink'> {
  const system = { platform: process.platform, home: env['HOME'] ?? env['USERPROFILE'] ?? homedir(), env }
  const context = { config, gate, platform, system }
  let changes: readonly Change[] = []

  async function plan(file: AppFile, to: Change['to'], move: readonly string[]): Promise<Change> {
    const { text: before } = await readAppText(file.path, system.home)
    const known = clientOf(context, before === undefined ? undefined : serversIn(before, file.map)[ours])
    const token = (to === 'connect' ? known?.token : undefined) ?? unmade
    const text = before ?? ''
    const steps =
      to === 'disconnect'
        ? planDisconnect(file.map, text, await receiptOf(context, known?.client, file.path))
        : planConnect(file.map, text, entryOf(context, file, token), move)
    return { id: newId(), file, to, before, client: known?.client, token, ...steps }
  }

  return {
    async 'appLink.list'() {
      const files = await findAppFiles(system)
      return { apps: await Promise.all(files.map((file) => look(context, file))) }
    },
    'appLink.snippets': ({ token }) => ({ snippets: appSnippets(launchOf(context, token)) }),
    'appLink.preview': ({ app, to, move = [] }) =>
      refusing(async () => {
        const file = (await findAppFiles(system)).find((one) => idOf(one) === app)
        if (!file) throw new HostError('config.invalid', t`It was deleted meanwhile.`)
        const change = await plan(file, to, move)
        const { before, removes, exact, steps } = change
        const { target } = await readAppText(file.path, system.home)
        changes = [...changes.slice(1 - mostChanges), change]
        return { change: change.id, path: target, exact, ...shownLines(before, removes ? undefined : afterSteps(before ?? '', steps)) }
      }),
    'appLink.apply': ({ change: id }) =>
      refusing(async () => {
        const change = changes.find((one) => one.id === id)
        if (!change) throw new AppFileError('changed')
        changes = changes.filter((one) => one !== change)
        const here = change.moved.length === 0 ? [] : await movable(context, change.file, change.before ?? '')
        const missing = change.moved.find(({ name }) => !here.some((one) => one.name === name && one.here))
        if (missing) throw new HostError('server.unknown', t`There is no server named “${missing.name}”.`)
        return { client: change.to === 'disconnect' ? await disconnect(context, change) : await connect(context, change) }
      }),
  }
}

const idOf = ({ path }: AppFile): string => appTextDigest(path).slice(0, 16)
const receiptName = (client: string): string => `other-apps/${client}`

function launchOf({ platform }: LinkContext, token: string): GateLaunch {
  const [command = '', ...args] = platform.commandLine('mcp')
  return { command, args, env: { [gateTokenVariable]: token } }
}
const entryOf = (context: LinkContext, { host }: AppFile, token: string): JsonObject => appEntry(host, launchOf(context, token))

async function receiptOf({ platform }: LinkContext, client: string | undefined, path: string): Promise<LinkReceipt | undefined> {
  const text = client === undefined ? undefined : await platform.secrets.get(receiptName(client)).catch(() => undefined)
  const found = linkReceipt.safeParse(parseJson(text ?? '')).data
  return found?.path === path ? found : undefined
}

function clientOf({ gate }: LinkContext, entry: unknown): { readonly client: string; readonly token: string } | undefined {
  const maps = isJsonObject(entry) ? [entry['env'], entry['envs'], entry['environment']] : []
  const token = maps.flatMap((map) => (isJsonObject(map) ? [map[gateTokenVariable]] : [])).find((one) => typeof one === 'string')
  const client = token === undefined ? undefined : gate.clients.withToken(token)
  return client && token !== undefined ? { client: client.id, token } : undefined
}

/** Servers of a file that Assent can read, with whether it has them. None without a keyring: what is cut would be lost with this run. */
async function movable({ config, platform }: LinkContext, { host, path, map }: AppFile, text: string): Promise<LinkedApp['servers']> {
  await platform.secrets.opened
  if (platform.secrets.kind === 'memory') return []
  const { readHostFile } = await import('#app/server/import/read-snippet.ts')
  const names = Object.keys(serversIn(text, map))
  const here = config.definitions()
  return readHostFile(host, text, path).servers.flatMap(({ name, definition: whole, secrets, project }) => {
    if (name === ours || project !== undefined || !names.includes(name)) return []
    const { definition } = keepSecrets(whole, secrets, config.inputs().keys())
    return [{ name, here: reviewCandidate({ name, definition }, { taken: [], here }).state.kind === 'same' }]
  })
}

async function look(context: LinkContext, file: AppFile): Promise<LinkedApp> {
  const app = { id: idOf(file), host: file.host, path: file.path }
  try {
    const { text } = await readAppText(file.path, context.system.home)
    if (text === undefined) return { ...app, state: 'absent', servers: [] }
    const entry = serversIn(text, file.map)[ours]
    const known = clientOf(context, entry)
    const isOurs = known && isDeepStrictEqual(JSON.parse(JSON.stringify(entry)), entryOf(context, file, known.token))
    return {
      ...app,
      state: entry === undefined ? 'absent' : isOurs ? 'connected' : 'changed',
      servers: await movable(context, file, text),
      ...(known ? { client: known.client } : {}),
    }
  } catch (error) {
    return { ...app, state: 'refused', problem: problemOf(error), servers: [] }
  }
}

/** Client that gets the file, with its token: that of the file, else a new one. */
function prepareClient({ gate }: LinkContext, { file, client, token }: Change): { readonly client: string; readonly token: string } {
  if (client !== undefined) return { client, token: token === unmade ? gate.clients.renewToken(client) : token }
  const made = gate.clients.add({ name: hostNames()[file.host], app: file.host, servers: 'all' })
  return { client: made.client.id, token: made.token }
}

async function connect(context: LinkContext, change: Change): Promise<string> {
  const { file, before, moved } = change
  const { gate, platform, system } = context
  const kept = await receiptOf(context, change.client, file.path)
  const { client, token } = prepareClient(context, change)
  const back: Splice[][] = []
  let after = before ?? ''
  // Planned anew: offsets behind Assent’s entry follow the length of the token.
  const names = moved.map(({ name }) => name)
  for (const step of planConnect(file.map, after, entryOf(context, file, token), names).steps) {
    back.unshift(invertSplices(after, step))
    after = applySplices(after, step)
  }
  const whole = kept && before !== undefined && appTextDigest(before) === kept.digest
  const receipt: LinkReceipt = {
    path: file.path,
    digest: appTextDigest(after),
    back: whole ? [...back, ...kept.back] : back,
    isNew: whole ? kept.isNew : before === undefined,
    moved: [...(kept?.moved ?? []).filter(({ name }) => !moved.some((one) => one.name === name)), ...moved],
  }
  try {
    await platform.secrets.set(receiptName(client), JSON.stringify(receipt))
    await writeAppText(file.path, system.home, before, after)
  } catch (error) {
    if (kept) await platform.secrets.set(receiptName(client), JSON.stringify(kept)).catch(() => undefined)
    else if (change.client === undefined) gate.clients.remove(client)
    throw error
  }
  return client
}

async function disconnect({ gate, platform, system }: LinkContext, { file, before, steps, removes, client }: Change): Promise<null> {
  await writeAppText(file.path, system.home, before, removes ? undefined : afterSteps(before ?? '', steps))
  if (client === undefined) return null
  gate.clients.remove(client)
  await platform.secrets.delete(receiptName(client)).catch(() => undefined)
  return null
}

/** Sentences for what keeps a file from being written. */
function problemOf(error: unknown): string {
  const problems: Record<AppFileProblem, string> = {
    link: t`The file is a link out of your home folder.`,
    shared: t`The file has a second name (hard link).`,
    account: t`The file belongs to another account.`,
    unreadable: t`The file cannot be read.`,
    changed: t`The file has changed meanwhile.`,
    busy: t`Another program is writing the file.`,
  }
  if (error instanceof AppFileError) return problems[error.problem]
  if (error instanceof UneditableConfig) return t`The file cannot be read.`
  throw error
}

/** @throws {HostError} `app-file.refused` for a file that is not written */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof HostError ? error : new HostError('app-file.refused', problemOf(error), { cause: error })
  }
}
