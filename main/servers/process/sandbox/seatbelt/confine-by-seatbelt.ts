// Starts a server by sandbox-exec (macOS). Nothing is mounted there: HOME is the server's own folder, in which what was granted below the
// person's home folder lies as links at the same place. sandbox-exec becomes the server, so process and exit are the server's own.
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isInside } from '#app/consent/rules/path-text.ts'
import { defined } from '#app/or-else.ts'
import { tagVariable } from '../../server-process.ts'
import { type ConfinedLaunch, type ConfineRequest, type ConfineSurroundings, sandboxEnvironment } from '../confined-launch.ts'
import type { SandboxEngine } from '../find-engine.ts'
import { linkPlaces, makeSocketFolder, openOwnFolder } from '../own-folder.ts'
import { type Mount, planMounts } from '../plan-mounts.ts'
import { openHostProxy } from '../proxy/host-proxy.ts'
import { realPath, workingFolder } from '../resolve-grants.ts'
import { runtimeFolders } from '../runtime-folders.ts'
import { seatbeltProfile, systemMounts } from './seatbelt-profile.ts'

/** Variables that the loader and the allocator would obey in sandbox-exec itself, outside. */
const obeyedOutside = /^(?:DYLD_|Malloc)/

/** @throws {HostError} `server.sandbox-grant` */
export async function confineBySeatbelt(
  engine: Extract<SandboxEngine, { kind: 'seatbelt' }>,
  { grants, launch, onAttempt }: ConfineRequest,
  { place, folder, ...out }: ConfineSurroundings,
): Promise<ConfinedLaunch> {
  const working = workingFolder(launch.cwd, place)
  const runtime = [...runtimeFolders(launch, place), ...(working === undefined ? [] : [working])]
  const { mounts: planned, undo } = planMounts({ grants, place, runtime, hides: 'by-rule' })
  const own = openOwnFolder(folder)
  const secret = randomBytes(24).toString('hex')
  const proxy = await openHostProxy({ listen: { secret }, grants, onAttempt, ...defined(out) })
  const files = makeSocketFolder()
  const dispose = (): void => {
    proxy.close()
    rmSync(files, { recursive: true, force: true })
    own.dispose()
    undo()
  }
  try {
    linkPlaces(own, place.home, planned)
    const mounts = [...systemMounts, ...planned.map(({ kind, path }): Mount => ({ kind, path: realPath(path) }))]
    // Bundles lie in the data folder, which is hidden.
    const bundles = runtime.filter((path) => isInside(path, place.dataDir)).map((path): Mount => ({ kind: 'read', path: realPath(path) }))
    const written = [own.home, own.tmp].map((path): Mount => ({ kind: 'write', path: realPath(path) }))
    const profile = join(files, 'profile.sb')
    writeFileSync(profile, seatbeltProfile({ mounts, own: [...bundles, ...written], proxyPort: proxy.port }), { mode: 0o600, flag: 'wx' })
    const address = `http://assent:${secret}@127.0.0.1:${proxy.port}`
    const env = sandboxEnvironment(launch.env, { home: own.home, tmp: own.tmp, proxy: address, hosts: grants.hosts })
    for (const name of Object.keys(env)) if (obeyedOutside.test(name)) delete env[name]
    const cwd = working ?? (mounts.some(({ path }) => isInside(realPath(launch.cwd), path)) ? launch.cwd : own.home)
    const { denyRead, denyWrite } = grants
    return {
      command: engine.sandboxExec,
      args: ['-f', profile, launch.command, ...launch.args],
      cwd,
      wraps: false,
      tagged: (tag) => ({ env: { ...env, [tagVariable]: tag }, input: [] }),
      proxy,
      view: { mounts: [...mounts, ...bundles, ...written], home: own.home, own, cwd, denyRead, denyWrite },
      dispose,
    }
  } catch (error) {
    dispose()
    throw error
  }
}
