import { statSync } from 'node:fs'
import { orElse } from '#app/or-else.ts'

/** Whether a path is a folder that this process can read. */
export const isFolder = (path: string): boolean => orElse(() => statSync(path).isDirectory(), false)
