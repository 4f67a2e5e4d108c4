import { createHash } from 'node:crypto'
import { resolve } from 'node:path'

/** Of another file than the profile's own: a server of the same name there is another server, with secrets of its own. */
export const fileScope = (file: string): string => createHash('sha256').update(resolve(file)).digest('hex').slice(0, 16)
