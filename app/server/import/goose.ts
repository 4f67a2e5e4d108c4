// Goose's `extensions`: MCP servers among parts of Goose itself. Secrets are only named there (`env_keys`); Goose has
// them in the system's keyring, where nobody else is to look.

import { t } from '../../words/translate.ts'
import type { Node } from '../config/json-tree.ts'
import { inputReference } from '../references.ts'
import { type Entry, entriesOf, itemsOf, memberOf, objectNode, textNode, textOf } from './nodes.ts'
import { type MapOptions, type Reading, readMap } from './server-map.ts'

const ours = new Set(['stdio', 'sse', 'streamable_http'])

export function readGoose(map: Node, reading: Reading, options: MapOptions): void {
  const entries = entriesOf(map).map((entry) => ({ ...entry, value: withKeys(opened(entry.value), reading) }))
  readMap(objectNode(entries, map), reading, {
    ...options,
    unit: 's',
    refuse: (entry) => {
      const type = textOf(memberOf(entry, 'type'))
      return type === undefined || ours.has(type) ? undefined : t`It is a part of Goose (${type.slice(0, 40)}), not a server of its own.`
    },
  })
}

/** An older shape has all but `enabled` in `config`. */
function opened(entry: Node): Node {
  const config = memberOf(entry, 'config')
  if (config?.type !== 'object') return entry
  return objectNode([...entriesOf(entry).filter(({ name }) => name !== 'config'), ...entriesOf(config)], entry)
}

function withKeys(entry: Node, reading: Reading): Node {
  const keys = itemsOf(memberOf(entry, 'env_keys'))
  if (keys.length === 0) return entry
  const envs = memberOf(entry, 'envs')
  const asked = keys.flatMap((key): Entry[] => {
    const name = textOf(key)
    if (name === undefined || memberOf(envs, name)) return []
    if (!reading.inputs.has(name))
      reading.inputs.set(name, { id: name, description: t`${name}, which Goose keeps in the keyring`, password: true })
    return [{ name, key, value: textNode(inputReference(name), key) }]
  })
  const others = entriesOf(entry).filter(({ name }) => name !== 'envs' && name !== 'env_keys')
  const env = objectNode([...entriesOf(envs), ...asked], envs ?? keys[0] ?? entry)
  return objectNode([...others, { name: 'envs', key: entry, value: env }], entry)
}
