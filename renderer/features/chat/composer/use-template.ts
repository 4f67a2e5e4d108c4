// A template of resources that is being filled in: what it wants to know, and the address that comes of it.
import { useState } from 'react'
import { expandTemplate, templateVariables } from '#app/uri-template.ts'

export function useTemplate(server: string, uriTemplate: string) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const variables = templateVariables(uriTemplate)
  return {
    uri: expandTemplate(uriTemplate, values),
    /** Something is filled in, or there is nothing to fill in. */
    isReady: variables.length === 0 || variables.some((variable) => values[variable]),
    /** For `ArgumentFields`. */
    fields: {
      server,
      of: { type: 'ref/resource' as const, uri: uriTemplate },
      fields: variables.map((name) => ({ name })),
      values,
      onChange: setValues,
    },
  }
}
