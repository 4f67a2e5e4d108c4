// Types of what is used of `punycode.js`, which brings none.
declare module 'punycode.js' {
  const punycode: {
    /** @throws {RangeError} where the label is no Punycode. */
    decode(label: string): string
  }
  export = punycode
}
