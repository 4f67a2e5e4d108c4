// How values stand in the record: by SHA-256 and size, so that what ran can be proven, and as text only where it is
// short and with secret-looking parts masked.
import { createHash } from 'node:crypto'
import { canonicalJson } from '#app/canonical-json.ts'
import type { LaunchTarget } from '#app/consent/request.ts'
import { maskArgs, maskSecrets, maskText, maskUrl, maskVariable } from '#app/consent/secret-names.ts'
import type { Json, JsonObject } from '#app/json.ts'

const LONGEST_TEXT = 4096

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** What is approved for good: any difference in it asks again. The order of names says nothing, that of arguments does. */
export const launchFingerprint = (target: LaunchTarget): string =>
  sha256(
    canonicalJson(
      (target.transport === 'stdio'
        ? { ...target, envNames: [...target.envNames].sort(byCodeUnit) }
        : { ...target, headerNames: [...target.headerNames].sort(byCodeUnit) }) as Json,
    ),
  )

/** As it was before folders and values of variables were in it. */
export function earlierFingerprint(target: LaunchTarget): string {
  if (target.transport !== 'stdio') return launchFingerprint(target)
  const { folder: _folder, variables: _variables, ...rest } = target
  return launchFingerprint(rest)
}

/** Of JSON text: its hash and size, and the value itself, masked, when it is short. */
export function jsonDigest(text: string): JsonObject {
  const bytes = Buffer.byteLength(text)
  const short = bytes < LONGEST_TEXT ? { text: JSON.stringify(maskSecrets(JSON.parse(text) as Json)) } : {}
  return { sha256: sha256(text), bytes, ...short }
}

/** Of text that is not for the record itself. */
export const textDigest = (text: string): JsonObject => ({ sha256: sha256(text), bytes: Buffer.byteLength(text) })

export const shortText = (text: string): string => maskText(text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text)

/** For disk: arguments and addresses may carry a key. */
export const maskTarget = (target: LaunchTarget): LaunchTarget =>
  target.transport === 'stdio'
    ? {
        ...target,
        args: maskArgs(target.args),
        ...(target.variables ? { variables: target.variables.map((one) => ({ ...one, value: maskVariable(one) })) } : {}),
      }
    : { ...target, url: maskUrl(target.url) }

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
