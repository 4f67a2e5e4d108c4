// Images that a tool gave and that are larger than models take: the host asks its pages, and this one draws them smaller.
import { useEffect } from 'react'
import type { HostLink } from '#app/contract/link.ts'
import { useStores } from '#renderer/stores/react.tsx'
import { prepareImage } from './image-file.ts'
import { sendParts } from './upload.ts'

export function useImageScaling(): void {
  const { link } = useStores()
  useEffect(
    () =>
      link.onEvent(({ name, payload }) => {
        // Where the link is lost the host asks the others, or goes on without.
        if (name === 'image.wanted') void scaleFor(link, payload.sha256, payload.mimeType).catch(() => undefined)
      }),
    [link],
  )
}

export async function scaleFor(link: HostLink, sha256: string, mimeType: string): Promise<void> {
  const answer = await fetch(`/blob/${sha256}`)
  const prepared = answer.ok ? await prepareImage(new Uint8Array(await answer.arrayBuffer()), mimeType) : undefined
  await link.request('attachment.scaled', { sha256, ...(prepared && { upload: await sendParts(link, prepared.bytes) }) })
}
