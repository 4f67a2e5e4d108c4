// A web address with the domain that decides who gets it set off. Without the list of public suffixes this is a rule of
// thumb: the last two labels, or three where the last two look like a country's second level (co.uk). The whole host
// is always shown.
import { Revealed } from './revealed.tsx'

export interface AddressParts {
  readonly before: string
  readonly domain: string
  readonly after: string
}

const secondLevel = /^(?:com?|org|net|gov|edu|ac|or|ne|go|gob|nom|ltd|plc|sch|nhs|mil)$/

export function registrableDomain(host: string): string {
  if (/^[\d.]+$/.test(host) || host.includes(':')) return host
  const labels = host.split('.')
  const last = labels.at(-1) ?? ''
  const wide = labels.length > 2 && last.length === 2 && secondLevel.test(labels.at(-2) ?? '')
  return labels.slice(wide ? -3 : -2).join('.')
}

/** Undefined when it is no http(s) address: then there is nothing to open. */
export function addressParts(url: string): AddressParts | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  const { hostname, host } = new URL(url)
  // The parsed form is what a browser goes to: a host with look-alike letters shows as punycode.
  const href = new URL(url).href
  const domain = registrableDomain(hostname)
  const at = href.lastIndexOf(domain, href.indexOf('/', 8) < 0 ? href.length : href.indexOf(host, 8) + host.length)
  if (at < 0) return { before: '', domain: href, after: '' }
  return { before: href.slice(0, at), domain, after: href.slice(at + domain.length) }
}

export function WebAddress({ url }: { readonly url: string }) {
  const parts = addressParts(url)
  return (
    <div className="url">
      {parts ? (
        <>
          {parts.before}
          <b>{parts.domain}</b>
          {parts.after}
        </>
      ) : (
        <Revealed text={url} />
      )}
    </div>
  )
}

/** Letters of other alphabets in the host, which can look like Latin ones. */
export const isPunycode = (url: string): boolean => URL.canParse(url) && /(?:^|\.)xn--/.test(new URL(url).hostname)
