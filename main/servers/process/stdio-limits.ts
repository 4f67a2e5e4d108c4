// Limits of one stdio server, in bytes and milliseconds. What exceeds one costs the server a line, never the host its memory.
export interface StdioLimits {
  /** Longest line of stdout; a longer one is dropped and reported as `server.too-large`. */
  readonly maxLine: number
  /** Unprocessed bytes at which reading stdout pauses; it resumes at a quarter. */
  readonly maxBacklog: number
  /** Longest line of stderr, or of stdout that is not protocol; the rest is cut. */
  readonly maxOutputLine: number
  /** Such lines in any 100 ms and from one source; beyond it the last is kept and the rest counted. */
  readonly outputBurst: number
  /** How long the pipes of an ended process are still read, in case a grandchild holds them open. */
  readonly drain: number
  readonly grace: ShutdownGrace
}

/** How long each step of a shutdown waits before the next. */
export interface ShutdownGrace {
  readonly stdin: number
  readonly terminate: number
  readonly kill: number
}

export const defaultLimits: StdioLimits = {
  maxLine: 16 * 1024 * 1024,
  maxBacklog: 1024 * 1024,
  maxOutputLine: 8 * 1024,
  outputBurst: 500,
  drain: 250,
  grace: { stdin: 2000, terminate: 2000, kill: 1000 },
}
