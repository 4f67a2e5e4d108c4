import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes a folder whose paths a sandbox can be granted: nothing below `/dev` is, and temporary files of tests may lie in memory there. */
export const makeSceneFolder = (): string =>
  realpathSync(mkdtempSync(join(tmpdir().startsWith('/dev/') ? '/tmp' : tmpdir(), 'assent-sandbox-')))
