// Imported before anything that builds a schema: the page's CSP forbids eval, and zod decides when a schema is built
// whether to try it. Without this the refusal would show in the console.
import { z } from 'zod'

z.config({ jitless: true })
