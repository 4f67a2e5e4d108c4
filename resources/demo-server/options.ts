// What the demo server is told by its environment.
import { openFolder } from './folder.ts'
import type { DemoOptions } from './server.ts'

const defaultStepMs = 550

/** Throws when `ASSENT_DEMO_DIR` is missing: it writes nowhere that it was not told to. */
export async function readOptions(env: NodeJS.ProcessEnv): Promise<DemoOptions> {
  const path = env['ASSENT_DEMO_DIR']
  if (!path) throw new Error('ASSENT_DEMO_DIR is not set: the demo server does not know where its invoices are to be.')
  const stepMs = Number(env['ASSENT_DEMO_STEP_MS'] ?? defaultStepMs)
  return { folder: await openFolder(path), stepMs: Number.isFinite(stepMs) && stepMs >= 0 ? stepMs : defaultStepMs }
}

/** Ends the process with what went wrong as its last words. */
export function failToStart(error: unknown): never {
  process.stderr.write(`assent-demo: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
