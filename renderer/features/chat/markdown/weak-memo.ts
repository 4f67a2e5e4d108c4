/** Returns `make` with its results kept by their argument for as long as that lives. */
export function weakMemo<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, { readonly value: V }>()
  return (key) => {
    const known = results.get(key)
    if (known) return known.value
    const value = make(key)
    results.set(key, { value })
    return value
  }
}
