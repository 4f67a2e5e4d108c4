// Reads everything and says nothing, unless it is greeted the old way and its argument is `polite`.
import { legacy, onMessage, tool } from './lines.ts'

if (process.argv[2] === 'polite') legacy([tool('noop')], { 'server/discover': () => {} })
else onMessage(() => {})
