// The built page, read once. What is served is looked up by its exact path in this map, so a path that climbs out of the
// folder is merely a name that is not there.
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { pageFileTypes } from '#app/contract/csp.ts'

export interface Asset {
  readonly bytes: Buffer
  readonly type: string
}

/** By path, `/` being the page itself. Source maps and types that a page does not need are left out. Undefined: nothing was built. */
export function readAssets(folder: string): ReadonlyMap<string, Asset> | undefined {
  const assets = new Map<string, Asset>()
  let names: string[]
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    // There is no such folder: the caller says what to do about it.
    return undefined
  }
  for (const name of names) {
    const type = pageFileTypes[extname(name)]
    if (type === undefined) continue
    const path = `/${name.split(sep).join('/')}`
    assets.set(path === '/index.html' ? '/' : path, { bytes: readFileSync(join(folder, name)), type })
  }
  return assets.has('/') ? assets : undefined
}

/** Paths of the scripts and sheets that the page itself names. */
export function startingFiles(assets: ReadonlyMap<string, Asset>): string[] {
  const page = assets.get('/')?.bytes.toString() ?? ''
  return [...page.matchAll(/\b(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].flatMap(([, path]) => path ?? [])
}
