// Files of the built page as one run serves them. Whoever had this port before may have left files in the browser's cache: so the page names
// its files below a path of this run, and says the digest of each script and sheet, of those too that are loaded later (import map).
import { webcrypto } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { contentSecurityPolicy, pageFileTypes } from '#app/contract/csp.ts'
import { orElse } from '#app/or-else.ts'

interface Asset {
  readonly bytes: Buffer<ArrayBuffer>
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

/** Made on another thread: all files together take longer than the link. */
const digest = async (bytes: Buffer<ArrayBuffer>): Promise<string> =>
  `sha256-${Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('base64')}`

/** Puts the files of a build below `/${run}`. The page's policy names the import map, its one inline part, by its digest. */
export async function filesOfRun(built: Assets, run: string) {
  const files = new Map<string, Asset>([...built].flatMap(([path, asset]) => (path === '/' ? [] : [[`/${run}${path}`, asset] as const])))
  const checked = [...files].filter(([path]) => /\.(js|css)$/.test(path))
  const digests = new Map(await Promise.all(checked.map(async ([path, { bytes }]) => [path, await digest(bytes)] as const)))
  const map = JSON.stringify({ integrity: Object.fromEntries([...digests].filter(([path]) => path.endsWith('.js'))) })
  const starting = new Set<string>()
  const html = built
    .get('/')
    ?.bytes.toString()
    .replace(/\b(src|href)="\.(\/[^"]+)"/g, (_all, name: string, path: string) => {
      const integrity = digests.get(`/${run}${path}`)
      if (integrity !== undefined) starting.add(`/${run}${path}`)
      return `${name}="/${run}${path}"${integrity === undefined ? '' : ` integrity="${integrity}"`}`
    })
    // The map comes before the first script, or the browser ignores it.
    .replace(/(?=<script\b)/, `<script type="importmap">${map}</script>\n    `)
  return {
    files,
    page: Buffer.from(html ?? ''),
    policy: contentSecurityPolicy.replace("script-src 'self'", `script-src 'self' '${await digest(Buffer.from(map))}'`),
    /** Paths of the scripts and sheets that the page itself names. */
    starting,
  }
}
