// `npm run words`: writes app/words/catalogue.json anew.
import { writeFileSync } from 'node:fs'
import { CATALOGUE, catalogueOf, readAll } from './sources.ts'

const all = catalogueOf(readAll())
writeFileSync(CATALOGUE, `${JSON.stringify(all, undefined, 1)}\n`)
console.log(`${Object.keys(all).length} messages in app/words/catalogue.json`)
