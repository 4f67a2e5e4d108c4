// Limits of one stdio server, in bytes and milliseconds. What exceeds one costs the server a line, never the host its memory.
export type StdioLimits = Readonly<typeof defaultLimits>
export type ShutdownGrace = Readonly<StdioLimits['grace']>

export const defaultLimits = {
  /** Longest line of stdout; a longer one is dropped and reported as `server.too-large`. */
  maxLine: 16 * 1024 * 1024,
  /** Unprocessed bytes at which reading stdout pauses; it resumes at a quarter. */
  maxBacklog: 1024 * 1024,
  /** Longest line of stderr, or of stdout that is not protocol; the rest is cut. */
  maxOutputLine: 8 * 1024,
  /** Lines of these kinds in any 100 ms and from one source; beyond it the last is kept and the rest counted. */
  outputBurst: 500,
  /** How long the pipes of an ended process are still read, in case a grandchild holds them open. */
  drain: 250,
  /** Waits before SIGTERM, before SIGKILL, and before giving up. On Windows the last has the start of `taskkill` in it. */
  grace: { stdin: 2000, terminate: 2000, kill: process.platform === 'win32' ? 4000 : 1000 },
}
