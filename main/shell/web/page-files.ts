// Files of the built page as one run serves them. Whoever had this port before may have left files in the browser's cache: so the page names
// its files below a path of this run, and says the digest of each script and sheet, of those too that are loaded later (import map).
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { contentSecurityPolicy, pageFileTypes } from '#app/contract/csp.ts'
import { orElse } from '#app/or-else.ts'

interface Asset {
  /** Reads the file when it is asked for: the start needs few of them. Undefined: a later build took it away. */
  readonly bytes: () => Buffer | undefined
  readonly type: string
}

export interface Assets {
  readonly files: ReadonlyMap<string, Asset>
  readonly html: string
  /** The integrity of each script and sheet by its path, as the build wrote it. */
  readonly digests: Readonly<Record<string, string>>
}

/** Lists the built page: files by path, without source maps and the like. Undefined: nothing was built. */
export function readAssets(folder: string): Assets | undefined {
  const names = orElse(() => readdirSync(folder, { recursive: true, encoding: 'utf8' }), [] as string[])
  if (!names.includes('index.html') || !names.includes('digests.json')) return undefined
  const files = new Map<string, Asset>()
  for (const name of names) {
    const type = pageFileTypes[extname(name)]
    if (type === undefined || name === 'index.html' || name === 'digests.json') continue
    files.set(`/${name.split(sep).join('/')}`, { bytes: () => orElse(() => readFileSync(join(folder, name)), undefined), type })
  }
  const text = (name: string): string => readFileSync(join(folder, name), 'utf8')
  return { files, html: text('index.html'), digests: JSON.parse(text('digests.json')) as Record<string, string> }
}

/** Puts the files of a build below `/${run}`. The page's policy names the import map, its one inline part, by its digest. */
export function filesOfRun({ files, html, digests }: Assets, run: string) {
  const starting = new Set<string>()
  const integrity = Object.fromEntries(
    Object.entries(digests).flatMap(([path, digest]) => (path.endsWith('.js') ? [[`/${run}${path}`, digest]] : [])),
  )
  const map = JSON.stringify({ integrity })
  const page = html
    .replace(/\b(src|href)="\.(\/[^"]+)"/g, (_all, name: string, path: string) => {
      const digest = digests[path]
      if (digest !== undefined) starting.add(`/${run}${path}`)
      return `${name}="/${run}${path}"${digest === undefined ? '' : ` integrity="${digest}"`}`
    })
    // The map comes before the first script, or the browser ignores it.
    .replace(/(?=<script\b)/, `<script type="importmap">${map}</script>\n    `)
  const digest = createHash('sha256').update(map).digest('base64')
  return {
    files: new Map([...files].map(([path, asset]) => [`/${run}${path}`, asset])),
    page: Buffer.from(page),
    policy: contentSecurityPolicy.replace("script-src 'self'", `script-src 'self' 'sha256-${digest}'`),
    /** Paths of the scripts and sheets that the page itself names. */
    starting,
  }
}
