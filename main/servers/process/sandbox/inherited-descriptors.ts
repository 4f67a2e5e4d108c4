// Descriptors that this process itself inherited without close-on-exec: whoever started it may have left a file or socket open. A child
// gets an empty file in their place. Linux alone tells which they are.
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { orElse } from '#app/or-else.ts'

/** `O_CLOEXEC`, as /proc/self/fdinfo shows it in octal (proc_pid_fdinfo(5)). */
const closeOnExec = 0o2000000

/** Numbers of the descriptors from `first` on that a child would inherit. */
function inheritedFrom(first: number): number[] {
  return orElse(() => readdirSync('/proc/self/fd'), [])
    .map(Number)
    .filter((fd) => fd >= first && (flagsOf(fd) & closeOnExec) === 0)
}

const flagsOf = (fd: number): number =>
  orElse(() => Number.parseInt(/^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '', 8), closeOnExec)

/** Entries of `stdio` from number `first` on, that put an empty file in place of what would be inherited. `done` is called after the start. */
export function closeInherited(first: number): { readonly stdio: ('ignore' | number)[]; readonly done: () => void } {
  const inherited = Number.isFinite(first) ? inheritedFrom(first) : []
  if (inherited.length === 0) return { stdio: [], done: () => undefined }
  const empty = openSync('/dev/null', 'r')
  const length = Math.max(...inherited) + 1 - first
  return {
    stdio: Array.from({ length }, (_, index) => (inherited.includes(first + index) ? empty : 'ignore')),
    done: () => closeSync(empty),
  }
}
