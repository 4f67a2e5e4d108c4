// What the rules are asked about, for one tool call: its arguments as they would be sent, where its paths lead, and the
// conversation's mode. Looked up anew whenever the rules are asked again.
import { type ConsentVerdict, decideConsent } from '#app/consent/decide.ts'
import type { Flows } from '#app/consent/flow.ts'
import { type FlowSource, findFlows } from '#app/consent/flow-match.ts'
import { type CallFacts, pathTexts } from '#app/consent/match.ts'
import { leadsInto, namesFolder, pathsIn, pathsWithin, textsOf, touchesFolder } from '#app/consent/own-folder.ts'
import type { PathReading } from '#app/consent/path-text.ts'
import type { JsonObject } from '#app/json.ts'
import type { Kit } from './kit.ts'
import { programNow } from './programs.ts'
import type { Origin, ToolCallQuestion } from './types.ts'

/** More paths than these of one call are not looked at: no approval then matches them. */
const MOST_PATHS = 64

/** More of them may lead into Assent's data folder, for all that is known. */
const MOST_OWN_PATHS = 512

export interface Facts {
  /** Follows the paths that the rules look at. Undefined: there are none, and nothing is to be waited for. */
  look(): Promise<void> | undefined
  now(): CallFacts
  verdict(): ConsentVerdict
}

/** Whether an argument may lead into Assent's data folder. Another machine's paths do not. */
async function mayTouchOwn(kit: Kit, { server, local }: Pick<ToolCallQuestion, 'server' | 'local'>, args: JsonObject): Promise<boolean> {
  if (kit.dataDir === undefined || !local) return false
  const { system } = kit.places
  const found = await kit.places.folder(kit.dataDir)
  const own = found ? [found.folder, found.real] : [kit.dataDir]
  const texts = textsOf(args)
  if (texts === undefined || texts.some((text) => namesFolder(text, own, system.home))) return true
  const target = kit.rules.launch(server)?.target
  const cwd = target?.transport === 'stdio' ? target.folder : undefined
  const paths = texts.flatMap((text) => pathsIn(text, system, cwd ?? system.home))
  const within = texts.flatMap((text) => pathsWithin(text, system))
  if (paths.length > MOST_OWN_PATHS || within.length > MOST_OWN_PATHS) return true
  const readAll = (all: readonly string[]) => Promise.all(all.map((path) => kit.places.read(path, true)))
  const [whole, among] = await Promise.all([readAll(paths), readAll(within)])
  return whole.some((reading) => touchesFolder(reading, own)) || among.some((reading) => leadsInto(reading, own))
}

/** Of a server's own words it is said too, last: to be told of what it does not know yet counts for more. */
export function flowsOf(
  kit: Kit,
  { server, conversationId }: Pick<Origin, 'server' | 'conversationId'>,
  args: JsonObject,
): Flows | undefined {
  const { sources, unseen } = kit.saidIn(conversationId)
  const isOwn = ({ origin }: FlowSource): boolean => origin.server === server
  return findFlows(args, [...sources.filter((source) => !isOwn(source)), ...sources.filter(isOwn)], unseen)
}

export function createFacts(kit: Kit, question: Omit<ToolCallQuestion, 'callId' | 'signal'>, args: JsonObject): Facts {
  const { server, tool, conversationId, trusted, local } = question
  const flows = flowsOf(kit, question, args)
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
    mode: kit.modeOf(conversationId),
    program: programNow(kit, server),
    flows,
    ownFolder,
    now: kit.clock.now(),
  })
  const texts = (): readonly string[] => pathTexts(now(), kit.rules.list()).slice(0, MOST_PATHS)

  async function readAll(wanted: readonly string[]): Promise<void> {
    paths = new Map()
    // Rules may be added while the disk is looked at.
    for (let more = wanted; more.length > 0; more = texts().filter((text) => !paths.has(text))) {
      const read = await Promise.all(more.map(async (text) => [text, await kit.places.read(text, local)] as const))
      paths = new Map([...paths, ...read])
    }
  }

  return {
    look() {
      const wanted = texts()
      if (wanted.length === 0 && (kit.dataDir === undefined || !local)) return undefined
      const looking = mayTouchOwn(kit, question, args).then((found) => {
        ownFolder = found
      })
      return Promise.all([looking, readAll(wanted)]).then(() => undefined)
    },
    now,
    verdict: () => decideConsent(now(), kit.rules.list()),
  }
}
