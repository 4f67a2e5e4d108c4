// What the rules are asked about, for one tool call: its arguments as they would be sent, where its paths lead, and the
// conversation's mode. Looked up anew whenever the rules are asked again.

import { argumentTexts, leadsInto, mentionsFolder, pathsIn, pathsWithin, touchesFolder } from '#app/consent/rules/data-folder.ts'
import { type ConsentVerdict, decideConsent } from '#app/consent/rules/decide.ts'
import { type CallFacts, pathTexts } from '#app/consent/rules/match-rule.ts'
import type { PathReading } from '#app/consent/rules/path-text.ts'
import type { Taints } from '#app/consent/taint/taint.ts'
import { findTaints, type TaintSource } from '#app/consent/taint/taint-match.ts'
import type { JsonObject } from '#app/json.ts'
import type { RequestOrigin, ToolCallQuestion } from './broker-api.ts'
import type { BrokerContext } from './broker-context.ts'
import { programNow } from './persistent-rules.ts'

/** More paths than these of one call are not looked at: no approval then matches them. */
const MOST_PATHS = 64

/** More of them may lead into Assent's data folder, for all that is known. */
const MOST_OWN_PATHS = 512

interface RuleInput {
  /** Follows the paths that the rules look at. Undefined: there are none, and nothing is to be waited for. */
  look(): Promise<void> | undefined
  now(): CallFacts
  verdict(): ConsentVerdict
}

/** Whether an argument may lead into Assent's data folder. Another machine's paths do not. */
async function mayTouchOwn(
  context: BrokerContext,
  { server, local }: Pick<ToolCallQuestion, 'server' | 'local'>,
  args: JsonObject,
): Promise<boolean> {
  if (context.dataDir === undefined || !local) return false
  const { system } = context.pathResolver
  const found = await context.pathResolver.folder(context.dataDir)
  const own = found ? [found.folder, found.real] : [context.dataDir]
  const texts = argumentTexts(args)
  if (texts === undefined || texts.some((text) => mentionsFolder(text, own, system.home))) return true
  const target = context.rules.launch(server)?.target
  const cwd = target?.transport === 'stdio' ? target.folder : undefined
  const paths = texts.flatMap((text) => pathsIn(text, system, cwd ?? system.home))
  const within = texts.flatMap((text) => pathsWithin(text, system))
  if (paths.length > MOST_OWN_PATHS || within.length > MOST_OWN_PATHS) return true
  const readAll = (all: readonly string[]) => Promise.all(all.map((path) => context.pathResolver.read(path, true)))
  const [whole, among] = await Promise.all([readAll(paths), readAll(within)])
  return whole.some((reading) => touchesFolder(reading, own)) || among.some((reading) => leadsInto(reading, own))
}

/** Of a server's own words it is said too, last: to be told of what it does not know yet counts for more. */
export function taintsOf(
  context: BrokerContext,
  { server, conversationId }: Pick<RequestOrigin, 'server' | 'conversationId'>,
  args: JsonObject,
): Taints | undefined {
  const { sources, unseen } = context.taintSourcesOf(conversationId)
  const isOwn = ({ origin }: TaintSource): boolean => origin.server === server
  return findTaints(args, [...sources.filter((source) => !isOwn(source)), ...sources.filter(isOwn)], unseen)
}

export function createRuleInput(
  context: BrokerContext,
  question: Omit<ToolCallQuestion, 'callId' | 'signal'>,
  args: JsonObject,
): RuleInput {
  const { server, tool, conversationId, trusted, local } = question
  const flows = taintsOf(context, question, args)
  let paths: ReadonlyMap<string, PathReading> = new Map()
  let ownFolder = false
  const now = (): CallFacts => ({
    server,
    tool: tool.name,
    conversationId,
    fingerprint: tool.fingerprint,
    readOnly: trusted && tool.annotations?.readOnlyHint === true,
    closedWorld: trusted && tool.annotations?.openWorldHint === false,
    arguments: args,
    paths,
    mode: context.modeOf(conversationId),
    program: programNow(context, server),
    flows,
    ownFolder,
    now: context.clock.now(),
  })
  const texts = (): readonly string[] => pathTexts(now(), context.rules.list()).slice(0, MOST_PATHS)

  async function readAll(wanted: readonly string[]): Promise<void> {
    paths = new Map()
    // Rules may be added while the disk is looked at.
    for (let more = wanted; more.length > 0; more = texts().filter((text) => !paths.has(text))) {
      const read = await Promise.all(more.map(async (text) => [text, await context.pathResolver.read(text, local)] as const))
      paths = new Map([...paths, ...read])
    }
  }

  return {
    look() {
      const wanted = texts()
      if (wanted.length === 0 && (context.dataDir === undefined || !local)) return undefined
      const looking = mayTouchOwn(context, question, args).then((found) => {
        ownFolder = found
      })
      return Promise.all([looking, readAll(wanted)]).then(() => undefined)
    },
    now,
    verdict: () => decideConsent(now(), context.rules.list()),
  }
}
