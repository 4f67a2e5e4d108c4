// Web addresses with the registrable domain set off, which says who gets the visit.
import { registrableDomain } from '#app/text/registrable-domain.ts'
import { VisibleText } from './visible-text.tsx'

type AddressParts = Readonly<Record<'before' | 'domain' | 'after', string>>

const Parts = ({ before, domain, after }: AddressParts) => (
  <>
    {before}
    <b>{domain}</b>
    {after}
  </>
)

/** Splits an http(s) address around its registrable domain. Undefined for any other text, which cannot be opened. */
export function addressParts(url: string): AddressParts | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  // The parsed form is the one that a browser opens: a host with look-alike letters shows as punycode.
  const { hostname, host, href } = new URL(url)
  const domain = registrableDomain(hostname)
  const at = href.lastIndexOf(domain, href.indexOf('/', 8) < 0 ? href.length : href.indexOf(host, 8) + host.length)
  if (at < 0) return { before: '', domain: href, after: '' }
  return { before: href.slice(0, at), domain, after: href.slice(at + domain.length) }
}

/** An address within a line, named and not opened. The slash that parsing adds to `https://a.example` is left out. */
export function AddressName({ url }: { readonly url: string }) {
  const parts = addressParts(url)
  if (!parts) return <VisibleText text={url} />
  const bare = parts.after === '/' && !url.endsWith('/')
  return (
    <span className="address-name">
      <Parts {...parts} after={bare ? '' : parts.after} />
    </span>
  )
}

/** A source of a Content-Security-Policy: `wss://a.example:8443`, `https://*.a.example`. */
export function SourceName({ source }: { readonly source: string }) {
  const parts = /^([a-z]+:\/\/(?:\*\.)?)([^:/]+)(.*)$/.exec(source)
  if (!parts) return <VisibleText text={source} />
  const [, scheme = '', host = '', after = ''] = parts
  const domain = registrableDomain(host)
  return (
    <span className="address-name">
      <Parts before={scheme + host.slice(0, host.length - domain.length)} domain={domain} after={after} />
    </span>
  )
}

export function WebAddress({ url }: { readonly url: string }) {
  const parts = addressParts(url)
  return <div className="url">{parts ? <Parts {...parts} /> : <VisibleText text={url} />}</div>
}
