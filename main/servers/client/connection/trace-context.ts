// Trace context (SEP-414) from the caller's environment; it goes with each request. None is made up, and malformed values are
// not passed on.
import type { BAGGAGE_META_KEY, TRACEPARENT_META_KEY, TRACESTATE_META_KEY } from '@modelcontextprotocol/client'

/** The SDK's own names: it is not loaded for them. */
const parentKey: typeof TRACEPARENT_META_KEY = 'traceparent'
const stateKey: typeof TRACESTATE_META_KEY = 'tracestate'
const baggageKey: typeof BAGGAGE_META_KEY = 'baggage'

export type Trace = Readonly<Record<string, string>>

/** W3C Trace Context: version, trace, span, flags; neither may be all zeros. */
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
const printable = /^[\x20-\x7e]+$/
const fits = (value: string | undefined, longest: number): value is string =>
  value !== undefined && value.length <= longest && printable.test(value)

export function readTrace(env: Readonly<Record<string, string | undefined>>): Trace | undefined {
  const { TRACEPARENT: parent, TRACESTATE: state, BAGGAGE: baggage } = env
  const trace: Record<string, string> = {}
  if (parent !== undefined && traceparent.test(parent)) {
    trace[parentKey] = parent
    // Without its parent it says nothing.
    if (fits(state, 512)) trace[stateKey] = state
  }
  if (fits(baggage, 8192)) trace[baggageKey] = baggage
  return Object.keys(trace).length > 0 ? trace : undefined
}
