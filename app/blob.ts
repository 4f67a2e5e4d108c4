import { z } from 'zod'

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
export const blobRef = z.object({ sha256, bytes: z.number().int(), mimeType: z.string() })
export type BlobRef = z.infer<typeof blobRef>
