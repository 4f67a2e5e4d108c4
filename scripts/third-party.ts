// The packages of others that a build holds: their licences for people (THIRD-PARTY-NOTICES.txt), and a list for programs that look for
// known flaws (sbom.cdx.json, CycloneDX 1.6). Taken from the modules that were bundled, not from what is installed.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface PackageFile {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly repository?: string | { readonly url?: string }
}

interface ThirdParty {
  readonly name: string
  readonly version: string
  /** SPDX expression. */
  readonly license: string
  /** Texts of its licence files. */
  readonly texts: readonly string[]
}

/** Licences that may be shipped (docs/dependencies.md): permissive ones, OFL for fonts, Unicode for data. */
const allowed = /^(MIT|MIT-0|Apache-2\.0|BSD-[23]-Clause|ISC|0BSD|Unlicense|CC0-1\.0|OFL-1\.1|Unicode-3\.0)$/
const isAllowed = (license: string): boolean =>
  license
    .replace(/^\(|\)$/g, '')
    .split(' OR ')
    .some((one) => allowed.test(one))
const licenceFile = /^(licen[cs]e|copying|notice)([-.].*)?$/i
const readPackage = (folder: string): PackageFile => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Folder of the package that a module belongs to. Package files without a name only say how a folder is read. */
function packageFolder(id: string): string | undefined {
  const path = id.replace(/^\0/, '').replace(/[?#].*$/, '')
  if (!path.includes('/node_modules/')) return undefined
  for (let folder = dirname(path); folder.includes('/node_modules/'); folder = dirname(folder))
    if (existsSync(join(folder, 'package.json')) && readPackage(folder).version !== undefined) return folder
  return undefined
}

/** Packages of bundled modules, each once, by name. @throws Error for a package whose licence is not allowed, or not told */
export function thirdParties(moduleIds: Iterable<string>): ThirdParty[] {
  const folders = new Set([...moduleIds].flatMap((id) => packageFolder(id) ?? []))
  const found = new Map<string, ThirdParty>()
  for (const folder of folders) {
    const { name = '', version = '', license: said } = readPackage(folder)
    const texts = readdirSync(folder)
      .filter((file) => licenceFile.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8').trim())
    const license = said ?? (texts.some((text) => /^(the )?mit license/i.test(text)) ? 'MIT' : undefined)
    if (license === undefined || !isAllowed(license))
      throw new Error(`${name} ${version} may not be shipped: its licence is ${license ?? 'not told'}.`)
    found.set(`${name} ${version}`, { name, version, license, texts })
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version))
}

const line = '─'.repeat(80)
const notices = (parties: readonly ThirdParty[]): string =>
  [
    'Assent contains the following software of others. Electron’s and Chromium’s licences lie beside the program.',
    ...parties.map(({ name, version, license, texts }) => [line, `${name} ${version} (${license})`, ...texts].join('\n\n')),
    '',
  ].join('\n\n')

const purl = ({ name, version }: Pick<ThirdParty, 'name' | 'version'>): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** Software bill of materials (CycloneDX 1.6). `runtime`: Electron, which is shipped beside what is bundled. */
export function sbom(
  parties: readonly ThirdParty[],
  { version, runtime }: { readonly version: string; readonly runtime: ThirdParty },
): object {
  const component = (party: ThirdParty) => ({
    type: 'library',
    'bom-ref': purl(party),
    name: party.name,
    version: party.version,
    licenses: [/^[\w.+-]+$/.test(party.license) ? { license: { id: party.license } } : { expression: party.license }],
    purl: purl(party),
  })
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': 'assent', name: 'assent', version } },
    components: [runtime, ...parties].map(component),
  }
}

/** Writes both files into the folder of a build. */
export function writeThirdParties(folder: string, root: string, moduleIds: Iterable<string>): void {
  const parties = thirdParties(moduleIds)
  const { version = '' } = readPackage(root)
  const electron = readPackage(join(root, 'node_modules/electron'))
  const runtime = { name: 'electron', version: electron.version ?? '', license: electron.license ?? 'MIT', texts: [] }
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), notices(parties))
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom(parties, { version, runtime }), null, 2)}\n`)
}
