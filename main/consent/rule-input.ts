// Input of the rules for one tool call: arguments, the real paths in them, and the mode; looked up again whenever the rules are.
import { argumentTexts, leadsInto, mentionsFolder, pathsIn, pathsWithin, touchesFolder } from '#app/consent/rules/data-folder.ts'
import { type ConsentVerdict, decideConsent } from '#app/consent/rules/decide.ts'
import { type CallFacts, openFlow, pathTexts, readsPublic } from '#app/consent/rules/match-rule.ts'
import type { PathReading } from '#app/consent/rules/path-text.ts'
import { type CallMarks, findPrivateFlow, mayPublishOwn, type PrivateFlow, resultMarks } from '#app/consent/taint/private-flow.ts'
import type { Taints } from '#app/consent/taint/taint.ts'
import { findTaints, type TaintSource } from '#app/consent/taint/taint-match.ts'
import type { JsonObject } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import type { RequestCause, RequestOrigin, ToolCallQuestion } from './broker-api.ts'
import { type BrokerContext, claimedAgent } from './broker-context.ts'
import { identityNow, programNow } from './persistent-rules.ts'

/** Further paths of a call are not resolved: no approval matches them. */
const MOST_PATHS = 64

/** Most paths that are compared with Assent's data folder; a call with more counts as one that reaches into it. */
const MOST_OWN_PATHS = 512

/** Whether an argument may reach into Assent's data folder, or to its key. Paths of another machine do not. */
async function mayTouchOwn(
  context: BrokerContext,
  { server, local }: Pick<ToolCallQuestion, 'server' | 'local'>,
  args: JsonObject,
): Promise<boolean> {
  if (context.dataDir === undefined || !local) return false
  const { system } = context.pathResolver
  const folders = [context.dataDir, context.keyFolder()].filter((folder) => folder !== undefined)
  const own = (
    await Promise.all(
      folders.map(async (folder) => {
        const found = await context.pathResolver.folder(folder)
        return found ? [found.folder, found.real] : [folder]
      }),
    )
  ).flat()
  const texts = argumentTexts(args)
  if (texts === undefined || texts.some((text) => mentionsFolder(text, own, system.home))) return true
  const target = context.programs.get(server)?.target ?? context.rules.launch(server)?.target
  const { folder: cwd = system.home, variables = [] } = target?.transport === 'stdio' ? target : {}
  // The server may expand `~` by a home folder of its own.
  const homes = variables.flatMap(({ name, value }) => (/^(?:HOME|USERPROFILE)$/i.test(name) ? [value] : []))
  if (homes.some((home) => !/^(?:[\\/]|[A-Za-z]:)/.test(home)) && texts.some((text) => /~|HOME|USERPROFILE/i.test(text))) return true
  const systems = [system.home, ...homes].map((home) => ({ ...system, home }))
  const paths = texts.flatMap((text) => systems.flatMap((one) => pathsIn(text, one, cwd)))
  const within = texts.flatMap((text) => systems.flatMap((one) => pathsWithin(text, one)))
  if (paths.length > MOST_OWN_PATHS || within.length > MOST_OWN_PATHS) return true
  const readAll = (all: readonly string[]) => Promise.all(all.map((path) => context.pathResolver.read(path, true)))
  const [whole, among] = await Promise.all([readAll(paths), readAll(within)])
  return whole.some((reading) => touchesFolder(reading, own)) || among.some((reading) => leadsInto(reading, own))
}

/** Finds text of servers in the arguments. The server's own text comes last: what it does not know yet matters more. */
export function taintsOf(
  context: BrokerContext,
  { server, conversationId }: Pick<RequestOrigin, 'server' | 'conversationId'>,
  args: JsonObject,
  { sources, unseen } = context.taintSourcesOf(conversationId),
): Taints | undefined {
  const isOwn = ({ origin }: TaintSource): boolean => origin.server === server
  return findTaints(args, [...sources.filter((source) => !isOwn(source)), ...sources.filter(isOwn)], unseen)
}

export function createRuleInput(
  context: BrokerContext,
  question: Omit<ToolCallQuestion, 'callId' | 'signal'> & RequestCause,
  args: JsonObject,
) {
  const { server, tool, conversationId, trusted, local, own = false, skillsOf } = question
  const agent = claimedAgent(context, question)
  const said = agent ? { sources: [], unseen: false, reads: context.agentReads(agent.client) } : context.taintSourcesOf(conversationId)
  const flows = taintsOf(context, question, args, said)
  const privateFlow = findPrivateFlow(
    { server, identity: identityNow(context, server), trusted, annotations: tool.annotations },
    said.reads,
  )
  let paths: ReadonlyMap<string, PathReading> = new Map()
  let ownFolder: boolean = own
  const now = (): CallFacts => ({
    server,
    tool: tool.name,
    conversationId,
    fingerprint: tool.fingerprint,
    readOnly: trusted && tool.annotations?.readOnlyHint === true,
    arguments: args,
    paths,
    mode: context.modeOf(conversationId),
    program: programNow(context, server),
    privateFlow,
    ownFolder,
    skillsOf,
    agent,
    now: context.clock.now(),
  })
  const texts = (): readonly string[] => pathTexts(now(), context.rules.list()).slice(0, MOST_PATHS)

  async function readAll(wanted: readonly string[]): Promise<void> {
    paths = new Map()
    // Rules may be added while paths are resolved.
    for (let more = wanted; more.length > 0; more = texts().filter((text) => !paths.has(text))) {
      const read = await Promise.all(more.map(async (text) => [text, await context.pathResolver.read(text, local)] as const))
      paths = new Map([...paths, ...read])
    }
  }

  return {
    /** Resolves the paths that the rules need. Undefined: there are none. */
    look(): Promise<void> | undefined {
      const wanted = texts()
      if (wanted.length === 0 && (context.dataDir === undefined || !local)) return undefined
      const looking = mayTouchOwn(context, question, args).then((found) => {
        ownFolder = own || found
      })
      return Promise.all([looking, readAll(wanted)]).then(() => undefined)
    },
    now,
    /** Words of servers in the arguments, to point at. */
    flows,
    /** Returns what of the flow no answer covers now. */
    openFlow: (): PrivateFlow | undefined => openFlow(now(), context.rules.list()),
    ownFlow: mayPublishOwn({ trusted, annotations: tool.annotations }, said.reads),
    marks: (): CallMarks => ({
      ...resultMarks({ trusted, annotations: tool.annotations }, readsPublic(now(), context.rules.list())),
      ...defined({ identity: identityNow(context, server) }),
    }),
    verdict: (): ConsentVerdict => decideConsent(now(), context.rules.list()),
  }
}
