// What images models take, so that none makes a provider refuse the whole request. Pure.
import type { ImageSize } from './image-size.ts'

export const imageLimits = {
  /** Pixels of the longer side. Providers scale what is longer down, after it was sent. */
  edge: 1568,
  /** The most that one takes in a request of many images. */
  mostEdge: 2000,
  /** Five megabytes of base64. */
  bytes: 3_750_000,
  /** What a page draws to make it smaller: it has four bytes a pixel for it. */
  mostPixels: 80_000_000,
} as const

/** `large`: smaller is better. `too-large`: it may not go as it is. */
export type ImageVerdict = 'fits' | 'large' | 'too-large'

export function judgeImage(bytes: number, size: ImageSize | undefined): ImageVerdict {
  const longest = size ? Math.max(size.width, size.height) : 0
  if (bytes > imageLimits.bytes || longest > imageLimits.mostEdge) return 'too-large'
  return longest > imageLimits.edge ? 'large' : 'fits'
}

export const canBeDrawn = (size: ImageSize | undefined): boolean => size !== undefined && size.width * size.height <= imageLimits.mostPixels
