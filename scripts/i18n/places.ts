// Where messages stand in a source: whatever else of plain words stands in such a place is meant for people too, be it one small word.
export interface Node {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

export const nameOf = (node: unknown): string => {
  if (!isNode(node)) return ''
  const { name, namespace, object, property } = node
  if (isNode(object)) return `${nameOf(object)}.${nameOf(property)}`
  if (typeof name === 'string') return name
  return isNode(namespace) ? `${nameOf(namespace)}:${nameOf(name)}` : nameOf(name)
}

/** Of texts, of nodes, of pieces of a rule. */
const TAGS = new Set(['t', 'tx', 'tp'])
export const isMessage = (node: Node): boolean => node.type === 'TaggedTemplateExpression' && TAGS.has(nameOf(node['tag']))

/** Attributes that are read, out loud or on the screen, whatever the component. */
export const READ = new Set(['title', 'label', 'placeholder', 'alt', 'aria-label', 'aria-description', 'aria-roledescription'])

const children = (node: Node): readonly unknown[] => Object.entries(node).flatMap(([field, child]) => (field === 'type' ? [] : child))

/** Every node of a tree, each before its children. */
function allOf(value: unknown, found: Node[] = []): readonly Node[] {
  if (isNode(value)) found.push(value)
  if (typeof value === 'object' && value !== null) for (const child of Object.values(value)) allOf(child, found)
  return found
}

/** What an expression may come to, as far as it is written there: both sides of a choice. */
function outcomes(node: unknown): readonly Node[] {
  if (!isNode(node)) return []
  if (node.type === 'ConditionalExpression') return [...outcomes(node['consequent']), ...outcomes(node['alternate'])]
  if (node.type === 'LogicalExpression')
    return node['operator'] === '&&' ? outcomes(node['right']) : [...outcomes(node['left']), ...outcomes(node['right'])]
  if (/^(?:TS(?:As|Satisfies|NonNull)|Parenthesized|Chain)Expression$/u.test(node.type)) return outcomes(node['expression'])
  return [node]
}

const valuesOf = (object: Node): readonly Node[] =>
  (object['properties'] as readonly Node[]).flatMap((property) => (property.type === 'Property' ? outcomes(property['value']) : []))

const isFunction = ({ type }: Node): boolean => /^(?:Arrow)?Function/u.test(type)

function answersOf(value: unknown): readonly Node[] {
  if (Array.isArray(value)) return value.flatMap(answersOf)
  if (!isNode(value) || isFunction(value)) return []
  return value.type === 'ReturnStatement' ? outcomes(value['argument']) : children(value).flatMap(answersOf)
}

/** Of a function, what it may answer. */
const answers = ({ body }: Node): readonly Node[] =>
  isNode(body) && body.type === 'BlockStatement' ? answersOf(body['body']) : outcomes(body)

/** Sets of expressions that stand in one place: where one of each is a message, all are for people. */
function sharedPlaces(nodes: readonly Node[]): readonly (readonly Node[])[] {
  const places = new Map<string, Node[]>()
  const put = (place: string, found: readonly Node[]): void => void places.set(place, [...(places.get(place) ?? []), ...found])
  for (const node of nodes) {
    if (node.type === 'CallExpression' || node.type === 'NewExpression') {
      const callee = nameOf(node['callee'])
      for (const [at, given] of (node['arguments'] as readonly Node[]).entries()) put(`${callee}(${at})`, outcomes(given))
    }
    if (node.type === 'Property' && node['computed'] !== true) put(`.${nameOf(node['key'])}`, outcomes(node['value']))
    if (node.type === 'ConditionalExpression' || node.type === 'LogicalExpression') put(`at ${node.start}`, outcomes(node))
    if (isFunction(node)) put(`at ${node.start}`, answers(node))
  }
  return [...places.values()].filter((found) => found.some(isMessage))
}

/** Whose values are all of one kind: `const words: Record<Kind, string> = { … }`. */
const isTable = (declared: Node, source: string): boolean => {
  const type = isNode(declared['id']) ? declared['id']['typeAnnotation'] : undefined
  return isNode(type) && /\bRecord</u.test(source.slice(type.start, Number(type['end'])))
}

/** Every expression of a file that stands where people read, as far as the file itself shows it. */
export function placesOfWords(program: unknown, source: string): ReadonlySet<Node> {
  const nodes = allOf(program)
  const tables = new Map<string, readonly Node[]>()
  const constants = new Map<string, readonly Node[]>()
  const found: Node[] = sharedPlaces(nodes).flat()
  for (const node of nodes) {
    if (node.type !== 'VariableDeclarator') continue
    const [init, ...others] = outcomes(node['init'])
    if (init?.type !== 'ObjectExpression') {
      constants.set(nameOf(node['id']), init ? [init, ...others] : [])
      continue
    }
    const values = valuesOf(init)
    tables.set(nameOf(node['id']), values)
    if (isTable(node, source) && values.some(isMessage)) found.push(...values)
  }
  /** What is shown there, also where it is looked up in a table of the same file. */
  const shown = (expression: unknown, isValue: boolean): void => {
    for (const one of outcomes(expression)) {
      found.push(one)
      if (one.type === 'MemberExpression' && one['computed'] === true) found.push(...(tables.get(nameOf(one['object'])) ?? []))
      // What a value of a message stands for may be a name or a code: it is not followed further.
      if (one.type === 'Identifier' && !isValue) found.push(...(constants.get(nameOf(one)) ?? []))
    }
  }
  for (const node of nodes) {
    if (isMessage(node)) for (const value of (node['quasi'] as Node)['expressions'] as readonly Node[]) shown(value, true)
    if (node.type === 'JSXElement' || node.type === 'JSXFragment')
      for (const child of node['children'] as readonly Node[])
        if (child.type === 'JSXExpressionContainer') shown(child['expression'], false)
    const given = node.type === 'JSXAttribute' && READ.has(nameOf(node['name'])) ? node['value'] : undefined
    if (isNode(given) && given.type === 'JSXExpressionContainer') shown(given['expression'], false)
  }
  return new Set(found)
}
