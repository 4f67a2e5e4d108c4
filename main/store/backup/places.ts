// Where backups lie, beside the profile they are of.
import { join } from 'node:path'

export const backupFolder = (dataDir: string): string => join(dataDir, 'backups')

/** Where the next start looks for what is to take the profile's place. */
export const stagedPath = (database: string): string => `${database}.restore`
