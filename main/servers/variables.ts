// `${env:NAME}` in the values of `env` and `headers` is filled in at the start, from the environment that servers are
// given, so that a secret need not stand in the file. Nothing else is replaced, and nowhere else.
import { HostError } from '#app/errors.ts'

const reference = /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g

/** Throws `config.invalid` for a variable that is not set: an empty secret would only fail later and less plainly. */
export function fillVariables(
  server: string,
  values: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const fill = (name: string, value: string): string =>
    value.replace(reference, (_whole, variable: string) => {
      const found = Object.hasOwn(environment, variable) ? environment[variable] : undefined
      if (found !== undefined) return found
      throw new HostError('config.invalid', `“${name}” of “${server}” needs the variable ${variable}, which is not set.`, {
        data: { server, name, variable },
      })
    })
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fill(name, value)]))
}

/** The variables that a value is filled in from. */
export const variablesIn = (value: string): string[] => [...value.matchAll(reference)].flatMap(([, variable]) => variable ?? [])
