// A bundle from an address that a registry names.
import { z } from 'zod'
import { t } from '#app/i18n/translate.ts'

/** `.mcpb`, and `.dxt` as it was before. */
export const isBundleFile = (name: string): boolean => /\.(mcpb|dxt)$/i.test(name)
export const bundleExtensions = '.mcpb,.dxt'

/** Bytes of a bundle's file; what is longer is not read on. */
export const largestBundle = 512 * 1024 * 1024

export const sha256Text = z.string().regex(/^[0-9a-fA-F]{64}$/, { error: () => t`no SHA-256` })

/** Where the bytes of a bundle came from. */
export const bundleDownload = z.object({
  /** As the registry named it; redirects may have led on from there. */
  url: z.string(),
  /** Of the bytes that came. */
  sha256: z.string(),
  /** The registry named the same. false: it named none, so nobody can say whether these are the bytes that were listed. */
  checked: z.boolean(),
})
export type BundleDownload = z.infer<typeof bundleDownload>

/** What the last part of an address calls the file. */
export function fileNameIn(url: string): string {
  const name = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(name) || 'bundle.mcpb'
  } catch {
    return name
  }
}
