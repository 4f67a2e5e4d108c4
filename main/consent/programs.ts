// What stands behind a server's name. An approval answers for the program that it was made for, and for no other that
// gets the name: by another entry, by a rename, or by a yes to a changed program that was said for once.
import { canonicalJson } from '#app/canonical-json.ts'
import { compareDigests, type LaunchDigest } from '#app/consent/launch-digest.ts'
import type { ProgramNow } from '#app/consent/match.ts'
import { looksSecret } from '#app/consent/secret-names.ts'
import type { StoredLaunch } from '#main/store/types.ts'
import { sha256 } from './digest.ts'
import type { Kit } from './kit.ts'

/** Both are empty for a server that needs no launch approval. */
export function programNow({ rules, programs }: Pick<Kit, 'rules' | 'programs'>, server: string): ProgramNow {
  const approved = rules.launch(server)?.fingerprint ?? ''
  return { now: programs.get(server) ?? approved, approved }
}

/** A new token is the same program; any other changed value may lead it elsewhere. */
export function hasSameValues(before: StoredLaunch, digest: LaunchDigest | undefined): boolean {
  const since = compareDigests(before.digests, digest)
  return since.kind !== 'changed' || since.names.every(looksSecret)
}

/** Of what was allowed for once: with other values than were approved for good it is another program. */
export const programOnce = (fingerprint: string, isSame: boolean, digest: LaunchDigest | undefined): string =>
  isSame ? fingerprint : `${fingerprint} ${sha256(canonicalJson(digest?.values ?? {}))}`

/** The same program, known by another fingerprint from now on. */
export function renameProgram({ rules }: Kit, server: string, from: string, to: string): void {
  for (const rule of rules.list()) if (rule.server === server && rule.program === from) rules.put({ ...rule, program: to })
}
