/** Delay in milliseconds before attempt number `attempt` (from 0) to reconnect; at most 5 s. */
export const reconnectDelay = (attempt: number): number => Math.min(5000, 200 * 2 ** attempt)
