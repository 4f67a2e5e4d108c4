// Imported before every module with a schema: the page's CSP forbids eval, which zod would try when it builds a schema, and
// the refusal would show in the console.
import { z } from 'zod'

z.config({ jitless: true })
