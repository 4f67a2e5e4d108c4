// Files of the built page as one run serves them. Whoever had this port before may have left files in the browser's cache: so the page names
// its files below a path of this run, and says the digest of each script and sheet, of those too that are loaded later (import map).
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { contentSecurityPolicy, pageFileTypes } from '#app/contract/csp.ts'
import { orElse } from '#app/or-else.ts'

interface Asset {
  readonly bytes: Buffer
  readonly type: string
}
export type Assets = ReadonlyMap<string, Asset>

/** Reads the built page: files by path, `/` is the page itself, without source maps and the like. Undefined: nothing was built. */
export function readAssets(folder: string): Assets | undefined {
  const assets = new Map<string, Asset>()
  for (const name of orElse(() => readdirSync(folder, { recursive: true, encoding: 'utf8' }), [])) {
    const type = pageFileTypes[extname(name)]
    if (type === undefined) continue
    const path = `/${name.split(sep).join('/')}`
    assets.set(path === '/index.html' ? '/' : path, { bytes: readFileSync(join(folder, name)), type })
  }
  return assets.has('/') ? assets : undefined
}

const digest = (bytes: Uint8Array | string): string => `sha256-${createHash('sha256').update(bytes).digest('base64')}`

/** Puts the files of a build below `/${run}`. The page's policy names the import map, its one inline part, by its digest. */
export function filesOfRun(built: Assets, run: string) {
  const files = new Map<string, Asset>([...built].flatMap(([path, asset]) => (path === '/' ? [] : [[`/${run}${path}`, asset] as const])))
  const scripts = [...files].filter(([path]) => path.endsWith('.js'))
  const map = JSON.stringify({ integrity: Object.fromEntries(scripts.map(([path, { bytes }]) => [path, digest(bytes)])) })
  const starting = new Set<string>()
  const html = built
    .get('/')
    ?.bytes.toString()
    .replace(/\b(src|href)="\.(\/[^"]+)"/g, (_all, name: string, path: string) => {
      const file = files.get(`/${run}${path}`)
      const isChecked = file !== undefined && /\.(js|css)$/.test(path)
      if (isChecked) starting.add(`/${run}${path}`)
      return `${name}="/${run}${path}"${isChecked ? ` integrity="${digest(file.bytes)}"` : ''}`
    })
    // The map comes before the first script, or the browser ignores it.
    .replace(/(?=<script\b)/, `<script type="importmap">${map}</script>\n    `)
  return {
    files,
    page: Buffer.from(html ?? ''),
    policy: contentSecurityPolicy.replace("script-src 'self'", `script-src 'self' '${digest(map)}'`),
    /** Paths of the scripts and sheets that the page itself names. */
    starting,
  }
}
