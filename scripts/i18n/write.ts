// `npm run words`: writes app/i18n/catalogue.json for translators. Git does not keep the file.
import { writeFileSync } from 'node:fs'
import { CATALOGUE, catalogueOf, readAll } from './sources.ts'

const all = catalogueOf(readAll())
writeFileSync(CATALOGUE, `${JSON.stringify(all, undefined, 1)}\n`)
console.log(`${Object.keys(all).length} messages in app/i18n/catalogue.json`)
