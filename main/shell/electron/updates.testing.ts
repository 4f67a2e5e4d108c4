// The metadata of a release, as electron-builder's own writer makes it; it is given the few parts of a packager that it asks.
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

const ofBuilder = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
const builder: {
  readonly createUpdateInfoTasks: (event: object, configs: readonly object[]) => Promise<{ readonly file: string }[]>
  readonly writeUpdateInfoFiles: (tasks: readonly object[], packager: object) => Promise<void>
} = ofBuilder('app-builder-lib/out/publish/updateInfoBuilder.js')
const platforms: Readonly<Record<string, object>> = ofBuilder('app-builder-lib/out/core.js').Platform

interface ReleaseFile {
  readonly file: string
  readonly content: string
  readonly version: string
  readonly os: NodeJS.Platform
  readonly info: object
}

/** Writes it beside the file. */
export async function writeMetadata({ file, content, version, os, info }: ReleaseFile): Promise<void> {
  const packager = {
    platform: platforms[{ linux: 'LINUX', darwin: 'MAC', win32: 'WINDOWS' }[os as 'linux']],
    platformSpecificBuildOptions: {},
    config: { releaseInfo: info },
    appInfo: { version },
    info: { metadata: {} },
    getResource: async () => null,
    emitArtifactCreated: async () => undefined,
  }
  const sha512 = createHash('sha512').update(content).digest('base64')
  const updateInfo = { size: Buffer.byteLength(content), sha512 }
  const event = { packager, target: { outDir: dirname(file) }, file, arch: 1, updateInfo }
  const configs = [{ provider: 'generic', url: 'http://127.0.0.1/' }]
  await builder.writeUpdateInfoFiles(await builder.createUpdateInfoTasks(event, configs), packager)
}
