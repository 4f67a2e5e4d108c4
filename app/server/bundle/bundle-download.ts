import { z } from 'zod'
import { t } from '#app/i18n/translate.ts'
import { orElse } from '#app/or-else.ts'

/** `.mcpb`, and `.dxt` as it was before. */
export const isBundleFile = (name: string): boolean => /\.(mcpb|dxt)$/i.test(name)
export const bundleExtensions = '.mcpb,.dxt'

/** Bytes of a bundle's file; a longer one is not read to its end. */
export const largestBundle = 512 * 1024 * 1024

export const isSha256 = (text: string): boolean => /^[0-9a-fA-F]{64}$/.test(text)
export const sha256Text = z.string().refine(isSha256, { error: () => t`no SHA-256` })

export const bundleDownload = z.object({
  /** Address that the registry named, before redirects. */
  url: z.string(),
  sha256: z.string(),
  /** True when the registry lists the same SHA-256; false when it lists none, so that the bytes could not be checked. */
  checked: z.boolean(),
})
export type BundleDownload = z.infer<typeof bundleDownload>

/** File name in the path of an address. */
export function fileNameIn(url: string): string {
  const name = new URL(url).pathname.split('/').at(-1) ?? ''
  return orElse(() => decodeURIComponent(name) || 'bundle.mcpb', name)
}
