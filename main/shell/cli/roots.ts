import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { t } from '#app/words/translate.ts'

export type Roots = { readonly kind: 'folders'; readonly paths: readonly string[] } | { readonly kind: 'wrong'; readonly message: string }

/** The folders of `--roots`, absolute and each once. One that is not there is a slip of the pen, not something to tell a server. */
export function findRoots(typed: readonly string[], cwd = process.cwd()): Roots {
  const paths = [...new Set(typed.map((path) => resolve(cwd, path)))]
  const missing = paths.find((path) => !statSync(path, { throwIfNoEntry: false })?.isDirectory())
  if (missing !== undefined) return { kind: 'wrong', message: t`--roots: there is no folder ${missing}.` }
  return { kind: 'folders', paths }
}
