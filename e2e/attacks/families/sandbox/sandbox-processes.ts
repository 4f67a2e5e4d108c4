// Processes, the kernel, the session's sockets and the environment.
import type { Attack } from '../../attack.ts'
import { type Escape, escapeRow, ofRoot } from './escapes.ts'
import { comesLater, listenAbstract, type Scene, secret } from './scene.ts'

const got = (said: string): boolean => said.includes(secret)
const row = (name: string, code: string, more: Partial<Escape> = {}): Attack => escapeRow({ name, code, escaped: got, ...more })
const inPython = (name: string, code: string, more: Partial<Escape> = {}): Attack => row(name, code, { lang: 'python', ...more })

/** The word in a command, which a shell repeats in its error. */
const inShell = 'S3C$()RET'

const isAlive = ({ pid }: Scene): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A system call whose success is the escape. Numbers of x86-64 and arm64. */
const systemCall = (name: string, x64: number, arm64: number, args: string, isDone = 'r != -1'): Attack =>
  inPython(`${name} is refused`, `r, e = call(${process.arch === 'arm64' ? arm64 : x64}, ${args})\nsay('${secret}' if ${isDone} else e)`)

const variables = {
  SSH_AUTH_SOCK: '/run/agent',
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus',
  DISPLAY: ':0',
  WAYLAND_DISPLAY: 'wayland-0',
  XAUTHORITY: '/run/x',
  XDG_RUNTIME_DIR: '/run/user/1',
  DOCKER_HOST: 'unix:///run/docker.sock',
}

export const sandboxProcesses: readonly Attack[] = [
  row('the environment of another process is not read', `read('/proc/' + scene.pid + '/environ')`),
  row('another process is not seen', `tell(() => fs.readdirSync('/proc').includes(String(scene.pid)) ? '${secret}' : 'not there')`),
  row('files are not read by another process’s root', `read('/proc/' + scene.pid + '/root' + scene.elsewhere + '/id_ed25519')`),
  row(
    'files are not read by the root of the first process',
    `for (const pid of [1, scene.pid]) read('/proc/' + pid + '/root' + scene.elsewhere + '/id_ed25519')`,
  ),
  row('files are not read by the root of the parent', `read('/proc/' + process.ppid + '/root' + scene.elsewhere + '/id_ed25519')`),
  escapeRow({
    name: 'another process is not ended',
    code: `tell(() => process.kill(scene.pid, 'SIGKILL')); setTimeout(() => {}, 200)`,
    escaped: (_, scene) => !isAlive(scene),
  }),
  escapeRow({ name: 'a process of its own does not outlive it', code: `const c = cp.spawn('/bin/sh', ['-c', 'sleep 1; echo ESCAPED > ' + scene.w + '/later'], { detached: true, stdio: 'ignore', env: {} }); c.unref(); console.error('begun')`,
    escaped: (said, scene) => said.includes('begun') && comesLater(`${scene.w}/later`) }), // biome-ignore format: one line
  row('a user namespace is not made', `sh('unshare -Ur echo ${inShell}')`),
  row('nothing is mounted', `sh('unshare -Urm sh -c "mount -t tmpfs none /mnt && echo ${inShell}"')`),
  row('the namespaces of another process are not entered', `sh('nsenter -t ' + scene.pid + ' -m cat ' + scene.elsewhere + '/id_ed25519')`),
  ...ofRoot(
    ...['kernel/core_pattern', 'kernel/domainname', 'vm/swappiness'].map((name) =>
      row(
        `the kernel’s setting ${name} is not written`,
        `tell(() => { const f = '/proc/sys/${name}'; fs.writeFileSync(f, fs.readFileSync(f)); return '${secret}' })`,
      ),
    ),
    row('the kernel’s own log is not read', `sh('dmesg > /dev/null && echo ${inShell}')`),
  ),
  row(
    'no new privileges are gained',
    `tell(() => /NoNewPrivs:\\s*0/.test(fs.readFileSync('/proc/self/status', 'utf8')) ? '${secret}' : 'none')`,
  ),
  systemCall('keyctl, the kernel’s keyrings,', 250, 219, '0, -3, 1'),
  systemCall('add_key', 248, 217, `b'user', b'assent-escape', b'x', 1, -2`),
  systemCall('ptrace', 101, 117, '0, 0, 0, 0'),
  systemCall('perf_event_open or bpf', 321, 280, '5, 0, 0', `e not in ('EPERM',)`),
  systemCall('io_uring_setup', 425, 425, '1, 0', `e not in ('ENOSYS', 'EPERM')`),
  systemCall('userfaultfd', 323, 282, '1'),
  systemCall('name_to_handle_at', 303, 264, `-100, b'/usr', 0, 0, 0`, `e not in ('EPERM',)`),
  inPython(
    'text is not put into a terminal’s input',
    `import pty, fcntl\nm, s = pty.openpty()\ntry:\n  fcntl.ioctl(s, 0x5412, b'x')\n  say('${secret}')\nexcept OSError as e:\n  say('${secret}' if e.errno != errno.EPERM else 'EPERM')`,
  ),
  row('a unix socket in the folder for temporary files is not reached', `dial(scene.socket)`),
  inPython(
    'an abstract socket is not reached',
    `s = socket.socket(socket.AF_UNIX)\nafter()\ntry:\n  s.connect(b'\\0assent-escape-%d' % scene['port'])\n  say(s.recv(100).decode())\nexcept OSError as e: say(e)`,
    {
      meanwhile: listenAbstract,
    },
  ),
  row(
    'sockets of the session are not there',
    `tell(() => ['/run/user', '/run/dbus', '/var/run', '/run/systemd', '/tmp/.X11-unix', '/run/lock'].some((p) => fs.existsSync(p)) ? '${secret}' : 'none')`,
  ),
  ...Object.entries(variables).map(([name, value]) =>
    row(`${name} is not handed on`, `tell(() => process.env.${name} ? '${secret}' : 'not set')`, { env: { [name]: value } }),
  ),
  row(
    'variables of the entry are not the engine’s',
    `for (const pid of [1, process.env.HTTP_PROXY ? process.ppid : process.pid]) tell(() => fs.readFileSync('/proc/' + pid + '/environ', 'utf8').includes('ESCAPE_LIBRARY') ? '${secret}' : 'clean')`,
    {
      env: { ESCAPE_LIBRARY: '/nowhere/escape.so' },
    },
  ),
]
