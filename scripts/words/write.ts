// `npm run words`: writes app/words/catalogue.json anew.
import { writeFileSync } from 'node:fs'
import { CATALOGUE, catalogue } from './sources.ts'

const all = catalogue()
writeFileSync(CATALOGUE, `${JSON.stringify(all, undefined, 1)}\n`)
console.log(`${Object.keys(all).length} messages in app/words/catalogue.json`)
