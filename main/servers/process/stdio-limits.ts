// The bounds of one stdio server. Sizes in bytes, times in milliseconds. What is over a bound costs that server a line,
// never the host its memory.
export interface StdioLimits {
  /** A line of stdout longer than this is dropped and reported as `server.too-large`; until then it is held. */
  readonly maxLine: number
  /** What may have been read and not yet handed over before stdout is paused; it is read again at a quarter of it. */
  readonly maxBacklog: number
  /** A line of stderr, or of stdout that is not protocol, is cut here. */
  readonly maxOutputLine: number
  /** Such lines in any 100 ms and from one source; of what is over, the last line is kept and the rest is counted. */
  readonly outputBurst: number
  /** How long the pipes of a process that has ended are read on, in case a grandchild holds them open. */
  readonly drain: number
  readonly grace: ShutdownGrace
}

/** How long each step of a shutdown waits before the next. */
export interface ShutdownGrace {
  /** From the end of stdin to SIGTERM. */
  readonly stdin: number
  /** From SIGTERM to SIGKILL. */
  readonly terminate: number
  /** From SIGKILL to giving up on what the kernel will not end. */
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
