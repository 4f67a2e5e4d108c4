// Ways that lead out of no document of the browser where they stand, and are left out there: Chromium loads no font of a shadow tree's own
// rule, follows a document's speculation rules once, heeds no `meta` and `base` of a shadow tree, and has `:host` in shadow trees alone.
const inDocumentOnly = `refresh-markup style-font-format style-font-tech style-font-local-first style-font-range style-font-host style-property
  speculation-prefetch speculation-prerender speculation-document credential-identity-host base-picture`
const inShadowOnly = 'style-host'

const left = new Set([...inDocumentOnly.split(/\s+/).flatMap((name) => [`${name}-in-shadow`, `${name}-in-copy`]), inShadowOnly])

export const hasNoControl = (name: string): boolean => left.has(name)
