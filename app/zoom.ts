// How large the page is drawn, in percent: the steps that browsers have.
export const zoomSteps = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300] as const
export const usualZoom = 100

/** One step larger or smaller; at the end of the steps as it is. `by` 0: the usual size. */
export function nextZoom(zoom: number, by: 1 | 0 | -1): number {
  if (by === 0) return usualZoom
  const next = by > 0 ? zoomSteps.find((step) => step > zoom) : zoomSteps.findLast((step) => step < zoom)
  return next ?? zoom
}
