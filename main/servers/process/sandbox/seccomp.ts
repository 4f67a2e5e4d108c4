// Program of seccomp's filter (classic BPF, seccomp(2)) for bubblewrap: refuses calls that reach the kernel's keyrings, other
// processes, or parts of the kernel that no server needs. Pure.

/** Numbers of the calls by architecture, as the kernel's tables have them. */
const calls = {
  x64: {
    audit: 0xc000003e,
    /** Numbers from here on are those of the x32 interface. */
    x32: 0x40000000,
    ioctl: 16,
    refused: {
      ptrace: 101, add_key: 248, request_key: 249, keyctl: 250, process_vm_readv: 310, process_vm_writev: 311, kcmp: 312, pidfd_getfd: 438,
      mount: 165, umount2: 166, pivot_root: 155, chroot: 161, move_mount: 429, open_tree: 428, fsopen: 430, fsconfig: 431, fsmount: 432, fspick: 433, mount_setattr: 442,
      setns: 308, bpf: 321, perf_event_open: 298, userfaultfd: 323, kexec_load: 246, kexec_file_load: 320, init_module: 175, finit_module: 313,
      delete_module: 176, swapon: 167, swapoff: 168, reboot: 169, acct: 163, quotactl: 179, open_by_handle_at: 304, name_to_handle_at: 303,
      io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, syslog: 103, vhangup: 153, personality: 135, modify_ldt: 154, uselib: 134,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    x32: undefined,
    ioctl: 29,
    refused: {
      ptrace: 117, add_key: 217, request_key: 218, keyctl: 219, process_vm_readv: 270, process_vm_writev: 271, kcmp: 272, pidfd_getfd: 438,
      mount: 40, umount2: 39, pivot_root: 41, chroot: 51, move_mount: 429, open_tree: 428, fsopen: 430, fsconfig: 431, fsmount: 432, fspick: 433, mount_setattr: 442,
      setns: 268, bpf: 280, perf_event_open: 241, userfaultfd: 282, kexec_load: 104, kexec_file_load: 294, init_module: 105, finit_module: 273,
      delete_module: 106, swapon: 224, swapoff: 225, reboot: 142, acct: 89, quotactl: 60, open_by_handle_at: 265, name_to_handle_at: 264,
      io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, syslog: 116, vhangup: 58, personality: 92,
    },
  },
} as const // biome-ignore format: a list reads better in rows

// Opcodes of linux/bpf_common.h, and what a filter returns (linux/seccomp.h).
const load = 0x20
const jumpEqual = 0x15
const jumpAtLeast = 0x35
const answer = 0x06
const allow = 0x7fff0000
const killProcess = 0x80000000
const errno = (number: number): number => 0x00050000 | number
const EPERM = 1
const ENOSYS = 38
/** Offsets in `struct seccomp_data`: the number, the architecture, the low half of the second argument. */
const at = { number: 0, architecture: 4, secondArgument: 24 }
/** Requests of ioctl(2) that write into a terminal's input: TIOCSTI, TIOCLINUX. */
const terminalRequests = [0x5412, 0x541c]

/** Returns the filter's bytes; undefined: the numbers of this architecture are not known. */
export function seccompFilter(arch: string = process.arch): Buffer | undefined {
  if (arch !== 'x64' && arch !== 'arm64') return undefined
  const { audit, x32, ioctl, refused } = calls[arch]
  const io = new Set<number>([refused.io_uring_setup, refused.io_uring_enter, refused.io_uring_register])
  // biome-ignore format: an instruction a row
  const steps: (readonly [code: number, value: number, yes?: number, no?: number])[] = [
    [load, at.architecture],
    [jumpEqual, audit, 1, 0],
    [answer, killProcess],
    [load, at.number],
    ...(x32 === undefined ? [] : ([[jumpAtLeast, x32, 0, 1], [answer, killProcess]] as const)),
    // Programs that may use io_uring fall back where it is not there.
    ...Object.values(refused).flatMap((number) => [[jumpEqual, number, 0, 1], [answer, errno(io.has(number) ? ENOSYS : EPERM)]] as const),
    [jumpEqual, ioctl, 1, 0],
    [answer, allow],
    [load, at.secondArgument],
    ...terminalRequests.flatMap((request) => [[jumpEqual, request, 0, 1], [answer, errno(EPERM)]] as const),
    [answer, allow],
  ]
  const bytes = Buffer.alloc(steps.length * 8)
  steps.forEach(([code, value, yes = 0, no = 0], index) => {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(yes, index * 8 + 2)
    bytes.writeUInt8(no, index * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4)
  })
  return bytes
}
