// The client that the official suite measures, once a scenario: it gives the suite's server to a whole host, as a person would,
// and uses all that the server offers.
import { isJsonObject, type Json } from '#app/json.ts'
import { argumentsFor } from './arguments.ts'
import { agentAtGate, type ConformanceHost, openHost, type ServerUse, server } from './host.ts'
import { oauthFor } from './oauth.ts'

/** What `relay.mjs` sends. */
export interface Scenario {
  readonly scenario: string
  readonly url: string
  readonly given: string
}

interface Context {
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: { readonly [name: string]: Json } }[]
  readonly [name: string]: unknown
}

/** Every tool, side by side, so that nothing of one call can hide in another; then what can be read and got. */
async function useAll({ lists, call, read, getPrompt }: ServerUse, context: Context): Promise<void> {
  const { tools, resources, prompts } = await lists()
  const calls = context.toolCalls ?? tools.map(({ name, inputSchema }) => ({ name, arguments: argumentsFor(inputSchema) }))
  await Promise.all(calls.map(({ name, arguments: args }) => call(name, args)))
  for (const { uri } of resources) await read(uri)
  for (const { name } of prompts) await getPrompt(name)
}

/** The schema that was listed for one tool, handed to another as it came. */
async function echoSchema({ lists, call }: ServerUse): Promise<void> {
  const { tools } = await lists()
  const schema = tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema
  if (!isJsonObject(schema)) throw new Error('The tool whose schema is to be echoed is missing')
  await call('json_schema_echo', { schema })
}

/** Lists the skills and reads none: a person has only looked. */
async function lookAtSkills({ host }: ConformanceHost): Promise<void> {
  await host.context.servers.skills(server, { signal: new AbortController().signal })
}

/** Loads each skill, then the files that belong to it. What is refused on the way ends it, as it should. */
async function loadSkills({ host }: ConformanceHost): Promise<void> {
  const { servers } = host.context
  const { signal } = new AbortController()
  for (const { uri, resources } of await servers.skills(server, { signal })) {
    await servers.readSkill(server, uri, undefined, { signal })
    for (const file of Array.isArray(resources) ? resources : []) await servers.readSkill(server, uri, file.uri, { signal })
  }
}

/** The server lists a tool that it does not have. */
const onlyList = async (): Promise<void> => undefined

const work: Readonly<Record<string, (use: ServerUse, context: Context) => Promise<void>>> = {
  'json-schema-ref-no-deref': onlyList,
  'json-schema-2020-12-preservation': echoSchema,
}

/** Skills are loaded by the host itself; an agent reads their files by itself. */
const ofTheHost: Readonly<Record<string, (host: ConformanceHost) => Promise<void>>> = {
  'sep-2640-client-no-prefetch': lookAtSkills,
  'sep-2640-client-verify-digest': loadSkills,
  'sep-2640-client-verify-size': loadSkills,
  'sep-2640-client-verify-frontmatter': loadSkills,
}
export const isOfTheHost = (scenario: string): boolean => Object.hasOwn(ofTheHost, scenario)

/** `url`: of the suite's server; `given`: what the suite says of the scenario. Rejects when something could not be used. `gate`: through it. */
export async function runScenario({ scenario, url, given }: Scenario, gate = false): Promise<void> {
  const context = JSON.parse(given || '{}') as Context
  const oauth = oauthFor(scenario, context)
  const measured = openHost(url, oauth ? { oauth } : {})
  try {
    await measured.host.context.servers.start(server)
    const own = ofTheHost[scenario]
    if (own) await own(measured)
    else await (work[scenario] ?? useAll)(gate ? await agentAtGate(measured.host) : measured, context)
  } finally {
    await measured.dispose()
  }
}
