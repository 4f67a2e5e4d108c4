// Imported before every module with a schema: zod would try eval, and the refusal by the page's CSP would show in the console.
import { z } from 'zod'

z.config({ jitless: true })
