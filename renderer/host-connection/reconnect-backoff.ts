/** Milliseconds to wait before try number `attempt` (from 0) to reconnect: quick at first, at most every 5 s. */
export const reconnectDelay = (attempt: number): number => Math.min(5000, 200 * 2 ** attempt)
