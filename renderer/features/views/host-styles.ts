// How the page looks, in the words that views know (MCP Apps, "Theming"): ours, as they are at this moment.
import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'

type Variables = NonNullable<NonNullable<McpUiHostContext['styles']>['variables']>

const colours: readonly (readonly [string, string])[] = [
  ['--color-background-primary', '--bg'],
  ['--color-background-secondary', '--sunken'],
  ['--color-background-tertiary', '--side'],
  ['--color-background-inverse', '--text'],
  ['--color-background-danger', '--danger-wash'],
  ['--color-background-warning', '--warn-wash'],
  ['--color-background-success', '--add-wash'],
  ['--color-background-info', '--ink-wash'],
  ['--color-text-primary', '--text'],
  ['--color-text-secondary', '--text-2'],
  ['--color-text-tertiary', '--text-3'],
  ['--color-text-inverse', '--bg'],
  ['--color-text-info', '--ink'],
  ['--color-text-danger', '--danger'],
  ['--color-text-success', '--ok'],
  ['--color-text-warning', '--warn'],
  ['--color-border-primary', '--edge'],
  ['--color-border-secondary', '--line'],
  ['--color-ring-primary', '--ink'],
]
const others: readonly (readonly [string, string])[] = [
  ['--font-sans', '--ui'],
  ['--font-mono', '--mono'],
  ['--border-radius-sm', '--r-chip'],
  ['--border-radius-md', '--r-ctl'],
  ['--border-radius-lg', '--r-card'],
]

/** Colours are `light-dark(…)`, which a view resolves by its own colour scheme. */
export function hostStyles(): NonNullable<McpUiHostContext['styles']> {
  const style = getComputedStyle(document.documentElement)
  const variables = [...colours, ...others].flatMap(([name, own]) => {
    const value = style.getPropertyValue(own).trim()
    return value === '' ? [] : [[name, value] as const]
  })
  // A subset, as the specification allows.
  return { variables: { ...Object.fromEntries(variables), '--font-text-md-size': '13px' } as unknown as Variables }
}
