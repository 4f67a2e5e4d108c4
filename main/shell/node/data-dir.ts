// The profile's folder: `--data-dir`, else ASSENT_DATA_DIR, else the system's folder for application data. On Windows that is the local one:
// the roaming one may lie on a share, where SQLite's WAL does not work (sqlite.org/wal.html).
import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'

export interface Surroundings {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly cwd: string
}

export const surroundings = (): Surroundings => ({ platform: process.platform, env: process.env, home: homedir(), cwd: process.cwd() })

export interface ProfilePlaces {
  /** Absolute path. */
  readonly dataDir: string
  /** Folder of an earlier version; undefined where no version had another one. */
  readonly former?: string
}

export function profilePlaces(option: string | undefined, { platform, env, home, cwd }: Surroundings = surroundings()): ProfilePlaces {
  const { join, resolve, isAbsolute } = platform === 'win32' ? win32 : posix
  const chosen = option || env['ASSENT_DATA_DIR']
  if (chosen) return { dataDir: resolve(cwd, chosen) }
  if (platform === 'darwin') return { dataDir: join(home, 'Library', 'Application Support', 'Assent') }
  if (platform === 'win32') {
    const dataDir = join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Assent')
    const former = join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Assent')
    return former.toLowerCase() === dataDir.toLowerCase() ? { dataDir } : { dataDir, former }
  }
  // The XDG base directory specification: a relative path in the variable is ignored.
  const xdg = env['XDG_DATA_HOME']
  return { dataDir: join(xdg && isAbsolute(xdg) ? xdg : join(home, '.local', 'share'), 'assent') }
}
