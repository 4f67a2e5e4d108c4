// What was answered to one posted message, made such that the SDK ends the request with it: JSON is read here, once; an
// error that names no request is the answer to the one that was asked; and what is no answer at all says so.
import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { headerMismatch } from '../calls/header-mismatch.ts'
import { supportedIn } from '../connection/versions.ts'
import { failedAnswer } from '../stdio/envelope.ts'
import { errorWithId, readAnswers, unanswered } from './answers.ts'
import type { RequestFacts } from './request-facts.ts'

interface ReplyOptions {
  readonly server: string
  /** It was asked in a session, where 404 means that there is none any more. */
  readonly inSession: boolean
  readonly onStrays: (count: number) => void
}

const mediaType = (response: Response): string => (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
const saysNothing: ReadonlySet<number> = new Set([202, 204, 205])

export async function readReply(response: Response, asked: RequestFacts, { server, inSession, onStrays }: ReplyOptions): Promise<Response> {
  const { id } = asked
  if (id === undefined) return response
  // In a session 404 says that it is over, whatever else it says.
  if (response.status === 404 && inSession) return response
  if (response.status === 400 || response.status === 404) return refused(response, asked, inSession)
  if (saysNothing.has(response.status)) {
    await response.body?.cancel()
    return withJson([failedAnswer(id, unanswered())], 200)
  }
  const type = mediaType(response)
  if (response.ok && isGreeting(asked) && type !== 'application/json' && type !== 'text/event-stream')
    throw notMcp(server, type, await beginning(response))
  if (!response.ok || type !== 'application/json') return response
  const read = await readJson(response)
  if (read instanceof HostError) return withJson([failedAnswer(id, read)], 200)
  const { messages, strays } = readAnswers(read, id)
  // Nobody begins so. To the question for the era, which an older server does not know, anything may be answered.
  if (asked.method === 'initialize' && strays > 0 && messages.length === 1)
    throw notMcp(server, type, JSON.stringify(read).slice(0, shownLength))
  if (strays > 0) onStrays(strays)
  return withJson(messages, response.status, response.headers)
}

const isGreeting = ({ method }: RequestFacts): boolean => method === 'initialize' || method === 'server/discover'

/** Of what is no MCP so much is told, in UTF-16 units. */
const shownLength = 200

const notMcp = (server: string, type: string, output: string): HostError =>
  new HostError(
    'server.not-mcp',
    type === '' ? t`“${server}” answered with something that is not MCP.` : t`“${server}” answered with ${type} that is not MCP.`,
    {
      data: { server, type, output: output.replace(/\s+/g, ' ').trim() },
    },
  )

/** Of a page that may be long. */
async function beginning(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return Buffer.from(value ?? []).toString('utf8', 0, shownLength)
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    if (error instanceof HostError) throw error
    return error instanceof SyntaxError
      ? new HostError('server.protocol', t`The server answered with something that is no JSON.`)
      : new HostError('server.connection-lost', t`The server broke its answer off.`)
  }
}

/** A refusal in words of the protocol. */
async function refused(response: Response, asked: RequestFacts, inSession: boolean): Promise<Response> {
  const text = await response.text()
  const plain = new Response(text, { status: response.status, statusText: response.statusText, headers: response.headers })
  const error = asked.id === undefined ? undefined : errorWithId(parse(text), asked.id)
  if (error === undefined || !('error' in error)) return plain
  // An older server that refuses our revision at the handshake may say so too. Else 400 to that may mean an older one still.
  if (!asked.modern) return inSession || (asked.method === 'initialize' && supportedIn(error.error)) ? withJson([error], 200) : plain
  const mismatch = response.status === 400 ? headerMismatch(error.error) : undefined
  if (mismatch && asked.id !== undefined) return withJson([failedAnswer(asked.id, mismatch)], 200)
  // The SDK takes such a body only with this status.
  return new Response(JSON.stringify(error), { status: 400, headers: response.headers })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A page, or nothing.
    return undefined
  }
}

/** What was read is handed over as it is: an answer of many megabytes is not written and read once more. */
function withJson(messages: readonly JSONRPCMessage[], status: number, headers?: Headers): Response {
  const response = new Response(null, { status, headers: { 'content-type': 'application/json' } })
  const session = headers?.get('mcp-session-id')
  if (session) response.headers.set('mcp-session-id', session)
  const read = messages.length === 1 ? messages[0] : messages
  return Object.defineProperty(response, 'json', { value: () => Promise.resolve(read) })
}
