// Review of an opened bundle for the page: facts of its manifest, concerns about what would run, and updates that it offers. Besides
// the manifest only the names of its files are read.
import { defined } from '#app/or-else.ts'
import { type BundlePlatform, commandFor } from '#app/server/bundle/bundle-command.ts'
import { withLocale } from '#app/server/bundle/bundle-labels.ts'
import { isSameOrigin } from '#app/server/bundle/bundle-signature.ts'
import { type BundleFacts, type BundleUpdate, changesBetween } from '#app/server/bundle/bundle-summary.ts'
import { type Concern, concernsOf, unknownVariables } from '#app/server/bundle/command-warnings.ts'
import { type BundleManifest, knownManifestVersions, manifestVersionOf } from '#app/server/bundle/manifest.ts'
import { compareVersions } from '#app/server/bundle/semver-range.ts'
import { fieldsOf } from '#app/server/bundle/user-config.ts'
import { reviewCandidate } from '#app/server/import/review-candidate.ts'
import { hasHidden } from '#app/text/hidden-characters.ts'
import { freeName } from '#app/text/look-alike.ts'
import type { BundleTarget } from './bundle-changes.ts'
import type { Installed } from './bundle-store.ts'
import type { BundleDisplay, OpenedBundle } from './incoming-bundles.ts'

const entries = (list: readonly { readonly name: string; readonly description?: string | undefined }[] = []) =>
  list.map(({ name, description = '' }) => ({ name, description }))

export function bundleFactsOf(original: BundleManifest, { words, icon }: BundleDisplay): BundleFacts {
  const manifest = withLocale(original, words)
  const link = (what: BundleFacts['links'][number]['what'], url: string | undefined) => (url ? [{ what, url }] : [])
  const { author, long_description, license } = manifest
  return {
    name: manifest.name,
    displayName: manifest.display_name?.trim() || manifest.name,
    version: manifest.version,
    description: manifest.description,
    ...defined({ icon, longDescription: long_description || undefined, license: license || undefined }),
    author: { name: author.name, ...defined({ email: author.email || undefined, url: author.url || undefined }) },
    links: [
      ...link('homepage', manifest.homepage),
      ...link('documentation', manifest.documentation),
      ...link('support', manifest.support),
      ...link('repository', manifest.repository?.url),
      ...(manifest.privacy_policies ?? []).flatMap((url) => link('privacy', url)),
    ],
    manifestVersion: manifestVersionOf(manifest),
    type: manifest.server.type,
    tools: entries(manifest.tools),
    toolsGenerated: manifest.tools_generated ?? false,
    prompts: entries(manifest.prompts),
    promptsGenerated: manifest.prompts_generated ?? false,
  }
}

export function concernsAbout(
  { manifest: original, archive, display, refused }: Pick<OpenedBundle, 'manifest' | 'archive' | 'display' | 'refused'>,
  system: BundlePlatform,
  taken: readonly string[],
): Concern[] {
  // Hidden characters are looked for in the words that are shown.
  const manifest = withLocale(original, display.words)
  const raw = commandFor(manifest, system)
  const { entry_point, type } = manifest.server
  const entry = entry_point
    .replace(/^\$\{__dirname\}[\\/]/, '')
    .replace(/^\.\//, '')
    .replaceAll('\\', '/')
  const isThere = archive.entries.some(({ name }) => name === entry || (type === 'binary' && name === `${entry}.exe`))
  const version = manifestVersionOf(manifest)
  const shown: readonly (readonly [string, string | undefined])[] = [
    ['name', manifest.name],
    ['display_name', manifest.display_name],
    ['author', manifest.author.name],
    ['description', manifest.description],
    ['command', [raw.command, ...raw.args, ...Object.values(raw.env)].join(' ')],
  ]
  const names = [manifest.name, manifest.display_name ?? manifest.name]
  const [like] = names.flatMap((name) => reviewCandidate({ name }, { taken }).alike)
  return [
    ...concernsOf(manifest, raw),
    ...unknownVariables(manifest, raw),
    ...refused,
    ...(isThere ? [] : [{ kind: 'entry-missing' as const, entry: entry_point }]),
    ...(knownManifestVersions.includes(version) ? [] : [{ kind: 'newer-manifest' as const, version }]),
    ...shown.flatMap(([field, text]) => (text !== undefined && hasHidden(text) ? [{ kind: 'hidden-characters' as const, field }] : [])),
    ...(like === undefined ? [] : [{ kind: 'look-alike' as const, name: names[1] ?? manifest.name, like }]),
  ]
}

export const updatesOf = (
  opened: Pick<OpenedBundle, 'manifest' | 'signature'>,
  installed: readonly Pick<Installed, 'server' | 'record'>[],
  here: BundleTarget,
): BundleUpdate[] =>
  installed
    .filter(({ record }) => record.manifest.name === opened.manifest.name)
    .map(({ server, record }) => {
      const order = compareVersions(record.manifest.version, opened.manifest.version)
      return {
        server,
        version: record.manifest.version,
        order: order === undefined ? 'unknown' : order === 0 ? 'same' : order < 0 ? 'newer' : 'older',
        sameOrigin: isSameOrigin(record, opened),
        changes: changesBetween(record.manifest, opened.manifest, here.system),
        fields: fieldsOf(opened.manifest, { ...here, values: record.values, kept: Object.keys(record.secrets) }),
      }
    })

/** Makes a free server name from the characters of the bundle's name that may stand in one. */
export function suggestedName({ name, display_name }: BundleManifest, taken: readonly string[]): string {
  const clean = (text: string): string =>
    text
      .normalize('NFKC')
      .replace(/[^\p{L}\p{N} ._-]+/gu, '')
      .trim()
      .slice(0, 48)
      .trim()
  return freeName(clean(name) || clean(display_name ?? '') || 'bundle', taken, (text) => text.toLowerCase())
}
