/** Pieces of one second that get numbers of their own; the gaps between numbers cost room in the index. */
const PLACES_A_SECOND = 8
const LATEST = 8_640_000_000_000_000

/** Of the first piece that may be as late as that. */
export const firstPlace = (ms: number): number => Math.floor(Math.min(LATEST, Math.max(0, ms || 0)) / 1000) * PLACES_A_SECOND
