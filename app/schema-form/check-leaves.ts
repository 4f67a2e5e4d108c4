// Of all that a check found, what a person can do something about: not that "a subschema had errors", and of several
// forms that a part may have only what is wrong with the one that it fits best.
import type { OutputUnit } from '@cfworker/json-schema'

/** Say only that something within is wrong, which has a line of its own. */
const around: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'allOf',
  'if',
  'dependentSchemas',
  'propertyNames',
  '$ref',
  '$recursiveRef',
  '$dynamicRef',
])

export interface Leaf extends OutputUnit {
  /** Of `oneOf` and `anyOf`: it fits more than one, or none by its type. */
  readonly fits?: 'several' | 'none'
}

export function leavesOf(units: readonly OutputUnit[]): Leaf[] {
  const leaves: Leaf[] = []
  for (let at = 0; at < units.length; at += 1) {
    const unit = units[at]
    if (!unit) break
    if (unit.keyword !== 'anyOf' && unit.keyword !== 'oneOf') {
      if (!around.has(unit.keyword)) leaves.push(unit)
      continue
    }
    const prefix = `${unit.keywordLocation}/`
    let end = at + 1
    while (units[end]?.keywordLocation.startsWith(prefix)) end += 1
    leaves.push(...ofBestForm(unit, units.slice(at + 1, end), prefix))
    at = end - 1
  }
  return leaves
}

function ofBestForm(unit: OutputUnit, within: readonly OutputUnit[], prefix: string): Leaf[] {
  const forms = new Map<string, OutputUnit[]>()
  for (const one of within) {
    const form = one.keywordLocation.slice(prefix.length).split('/', 1)[0] ?? ''
    forms.set(form, [...(forms.get(form) ?? []), one])
  }
  if (forms.size === 0) return [{ ...unit, fits: 'several' }]
  const each = [...forms.values()].map((form) => {
    const leaves = leavesOf(form)
    return { leaves, cost: leaves.reduce((sum, leaf) => sum + costOf(leaf, unit), 0) }
  })
  const best = each.reduce((least, one) => (one.cost < least.cost ? one : least))
  return best.cost >= OF_ANOTHER_TYPE ? [{ ...unit, fits: 'none' }] : best.leaves
}

const OF_ANOTHER_TYPE = 1000

function costOf(leaf: Leaf, unit: OutputUnit): number {
  if (leaf.instanceLocation === unit.instanceLocation && (leaf.keyword === 'type' || leaf.keyword === 'const' || leaf.keyword === 'enum'))
    return OF_ANOTHER_TYPE
  return leaf.keyword === 'const' ? 100 : leaf.keyword === 'enum' ? 10 : 1
}
