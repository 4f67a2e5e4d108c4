// What of a bundle is for the eye: its picture, and its words in the person's language. Both are files of the archive, taken
// by their very names there; what is too large or not what it should be is left out, and said.
import { HostError } from '#app/errors.ts'
import type { Concern } from '#app/server/bundle/concerns.ts'
import { iconFile, isPlainPng, largestIcon } from '#app/server/bundle/icon.ts'
import type { BundleManifest } from '#app/server/bundle/manifest.ts'
import { type BundleWords, bundleWords, largestWords, wordsFile } from '#app/server/bundle/words.ts'
import type { Archive } from './archive.ts'
import { readWhole } from './unpack.ts'

export interface BundleLooks {
  readonly words?: BundleWords | undefined
  /** A PNG as a `data:` address. */
  readonly icon?: string | undefined
}

export async function readLooks(
  archive: Archive,
  manifest: BundleManifest,
  locale: string,
): Promise<{ readonly looks: BundleLooks; readonly refused: readonly Concern[] }> {
  const names = archive.entries.map(({ name }) => name)
  const words = await partOf(archive, wordsFile(manifest, names, locale), largestWords, readWords)
  const icon = await partOf(archive, iconFile(manifest), largestIcon, (bytes) =>
    isPlainPng(bytes) ? `data:image/png;base64,${Buffer.from(bytes).toString('base64')}` : undefined,
  )
  return {
    looks: { ...(words.value ? { words: words.value } : {}), ...(icon.value ? { icon: icon.value } : {}) },
    refused: [
      ...(words.refused === undefined ? [] : [{ kind: 'words-refused' as const, file: words.refused }]),
      ...(icon.refused === undefined ? [] : [{ kind: 'icon-refused' as const, file: icon.refused }]),
    ],
  }
}

interface Part<T> {
  readonly value?: T | undefined
  /** The file that is left out. */
  readonly refused?: string
}

/** A file that is damaged makes the whole bundle one that is refused. */
async function partOf<T>(
  archive: Archive,
  name: string | undefined,
  limit: number,
  read: (bytes: Uint8Array) => T | undefined,
): Promise<Part<T>> {
  if (name === undefined) return {}
  try {
    const bytes = await readWhole(archive, name, limit)
    if (!bytes) return {}
    const value = read(bytes)
    return value === undefined ? { refused: name } : { value }
  } catch (error) {
    if (error instanceof HostError && error.code === 'bundle.too-large') return { refused: name }
    throw error
  }
}

function readWords(bytes: Uint8Array): BundleWords | undefined {
  try {
    return bundleWords.safeParse(JSON.parse(new TextDecoder().decode(bytes).replace(/^\uFEFF/, ''))).data
  } catch {
    return undefined // It is no JSON: the manifest's own words stand.
  }
}
