// Which answers an attempt can have. A grant that a person writes by hand may do more than one press on a button.
import { isInside } from '#app/consent/rules/path-text.ts'
import { orElse } from '#app/or-else.ts'
import { guardedInFolders, secretPaths } from '#app/server/sandbox/protected-paths.ts'
import type { AttemptAllowance, SandboxAttempt } from '#app/server/sandbox/sandbox-report.ts'
import { noGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { reachOfHost } from '#main/base/network/address-policy.ts'
import { below, resolveGrants, type SandboxPlace } from '../resolve-grants.ts'

export function allowanceOf(
  { kind, target, refused }: Pick<SandboxAttempt, 'kind' | 'target' | 'refused'>,
  place: SandboxPlace,
): AttemptAllowance {
  if (refused === undefined) return 'never'
  if (kind === 'host') {
    const isNamed = refused === 'not-granted' || refused === 'denied'
    // An address of this computer or its network is granted by name alone, on the page.
    return isNamed && (reachOfHost(target) ?? 'public') === 'public' ? 'click' : 'never'
  }
  // What other programs run or obey stays as it is, also in a folder that may be written.
  if (kind === 'write' && guardedInFolders.some((name) => `${target}/`.includes(`/${name}/`))) return 'never'
  if (!orElse(() => resolveGrants({ ...noGrants, [kind]: [target] }, place), undefined)) return 'never'
  const isSecret = below(place.home, secretPaths).some((path) => isInside(target, path) || isInside(path, target))
  return isSecret || isInside(place.home, target) ? 'review' : 'click'
}
