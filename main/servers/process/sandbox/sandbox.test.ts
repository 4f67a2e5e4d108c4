import { expect, it } from 'vitest'
import { seccompFilter } from './sandbox.ts'

/** Runs a filter of the five instructions that ours has, as the kernel does. */
function answerOf(filter: Buffer, data: { readonly arch: number; readonly call: number; readonly args?: readonly number[] }): number {
  const words: Readonly<Record<number, number>> = {
    0: data.call,
    4: data.arch,
    ...Object.fromEntries((data.args ?? []).map((value, index) => [16 + 8 * index, value])),
  }
  let loaded = 0
  for (let at = 0; ; at += 1) {
    const [code, yes, no, value] = [
      filter.readUInt16LE(at * 8),
      filter.readUInt8(at * 8 + 2),
      filter.readUInt8(at * 8 + 3),
      filter.readUInt32LE(at * 8 + 4),
    ]
    if (code === 0x06) return value
    if (code === 0x20) loaded = words[value] ?? 0
    else if (code === 0x15) at += loaded === value ? yes : no
    else if (code === 0x35) at += loaded >= value ? yes : no
    else if (code === 0x45) at += (loaded & value) === 0 ? no : yes
    else throw new Error(`instruction ${code}`)
  }
}

const [allow, kill, eperm, enosys, noFamily] = [0x7fff0000, 0x80000000, 0x00050001, 0x00050026, 0x00050061]

it.each([
  ['x64', 0xc000003e, { keyctl: 250, read: 0, io: 425, ioctl: 16, socket: 41, fchmod: 91, openat: 257 }],
  ['arm64', 0xc00000b7, { keyctl: 219, read: 63, io: 425, ioctl: 29, socket: 198, fchmod: 52, openat: 56 }],
] as const)(
  'refuses keyrings, io_uring, a terminal’s input, programs that run as their owner and strange sockets on %s, and lets the rest pass',
  (name, arch, { keyctl, read, io, ioctl, socket, fchmod, openat }) => {
    const filter = seccompFilter(name) ?? Buffer.alloc(0)
    const of = (call: number, ...args: readonly number[]): number => answerOf(filter, { arch, call, args })
    expect([of(keyctl), of(read), of(io), of(ioctl, 0, 0x5412), of(ioctl, 0, 0x5401)]).toEqual([eperm, allow, enosys, eperm, allow])
    const modes = [
      of(fchmod, 3, 0o4755),
      of(fchmod, 3, 0o2755),
      of(fchmod, 3, 0o755),
      of(openat, 0, 0, 0o100, 0o4755),
      of(openat, 0, 0, 0o20200002, 0o4755),
      of(openat, 0, 0, 0, 0o4755),
    ]
    expect(modes).toEqual([eperm, eperm, allow, eperm, eperm, allow])
    const sockets = [of(socket, 1), of(socket, 2), of(socket, 10), of(socket, 16, 3, 0), of(socket, 16, 3, 15), of(socket, 40)]
    expect(sockets).toEqual([allow, allow, allow, allow, noFamily, noFamily])
    expect(answerOf(filter, { arch: 0x40000003, call: read })).toBe(kill)
  },
)

it('ends a program that uses the x32 interface', () => {
  expect(answerOf(seccompFilter('x64') ?? Buffer.alloc(0), { arch: 0xc000003e, call: 0x40000000 + 250 })).toBe(kill)
})

it('has none where the numbers are not known', () => expect(seccompFilter('riscv64')).toBeUndefined())
