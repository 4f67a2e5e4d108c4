// Ways out of the sandbox by the kernel, by descriptors and by what this computer shares with it.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../../attack.ts'
import { type Escape, escapeRow } from '../sandbox/escapes.ts'
import { comesLater, put, type Scene, secret, textOf } from '../sandbox/scene.ts'

const got = (said: string): boolean => said.includes(secret)
const row = (name: string, code: string, more: Partial<Escape> = {}): Attack =>
  escapeRow({ name: `kernel: ${name}`, code, escaped: got, ...more })
const inPython = (name: string, code: string, more: Partial<Escape> = {}): Attack => row(name, code, { lang: 'python', ...more })

const isX64 = process.arch === 'x64'
const x64 = (...rows: readonly Attack[]): readonly Attack[] => (isX64 ? rows : [])

const family = (name: string, type = 'SOCK_STREAM'): Attack =>
  inPython(
    `no socket of ${name} is made`,
    `
try:
  socket.socket(socket.${name}, socket.${type})
  say('${secret}')
except OSError as e: say(e)`,
  )

/** A System V object of this computer. */
const ipc =
  (code: string) =>
  (scene: Scene): void => {
    spawnSync('python3', ['-c', `import ctypes\nlibc = ctypes.CDLL(None)\nkey = ${scene.port}\n${code}`])
  }
const removed = (kind: 'shm' | 'msg', held: (said: string) => boolean): Partial<Escape> => ({
  escaped(said, scene) {
    ipc(`libc.${kind}ctl(libc.${kind}get(key, 0${kind === 'shm' ? ', 0' : ''}), 0, None)`)(scene) // IPC_RMID
    return held(said)
  },
})

