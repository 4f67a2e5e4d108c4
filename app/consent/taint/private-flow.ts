// Taint by source: private data, text that strangers may have written, and a call that can send. Where all three meet, no rule, mode or
// scope answers (`decide.ts`). What the words are does not matter, so slices, encodings and summaries change nothing.
import { z } from 'zod'
import { defined } from '../../or-else.ts'

/**
 * Origin of content. `attached`: files of the person. `imported`: a chat of elsewhere. `web`: the model's own search. `identity`: of the
 * program that had the server's name (`StoredLaunch`); absent: no launch was approved, or before it was kept.
 */
export const flowSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('server'), server: z.string(), identity: z.string().optional() }),
  z.object({ kind: z.enum(['attached', 'imported', 'web']) }),
])
export type FlowSource = z.infer<typeof flowSource>

/** `private`: read from where it is not marked public. `untrusted`: others than the person and servers of their trust may have written it. */
const contentMarks = z.object({ private: z.literal(true).optional(), untrusted: z.literal(true).optional() })
export type ContentMarks = z.infer<typeof contentMarks>

/** Marks of what a call returns, with the identity of the program that was called. */
export const callMarks = contentMarks.extend({ identity: z.string().optional() })
export type CallMarks = z.infer<typeof callMarks>

export const contentRead = contentMarks.extend({ from: flowSource })
export type ContentRead = z.infer<typeof contentRead>

/** Private data that a call could send, by where it was read, and whose text may have told the model to. */
export const privateFlow = z.object({ from: z.array(flowSource), untrusted: z.array(flowSource) })
export type PrivateFlow = z.infer<typeof privateFlow>

export const serverSource = (server: string, identity?: string): FlowSource => ({ kind: 'server', server, ...defined({ identity }) })

/** Key of a source: another program of the same name has another. Names hold no control character. */
export const flowSourceKey = (source: FlowSource): string =>
  source.kind === 'server'
    ? ['server ', source.server, ...(source.identity === undefined ? [] : ['\0', source.identity])].join('')
    : source.kind

/** Marks of content of unknown circumstances, as in a profile of before: the careful reading. */
export const unknownMarks: ContentMarks = { private: true, untrusted: true }

interface AskedTool {
  readonly trusted: boolean
  readonly annotations?: { readonly openWorldHint?: boolean | undefined; readonly readOnlyHint?: boolean | undefined } | undefined
}

/** Whether a trusted server says that the tool reaches nothing outside: nobody else writes what it returns, and it sends nothing. */
export const isClosed = ({ trusted, annotations }: AskedTool): boolean => trusted && annotations?.openWorldHint === false

/** Marks of what a tool returns. `isPublic`: the person marked the folder of its arguments public. */
export const resultMarks = (tool: AskedTool, isPublic: boolean): ContentMarks => ({
  ...(isPublic ? {} : { private: true }),
  ...(isClosed(tool) ? {} : { untrusted: true }),
})

/** Joins reads of the same source. */
export function joinReads(reads: readonly ContentRead[]): ContentRead[] {
  const joined = new Map<string, ContentRead>()
  for (const read of reads) {
    const key = flowSourceKey(read.from)
    joined.set(key, { ...joined.get(key), ...read })
  }
  return [...joined.values()]
}

/** Whether others may come to read what the server has already. */
const publishes = ({ annotations }: AskedTool): boolean => annotations?.readOnlyHint !== true && annotations?.openWorldHint !== false

/** Whether what the server itself returns from now on could go out by the same tool after others' text was read. */
export const mayPublishOwn = (tool: AskedTool, reads: readonly ContentRead[]): boolean =>
  publishes(tool) && reads.some(({ untrusted }) => untrusted)

/**
 * Finds the flow of a call; undefined: there is none. What a server said may go back to it by a tool that claims to read only or to
 * reach nothing outside: it has that data already, so a lie gains nothing. By any other tool it may be published (GitHub, Supabase).
 */
export function findPrivateFlow(
  call: AskedTool & { readonly server: string; readonly identity?: string | undefined },
  reads: readonly ContentRead[],
): PrivateFlow | undefined {
  if (isClosed(call)) return undefined
  const { server, identity, trusted } = call
  const own = flowSourceKey(serverSource(server, identity))
  const from = reads.filter((read) => read.private && (publishes(call) || flowSourceKey(read.from) !== own)).map((read) => read.from)
  const untrusted = reads.filter((read) => read.untrusted).map((read) => read.from)
  // The model has read how a server describes its tools, or it would not call one.
  if (!trusted && !untrusted.some((source) => flowSourceKey(source) === own)) untrusted.push(serverSource(server, identity))
  return from.length > 0 && untrusted.length > 0 ? { from, untrusted } : undefined
}
