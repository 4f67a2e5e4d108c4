// URI templates (RFC 6570) with text values, for resource templates.

const operators = '+#./;?&'
/** Expansion by operator (RFC 6570, appendix A): prefix, separator, named values, reserved characters allowed. */
const plain = { first: '', between: ',', named: false, open: false }
const shapes: Readonly<Record<string, typeof plain>> = {
  '': plain,
  '+': { first: '', between: ',', named: false, open: true },
  '#': { first: '#', between: ',', named: false, open: true },
  '.': { first: '.', between: '.', named: false, open: false },
  '/': { first: '/', between: '/', named: false, open: false },
  ';': { first: ';', between: ';', named: true, open: false },
  '?': { first: '?', between: '&', named: true, open: false },
  '&': { first: '&', between: '&', named: true, open: false },
}

const EXPRESSION = /\{([^{}]+)\}/g

function parse(expression: string) {
  const operator = operators.includes(expression[0] ?? ' ') ? (expression[0] ?? '') : ''
  const variables = expression
    .slice(operator.length)
    .split(',')
    .map((part) => /^(.*?)(?::(\d{1,4})|\*)?$/.exec(part.trim()))
    .map((match) => ({ name: match?.[1] ?? '', length: match?.[2] === undefined ? undefined : Number(match[2]) }))
  return { operator, variables }
}

/** Names of the variables, in order, each once. */
export const templateVariables = (template: string): string[] => [
  ...new Set(
    [...template.matchAll(EXPRESSION)].flatMap(([, inner = '']) => parse(inner).variables.map(({ name }) => name)).filter(Boolean),
  ),
]

/** Expands a template; variables without a value are left out. */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(EXPRESSION, (_, inner: string) => {
    const { operator, variables } = parse(inner)
    const { first, between, named, open } = shapes[operator] ?? plain
    const parts = variables.flatMap(({ name, length }) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined
      if (value === undefined || value === '') return []
      const cut = length === undefined ? value : [...value].slice(0, length).join('')
      const written = open
        ? encodeURI(cut).replaceAll('%25', '%')
        : encodeURIComponent(cut).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
      return [named ? `${name}=${written}` : written]
    })
    return parts.length === 0 ? '' : first + parts.join(between)
  })
}