export const sandboxKernel: readonly Attack[] = [
  ...x64(
    inPython(
      'keyctl by the numbers of x32 is refused',
      `r, e = call(0x40000000 | 250, 0, -3, 1)\nsay('${secret}' if r != -1 or (os.environ.get('HTTP_PROXY') is None and e == 'ENOSYS') else e)`,
    ),
    inPython(
      'clone3 makes no user namespace',
      `
class A(ctypes.Structure): _fields_ = [(n, ctypes.c_uint64) for n in ('flags','pidfd','child_tid','parent_tid','exit_signal','stack','stack_size','tls')]
a = A(flags=0x10000000, exit_signal=17)
r = libc.syscall(435, ctypes.byref(a), ctypes.sizeof(a))
if r == 0: os._exit(0)
say('${secret}' if r > 0 else errno.errorcode.get(ctypes.get_errno()))`,
    ),
    inPython(
      'clone makes no user namespace',
      `r = libc.syscall(56, ctypes.c_long(0x10000000 | 17), 0, 0, 0, 0)\nif r == 0: os._exit(0)\nsay('${secret}' if r > 0 else errno.errorcode.get(ctypes.get_errno()))`,
    ),
    inPython(
      'memory of another process is not read',
      `
class V(ctypes.Structure): _fields_ = [('b', ctypes.c_void_p), ('l', ctypes.c_size_t)]
maps = ''
try: maps = open('/proc/%d/maps' % scene['pid']).read()
except OSError as e: say(e)
for line in maps.splitlines():
  if '[stack]' not in line: continue
  a, b = [int(x, 16) for x in line.split()[0].split('-')]
  buf = ctypes.create_string_buffer(b - a)
  l, r = V(ctypes.cast(buf, ctypes.c_void_p), b - a), V(a, b - a)
  libc.process_vm_readv(scene['pid'], ctypes.byref(l), 1, ctypes.byref(r), 1, 0)
  say('${secret}' if b'SECRET=${secret}' in buf.raw else 'nothing')`,
    ),
    inPython('a handle of another process is not had', `r, e = call(434, scene['pid'], 0)\nsay('${secret}' if r != -1 else e)`),
  ),
  family('AF_VSOCK'),
  ...(spawnSync('python3', ['-c', 'import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15)']).status === 0
    ? [
        inPython(
          'events of devices are not heard',
          `
try:
  s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15); s.bind((0, 1))
  say('${secret}')
except OSError as e: say(e)`,
        ),
      ]
    : []),
  row(
    'no descriptor leads to a file of outside',
    `
    let own = -1
    try { own = fs.openSync(scene.elsewhere + '/id_ed25519') } catch {}
    for (const pid of ['self', process.env.HTTP_PROXY ? 1 : 'self', process.env.HTTP_PROXY ? process.ppid : 'self']) tell(() => fs.readdirSync('/proc/' + pid + '/fd').map((fd) => { try { return fs.readlinkSync('/proc/' + pid + '/fd/' + fd) } catch (e) { return e.code } }).filter((to) => to.startsWith('/') && !/^\\/(dev|proc|sys)\\//.test(to) && !to.includes('/program/') && to !== '/').map(() => '${secret}').join() || 'none')`,
  ),
  row(
    'no descriptor of a folder leads out',
    `
    let own = -1
    try { own = fs.openSync(scene.elsewhere) } catch {}
    for (let fd = 3; fd < 64; fd++) try { for (const way of ['', '/..', '/../..', '/../../..']) if (fs.existsSync('/proc/self/fd/' + fd + way + '/' + path.basename(scene.elsewhere) + '/id_ed25519') || fs.existsSync('/proc/self/fd/' + fd + '/id_ed25519')) say('${secret}') } catch {}
    say('done')`,
  ),
  row('/proc/1/cwd does not lead out', `read((process.env.HTTP_PROXY ? '/proc/1/cwd' : '/proc/self/cwd') + '/private/note.txt')`),
  row('a file in the memory of this computer is not read', `after(() => read('/dev/shm/assent-read-' + scene.port))`, {
    meanwhile: ({ port }) => put(`/dev/shm/assent-read-${port}`),
    escaped(said, { port }) {
      rmSync(`/dev/shm/assent-read-${port}`, { force: true })
      return got(said)
    },
  }),
  inPython(
    'shared memory of another process is not read',
    `after()\nlibc.shmat.restype = ctypes.c_void_p\ni = libc.shmget(scene['port'], 0, 0)\nsay(ctypes.string_at(libc.shmat(i, None, 0), 6).decode() if i != -1 else 'none')`,
    {
      meanwhile: ipc(
        `libc.shmat.restype = ctypes.c_void_p\ni = libc.shmget(key, 64, 0o1600)\nctypes.memmove(ctypes.c_void_p(libc.shmat(i, None, 0)), b'${secret}', 6)`,
      ),
      ...removed('shm', got),
    },
  ),
  inPython('a queue of another process is not opened', `after()\nsay('${secret}' if libc.msgget(scene['port'], 0) != -1 else 'none')`, {
    meanwhile: ipc('libc.msgget(key, 0o1600)'),
    ...removed('msg', got),
  }),
  inPython(
    'text is not pasted into a console',
    `import fcntl, pty\nm, s = pty.openpty()\ntry: fcntl.ioctl(s, 0x541C, b'\\x02')\nexcept OSError as e: say(e if e.errno == errno.EPERM and os.environ.get('HTTP_PROXY') else '${secret}')`,
  ),
  row(
    'a program is not made to run as its owner in a granted folder',
    `tell(() => { fs.copyFileSync('/bin/true', scene.w + '/suid'); fs.chmodSync(scene.w + '/suid', 0o4755) })`,
    {
      escaped: (_, { w }) =>
        (Number(
          spawnSync('stat', ['-c', '%f', join(w, 'suid')], { encoding: 'utf8' }).stdout
            ? Number.parseInt(spawnSync('stat', ['-c', '%f', join(w, 'suid')], { encoding: 'utf8' }).stdout, 16)
            : 0,
        ) &
          0o6000) !==
        0,
    },
  ),
  row(
    'a file without a name does not get a name and the bit of its owner',
    `tell(() => require('node:child_process').execFileSync('/usr/bin/python3', ['-c', "import os, sys; os.umask(0); fd = os.open(sys.argv[1], os.O_TMPFILE | os.O_RDWR, 0o4755); os.link('/proc/self/fd/%d' % fd, sys.argv[1] + '/suid', src_dir_fd=fd, follow_symlinks=True)", scene.w]))`,
    {
      escaped: (_, { w }) =>
        (Number.parseInt(spawnSync('stat', ['-c', '%f', join(w, 'suid')], { encoding: 'utf8' }).stdout || '0', 16) & 0o6000) !== 0,
    },
  ),
  row(
    'a program is not made with the bit of its owner',
    `tell(() => { process.umask(0); fs.closeSync(fs.openSync(scene.w + '/suid', 'w', 0o4755)) })`,
    {
      escaped: (_, { w }) =>
        (Number.parseInt(spawnSync('stat', ['-c', '%f', join(w, 'suid')], { encoding: 'utf8' }).stdout || '0', 16) & 0o6000) !== 0,
    },
  ),
  row(
    'sixty processes that let go of it end with it',
    `for (let n = 0; n < 60; n++) cp.spawn('/bin/sh', ['-c', 'while [ ! -e ' + scene.w + '/end ]; do sleep 0.2; done; echo ESCAPED >> ' + scene.w + '/left'], { detached: true, stdio: 'ignore', env: {} }).unref(); console.error('begun')`,
    {
      escaped(said, { w }) {
        put(join(w, 'end'))
        return said.includes('begun') && comesLater(join(w, 'left'))
      },
    },
  ),
  row(
    'the programs that start it are not taken from its own path',
    `
    for (const name of ['bwrap', 'socat', 'env', 'sh']) tell(() => { fs.mkdirSync(scene.w + '/bin', { recursive: true }); fs.writeFileSync(scene.w + '/bin/' + name, '#!/bin/sh\\necho ESCAPED >> ' + scene.elsewhere + '/ran\\n', { mode: 0o755 }) })
    tell(() => cp.execFileSync(scene.w + '/bin/bwrap'))`,
    {
      before: {
        code: `for (const name of ['bwrap', 'socat', 'env', 'sh', 'true']) tell(() => { fs.mkdirSync(scene.w + '/bin', { recursive: true }); fs.writeFileSync(scene.w + '/bin/' + name, '#!/bin/sh\\necho ESCAPED >> ' + scene.elsewhere + '/ran\\n', { mode: 0o755 }) })`,
      },
      escaped: (_, { elsewhere }) => textOf(join(elsewhere, 'ran')).includes('ESCAPED'),
      env: ({ w }) => ({ PATH: `${w}/bin:/usr/bin:/bin` }),
    },
  ),
]
