// Skills of a server (MCP, skills extension, SEP-2640), read file by file. The SDK checks size, digest and frontmatter against the list;
// what fails is not handed on. It sends its own requests, so a read is put on record here.
import { createHash } from 'node:crypto'
import {
  type Skill,
  type SkillListing,
  SkillsClient,
  SkillVerificationError,
  SKILLS_EXTENSION_ID as skillsExtension,
} from '@modelcontextprotocol/client/ext/skills'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { defined } from '#app/or-else.ts'
import { maskUrl } from '#app/text/secret-names.ts'
import type { AuditStore } from '#main/store/store-api.ts'
import type { Connection } from '../connection/connection.ts'
import { notOffered } from '../requests/capability-check.ts'
import { toFailure } from '../requests/connection-errors.ts'
import { auditExchange } from '../requests/request-audit.ts'
import type { Digest } from '../requests/result-digest.ts'

export interface SkillText {
  readonly uri: string
  readonly mimeType?: string
  readonly bytes: Uint8Array
  /** False: the server makes this skill anew for each reading, so nothing could be compared. */
  readonly verified: boolean
}

/** Entries that are not valid are left out. A server without the extension has no skills. */
export const listSkills = async (connection: Connection, signal: AbortSignal): Promise<SkillListing['skills']> => {
  // The SDK says so too, but on the console, which is our standard output.
  if (connection.capabilities.extensions?.[skillsExtension] === undefined) return []
  return asked(connection, async (client) => (await client.list({}, { signal })).skills)
}

/** A skill by its URI, listed or not. */
export const getSkill = async (connection: Connection, uri: string, signal: AbortSignal): Promise<Skill> => {
  if (connection.capabilities.extensions?.[skillsExtension] === undefined) throw notOffered(connection.server, 'skills/get', 'not-declared')
  return asked(connection, async (client) => (await client.get(uri, { signal })).skill)
}

const skillLimits = { files: 512, bytes: 16 * 1024 * 1024 }

/** Returns why a skill is not read; undefined: it may be. */
export function skillProblem({ resources }: Skill): string | undefined {
  if (resources === 'dynamic') return t`its text changes with each read`
  const bytes = resources.reduce((sum, { size }) => sum + size, 0)
  return resources.length > skillLimits.files || bytes > skillLimits.bytes ? t`it is too large` : undefined
}

/** @throws {HostError} `server.protocol` for one that no approval can be bound to */
export function requireReadable(server: string, skill: Skill): void {
  const why = skillProblem(skill)
  const { uri } = skill
  if (why !== undefined) throw new HostError('server.protocol', t`The skill ${uri} was not read: ${why}.`, { data: { server, uri } })
}

/** `file`: a path within the skill; undefined: its SKILL.md. @throws {HostError} `server.protocol` for what is not as it was listed */
export const readSkill = async (
  connection: Connection,
  { uri, file }: { readonly uri: string; readonly file: string | undefined },
  audit: Pick<AuditStore, 'append'>,
  signal: AbortSignal,
): Promise<SkillText> => {
  const skill = (await listSkills(connection, signal)).find((entry) => entry.uri === uri)
  if (!skill) throw new HostError('server.protocol', t`“${connection.server}” has no skill ${uri}.`, { data: { uri } })
  requireReadable(connection.server, skill)
  return readSkillFile(connection, { skill, file }, audit, signal)
}

/** Reads a file by the entry that is held: what that does not list, or lists otherwise, is refused. */
export const readSkillFile = (
  connection: Connection,
  { skill, file }: { readonly skill: Skill; readonly file: string | undefined },
  audit: Pick<AuditStore, 'append'>,
  signal: AbortSignal,
): Promise<SkillText> =>
  asked(connection, async (client) => {
    const about = { method: 'resources/read', uri: maskUrl(skill.uri), ...defined({ file }) }
    const digest = ({ bytes }: SkillText): Digest => ({ bytes: bytes.byteLength, sha256: createHash('sha256').update(bytes).digest('hex') })
    const read = await auditExchange({ audit, server: connection.server, about, digest }, () => client.read(skill, file, { signal }))
    return { uri: read.uri, bytes: read.bytes, verified: read.verified, ...defined({ mimeType: read.mimeType }) }
  })

async function asked<T>(connection: Connection, work: (client: SkillsClient) => Promise<T>): Promise<T> {
  const { server } = connection
  try {
    return await work(new SkillsClient(connection.client, { skipInvalid: true }))
  } catch (error) {
    if (!(error instanceof SkillVerificationError)) throw toFailure(server, error)
    throw new HostError('server.protocol', t`${error.uri} of “${server}” is not as listed (${error.reason}).`, {
      data: { server, uri: error.uri, reason: error.reason },
      cause: error,
    })
  }
}
