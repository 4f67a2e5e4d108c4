// Localized texts of a bundle (`localization`): choice of the file, and its texts in place of those of the manifest. Author and names of
// tools are never replaced: updates are compared by them.
import { z } from 'zod'
import type { BundleManifest } from './manifest.ts'

/** Bytes of one file of texts. */
export const largestLocaleFile = 256 * 1024

const text = (max: number) => z.string().max(max).optional().catch(undefined)
const named = z
  .array(z.object({ name: z.string().max(300), description: z.string().max(8000) }))
  .max(2000)
  .optional()
  .catch(undefined)
/** Schema of such a file; a field that is wrong is left out. */
export const bundleLocale = z.object({
  display_name: text(200),
  description: text(8000),
  long_description: text(100_000),
  tools: named,
  prompts: named,
})
export type BundleLocale = z.infer<typeof bundleLocale>

const usualPlace = `mcpb-resources/\${locale}.json`
const isLocale = (part: string): boolean => /^[A-Za-z0-9]{2,8}(?:-[A-Za-z0-9]{1,8}){0,8}$/.test(part)
const languageOf = (locale: string): string => locale.toLowerCase().split('-')[0] ?? ''

/** Finds the locale file among `names` that fits best: same locale, language, any of the language. Undefined: the manifest does. */
export function localeFile({ localization }: BundleManifest, names: readonly string[], locale: string): string | undefined {
  const [before = '', after = ''] = (localization?.resources ?? usualPlace).replaceAll('\\', '/').replace(/^\.\//, '').split(`\${locale}`)
  const found = names.flatMap((name) => {
    if (!name.startsWith(before) || !name.endsWith(after) || name.length <= before.length + after.length) return []
    const its = name.slice(before.length, name.length - after.length)
    return isLocale(its) && languageOf(its) === languageOf(locale) ? [{ name, its: its.toLowerCase() }] : []
  })
  const own = (localization?.default_locale ?? 'en-US').toLowerCase()
  const wanted = locale.toLowerCase()
  const exact = found.find(({ its }) => its === wanted)
  if (exact || wanted === own) return exact?.name
  const general = found.find(({ its }) => its === languageOf(locale))
  if (general || languageOf(own) === languageOf(locale)) return general?.name
  return found.toSorted((a, b) => (a.its < b.its ? -1 : 1))[0]?.name
}

/** Puts localized texts in, for display. Tools and prompts that the manifest does not have are left out. */
export function withLocale(manifest: BundleManifest, words: BundleLocale | undefined): BundleManifest {
  if (!words) return manifest
  const { display_name = manifest.display_name, description = manifest.description, long_description = manifest.long_description } = words
  const described = <T extends { readonly name: string }>(list: readonly T[], by: BundleLocale['tools']): T[] =>
    list.map((one) => {
      const found = by?.find(({ name }) => name === one.name)
      return found ? { ...one, description: found.description } : one
    })
  return {
    ...manifest,
    display_name,
    description,
    long_description,
    tools: manifest.tools && described(manifest.tools, words.tools),
    prompts: manifest.prompts && described(manifest.prompts, words.prompts),
  }
}
