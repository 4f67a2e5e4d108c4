// What the app is told when it starts: `--data-dir DIR` or ASSENT_DATA_DIR. Chromium's own switches are left to it.
import { resolve } from 'node:path'

export interface StartOptions {
  /** Undefined: the usual place. */
  readonly dataDir: string | undefined
  /** ASSENT_NO_KEYRING: secrets are not kept. */
  readonly memoryOnly: boolean
}

export function readStartOptions(args: readonly string[], env: Readonly<Record<string, string | undefined>>): StartOptions {
  const at = args.findLastIndex((arg) => arg === '--data-dir' || arg.startsWith('--data-dir='))
  const given = at < 0 ? undefined : args[at] === '--data-dir' ? args[at + 1] : args[at]?.slice('--data-dir='.length)
  const dataDir = given || env['ASSENT_DATA_DIR']
  return { dataDir: dataDir ? resolve(dataDir) : undefined, memoryOnly: Boolean(env['ASSENT_NO_KEYRING']) }
}
