// Paths of this program's own files, in the build (dist/main) and in the sources.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of package.json, above dist/ or main/. */
const root = ((): string => {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) return folder
  }
})()

const built = import.meta.filename.endsWith('.js')

/** Folder of translations, `<tag>.json` each (docs/translation.md). */
export const languagesFolder = join(root, 'app', 'i18n', 'languages')
export const rendererFolder = join(root, 'dist', 'renderer')
export const diagramScript = join(root, 'dist', 'diagram', 'frame.js')
export const cliEntry = built ? join(root, 'dist', 'main', 'cli.js') : join(root, 'main', 'shell', 'cli', 'main.ts')
export const demoServerEntry = built ? join(root, 'dist', 'main', 'demo-server.js') : join(root, 'resources', 'demo-server', 'main.ts')

export function readAppVersion(): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return version
}
